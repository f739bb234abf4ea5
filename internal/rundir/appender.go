// A file that grows: appended in memory, written behind within half a second,
// so that thousands of records a second are a few writes.
package rundir

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"time"

	"assay/internal/record"
)

const (
	// flushAfter is the longest that appended bytes stay in this process.
	flushAfter   = 500 * time.Millisecond
	appendBuffer = 256 << 10
)

type appender struct {
	mu    sync.Mutex
	file  *os.File
	buf   *bufio.Writer // keeps its first error
	frame []byte
	timer *time.Timer // runs while there are bytes to flush
	done  bool
}

func openAppender(path string) (*appender, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return newAppender(f), nil
}

func newAppender(f *os.File) *appender {
	return &appender{file: f, buf: bufio.NewWriterSize(f, appendBuffer)}
}

func (a *appender) appendFrame(payload []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.frame = record.AppendFrame(a.frame[:0], record.FrameRecord, payload)
	return a.write(a.frame)
}

func (a *appender) appendLine(line []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.frame = append(append(a.frame[:0], line...), '\n')
	return a.write(a.frame)
}

// write is called with the lock held.
func (a *appender) write(b []byte) error {
	if a.done {
		return fmt.Errorf("append to %s: %w", a.file.Name(), os.ErrClosed)
	}
	if _, err := a.buf.Write(b); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	if a.timer == nil && a.buf.Buffered() > 0 {
		a.timer = time.AfterFunc(flushAfter, a.flush)
	}
	return nil
}

// flush writes what waits. Its error is kept by the buffer and told by the
// next append or by close.
func (a *appender) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = nil
	if !a.done {
		_ = a.buf.Flush()
	}
}

func (a *appender) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return nil
	}
	a.done = true
	if a.timer != nil {
		a.timer.Stop()
	}
	err := a.buf.Flush()
	if err == nil {
		err = a.file.Sync()
	}
	if e := a.file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}
