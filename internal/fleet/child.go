// The worker's end of the pipes.
package fleet

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"sync"

	"assay/internal/record"
)

// ErrNotAWorker is Child's answer in a process that no fleet started.
var ErrNotAWorker = errors.New("not started by a coordinator")

// A Conn is a worker's line to its coordinator.
type Conn struct {
	in  *bufio.Reader
	buf []byte

	mu  sync.Mutex // guards the writing half
	out *os.File
	msg []byte

	stdout *os.File // kept: a collected file closes its descriptor
}

// Child takes over this process's standard input and output. What is printed
// from here on goes to standard error: a stray line must not break a frame.
func Child() (*Conn, error) {
	for _, f := range []*os.File{os.Stdin, os.Stdout} {
		info, err := f.Stat()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotAWorker, err)
		}
		if info.Mode()&os.ModeNamedPipe == 0 {
			return nil, fmt.Errorf("%w: %s is no pipe", ErrNotAWorker, f.Name())
		}
	}
	in, err := pollable(os.Stdin)
	if err != nil {
		return nil, err
	}
	out, err := pollable(os.Stdout)
	if err != nil {
		return nil, err
	}
	c := &Conn{in: bufio.NewReaderSize(in, 64<<10), out: out, stdout: os.Stdout}
	os.Stdout = os.Stderr
	return c, nil
}

// Recv waits for the next frame. Its payload is good until the next Recv.
// io.EOF means that the coordinator hung up or died: nobody wants to hear
// anything more, so the worker leaves.
func (c *Conn) Recv() (typ byte, payload []byte, err error) {
	typ, payload, err = record.ReadFrame(c.in, c.buf)
	if err == nil {
		c.buf = payload
	}
	return typ, payload, err
}

// Send sends one frame in one write. It waits while the coordinator does not
// read. It may be called from anywhere.
func (c *Conn) Send(typ byte, payload []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.msg = record.AppendFrame(c.msg[:0], typ, payload)
	return c.write(c.msg)
}

// SendRaw sends frames that AppendFrame has made, many in one write.
func (c *Conn) SendRaw(frames []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(frames)
}

func (c *Conn) write(frames []byte) error {
	if _, err := c.out.Write(frames); err != nil {
		return fmt.Errorf("send to the coordinator: %w", err)
	}
	return nil
}
