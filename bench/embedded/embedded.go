// Package embedded starts the embedded server for the benchmarks, a process of
// its own as a user would start it.
package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

// A Server is a running `assay simulate`.
type Server struct {
	URL   string
	cmd   *exec.Cmd
	stdin io.Closer
}

// Start starts the preset, with each of set as NAME=VALUE, on a free port and
// waits until it listens. launch starts the command as the caller wants it.
func Start(ctx context.Context, assay, preset string, set []string, launch func(*exec.Cmd) error) (*Server, error) {
	args := []string{"simulate", "--listen", "127.0.0.1:0", "--preset", preset, "--json", "--die-with-parent"}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	s := &Server{cmd: exec.CommandContext(ctx, assay, args...)}
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := launch(s.cmd); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		s.End()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.URL = ready.URL
	return s, nil
}

// PID is its process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// End tells it to go and waits until it has.
func (s *Server) End() {
	s.stdin.Close()
	_ = s.cmd.Wait() // it was told to go
}
