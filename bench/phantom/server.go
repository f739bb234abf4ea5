package main

// The embedded server as a process of its own, with half of the cores.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
)

type server struct {
	cmd   *exec.Cmd
	stdin io.Closer
	url   string
}

func serve(ctx context.Context, assay string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, assay, "simulate", "--listen", "127.0.0.1:0", "--json", "--die-with-parent",
		"--preset", "fixed", "--set", "ttft="+ttft.String())}
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", max(1, runtime.NumCPU()/2)))
	s.cmd.Stderr = os.Stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.stdin = stdin
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		s.end()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.url = ready.URL
	return s, nil
}

func (s *server) end() {
	s.stdin.Close()
	_ = s.cmd.Wait() // it was told to go
}
