// One worker as the coordinator has it: a process, two pipes, and the start
// of what it said on standard error.
package fleet

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"assay/internal/record"
)

const (
	// sendLimit is how long a worker may leave its input unread.
	sendLimit = 10 * time.Second
	// stderrLimit bounds what is kept of a worker's last words: the start,
	// where a panic says what it is.
	stderrLimit = 8 << 10
	// burialLimit bounds the wait for a standard error that somebody holds open.
	burialLimit = 2 * time.Second
	readBuffer  = 256 << 10
)

type worker struct {
	cmd    *exec.Cmd
	out    *os.File // its standard output
	stderr bounded

	mu  sync.Mutex // guards in and buf
	in  *os.File   // its standard input; nil after hangup
	buf []byte
}

func startWorker(ctx context.Context, c Config) (*worker, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	widen(out)
	w := &worker{in: in, out: out}
	w.cmd = exec.CommandContext(ctx, c.Exe, c.Args...)
	w.cmd.Env = append(os.Environ(), c.Env...)
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = childIn, childOut, &w.stderr
	w.cmd.SysProcAttr = attributes()
	w.cmd.WaitDelay = burialLimit
	if err := w.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return w, nil
}

// run hands over frames until the worker's output ends, and buries it.
func (w *worker) run(onFrame func(typ byte, payload []byte)) error {
	broken := w.pump(onFrame)
	if broken != nil && !errors.Is(broken, record.ErrTorn) {
		w.cmd.Process.Kill() // what it says can't be understood any more
	}
	w.out.Close()
	err := w.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case broken != nil && !errors.Is(broken, record.ErrTorn):
		return fmt.Errorf("read frames: %w", broken)
	case errors.As(err, &exit):
		return &ExitError{State: exit.ProcessState.String(), Stderr: w.stderr.String(), Torn: broken != nil}
	case err != nil:
		return err
	case broken != nil:
		return fmt.Errorf("read frames: %w", broken)
	}
	return nil
}

func (w *worker) pump(onFrame func(typ byte, payload []byte)) error {
	r := bufio.NewReaderSize(w.out, readBuffer)
	var buf []byte
	for {
		typ, payload, err := record.ReadFrame(r, buf)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		onFrame(typ, payload)
		buf = payload
	}
}

func (w *worker) send(typ byte, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.in == nil {
		return os.ErrClosed
	}
	w.buf = record.AppendFrame(w.buf[:0], typ, payload)
	w.in.SetWriteDeadline(time.Now().Add(sendLimit)) // no deadlines on this system: then it may hang
	_, err := w.in.Write(w.buf)
	return err
}

func (w *worker) hangup() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.in != nil {
		w.in.Close()
		w.in = nil
	}
}

// An ExitError is a worker that ended otherwise than with status 0.
type ExitError struct {
	State  string // "signal: killed", "exit status 2"
	Stderr string // the start of what it said
	Torn   bool   // it died inside a frame, which is lost
}

// Error is the state and the first line of what the worker said.
func (e *ExitError) Error() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.Stderr), "\n")
	if first == "" {
		return e.State
	}
	return e.State + ": " + first
}

// bounded keeps the first bytes written to it and counts the rest as written.
type bounded struct {
	mu   sync.Mutex
	head bytes.Buffer
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.head.Write(p[:min(len(p), stderrLimit-b.head.Len())])
	return len(p), nil
}

func (b *bounded) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.head.String()
}
