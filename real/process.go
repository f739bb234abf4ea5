//go:build unix

package main

// A server is installed once and kept, and started for its rows on a port of
// its own, in a process group that ends with them.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	toInstall = 25 * time.Minute
	toStart   = 3 * time.Minute
	toStop    = 10 * time.Second
)

// home is the folder with a server's scripts.
func (b *bench) home(s server) string {
	if s.folder == "" {
		return filepath.Join(b.folder, "servers", s.name)
	}
	return filepath.Join(b.folder, "servers", s.folder)
}

// installed is where it is kept: another way of installing is another folder.
func (b *bench) installed(s server) (string, error) {
	digest := sha256.New()
	for _, path := range []string{filepath.Join(b.home(s), "install"), b.modelMaker()} {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		digest.Write(text)
	}
	name := filepath.Base(b.home(s)) + "-" + hex.EncodeToString(digest.Sum(nil))[:12]
	return filepath.Join(b.cache, name), nil
}

func (b *bench) modelMaker() string { return filepath.Join(b.folder, "model", "mkgguf.py") }

// install runs the server's script, unless it has come to its end before.
func (b *bench) install(ctx context.Context, s server) error {
	dir, err := b.installed(s)
	if err != nil {
		return err
	}
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	others, _ := filepath.Glob(filepath.Join(b.cache, filepath.Base(b.home(s))+"-*"))
	for _, old := range others {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, toInstall)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(b.home(s), "install"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HERE="+b.home(s), "MODEL="+b.modelMaker())
	ownGroup(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("install %s, which takes package registries that can be reached: %w\n%s", s.name, err, tail(out))
	}
	fmt.Fprintf(os.Stderr, "%s installed in %.0f s\n", s.name, time.Since(began).Seconds())
	return os.WriteFile(done, nil, 0o644)
}

// running is a server that answers.
type running struct {
	server
	url  string
	dir  string // where it is installed
	port int
	stop func()
}

// start starts it and waits until it is ready.
func (b *bench) start(ctx context.Context, s server, upstream string) (*running, error) {
	dir, err := b.installed(s)
	if err != nil {
		return nil, err
	}
	port, err := freePorts()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(b.tmp, s.name+".log")
	log, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, filepath.Join(b.home(s), "start"), s.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.Env = append(os.Environ(), "HERE="+b.home(s), "PORT="+strconv.Itoa(port), "UPSTREAM="+upstream)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	r := &running{server: s, url: fmt.Sprintf("http://127.0.0.1:%d", port), dir: dir, port: port, stop: func() { end(cmd, ended) }}
	if err := r.await(ctx, ended); err != nil {
		r.stop()
		text, _ := os.ReadFile(path)
		return nil, fmt.Errorf("start it: %w\n%s", err, tail(text))
	}
	return r, nil
}

// await returns when the server says that it is ready.
func (r *running) await(ctx context.Context, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, toStart)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+r.ready, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("it was not ready within %v", toStart)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// ownGroup: whatever the command starts ends with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// end asks the group to end, and kills what does not.
func end(cmd *exec.Cmd, ended <-chan struct{}) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(toStop):
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
}

// freePorts is a port that is free, as is the one behind it.
func freePorts() (int, error) {
	for range 50 {
		first, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		port := first.Addr().(*net.TCPAddr).Port
		second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		first.Close()
		if err == nil {
			second.Close()
			return port, nil
		}
	}
	return 0, fmt.Errorf("no two free ports beside each other")
}

// tail is the last lines of a log.
func tail(log []byte) string {
	lines := strings.Split(string(bytes.TrimSpace(log)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
