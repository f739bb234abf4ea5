package run

// The embedded server behind `simulate:` is a process of its own, so that what
// it spends is not charged to the client.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// An embedded is a running `assay simulate`.
type embedded struct {
	cmd   *exec.Cmd
	stdin io.Closer // its end of life: the server leaves when this closes
	url   string
	pid   int
}

// startEmbedded starts the preset on a free loopback port and waits until it
// listens. It counts by the tokenizer, or words where that is "".
func startEmbedded(ctx context.Context, exe, preset string, set map[string]string, tokenizer string) (*embedded, error) {
	args := []string{"simulate", "--listen", "127.0.0.1:0", "--preset", preset, "--die-with-parent", "--json"}
	for _, k := range sortedKeys(set) {
		args = append(args, "--set", k+"="+set[k])
	}
	if tokenizer != "" {
		args = append(args, "--tokenizer", tokenizer)
	}
	cmd := exec.Command(exe, args...)
	detach(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("embedded server: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("embedded server: %w", err)
	}
	var words bounded
	cmd.Stderr = &words
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the embedded server: %w", err)
	}
	s := &embedded{cmd: cmd, stdin: stdin, pid: cmd.Process.Pid}
	line := make(chan string, 1)
	go func() {
		r := bufio.NewReader(stdout)
		first, _ := r.ReadString('\n')
		line <- first
		_, _ = io.Copy(io.Discard, r)
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	select {
	case first := <-line:
		var ready struct {
			URL string `json:"url"`
		}
		if json.Unmarshal([]byte(first), &ready) != nil || ready.URL == "" {
			s.stop()
			return nil, fmt.Errorf("the embedded server did not start: %s", strings.TrimSpace(first+words.String()))
		}
		s.url = ready.URL
		return s, nil
	case <-ctx.Done():
		s.stop()
		return nil, fmt.Errorf("the embedded server did not start: %w %s", ctx.Err(), words.String())
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func (s *embedded) stop() {
	if s == nil {
		return
	}
	_ = s.stdin.Close()
	gone := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(3 * time.Second):
		_ = s.cmd.Process.Kill()
		<-gone
	}
}

// bounded keeps the first 4 KiB of what a child says. It is written by one
// goroutine and read after the child's end.
type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if room := 4096 - b.Len(); room > 0 {
		b.Builder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
