// This file fuzzes what a server may send, whole and cut into segments.

package http2

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	h2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"assay/internal/record"
	"assay/internal/wire"
)

// A said is a connection whose peer says everything at once after the client
// has begun, in segments of a size; each carries its number as its arrival.
type said struct {
	mu       sync.Mutex
	bytes    []byte
	size     int
	segments int64
	closed   bool
	asked    *sync.Cond // the request was sent, or the connection closed
	sent     bool
	stamp    wire.Stamp
}

func newSaid(b []byte, size int) *said {
	s := &said{bytes: b, size: max(1, size)}
	s.asked = sync.NewCond(&s.mu)
	return s
}

func (s *said) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.segments > 0 && !s.sent && !s.closed { // the first segment is the server's settings
		s.asked.Wait()
	}
	switch {
	case s.closed:
		return 0, net.ErrClosed
	case len(s.bytes) == 0:
		return 0, io.EOF
	}
	n := copy(p, s.bytes[:min(len(s.bytes), s.size)])
	if s.segments == 0 {
		n = copy(p, s.bytes[:min(len(s.bytes), len(begin()))])
	}
	s.bytes = s.bytes[n:]
	s.segments++
	s.stamp = wire.Stamp{Arrived: s.segments, Read: s.segments, Clock: record.Kernel}
	return n, nil
}

// Write notes that the request is on its way: it is the first write with a head.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	if len(p) > 3 && h2.FrameType(p[3]) == h2.FrameHeaders {
		s.sent = true
		s.asked.Broadcast()
	}
	return len(p), nil
}

func (s *said) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.asked.Broadcast()
	return nil
}

func (s *said) Stamp() wire.Stamp                { return s.stamp }
func (s *said) LocalAddr() net.Addr              { return nil }
func (s *said) RemoteAddr() net.Addr             { return nil }
func (s *said) SetDeadline(time.Time) error      { return nil }
func (s *said) SetReadDeadline(time.Time) error  { return nil }
func (s *said) SetWriteDeadline(time.Time) error { return nil }

// begin is how a server begins.
func begin() []byte { return appendFrame(nil, h2.FrameSettings, 0, 0) }

// told is what became of one request to such a server, its body taken with
// reads of so many bytes.
func told(t *testing.T, b []byte, segment, read int) (status int, body string, err error) {
	t.Helper()
	s := newSaid(append(begin(), b...), segment)
	p := NewPool(Config{URL: testURL, Now: func() int64 { return 0 }, Dial: func(context.Context, string, string) (wire.Conn, wire.DialTimes, error) {
		return s, wire.DialTimes{DNS: record.None}, nil
	}})
	defer p.Abort()
	x, err := p.Open(t.Context(), post, wire.Terms{Until: record.None})
	if err != nil {
		return 0, "", err
	}
	defer x.Abort()
	h, err := x.Head()
	if err != nil {
		return 0, "", err
	}
	buf := make([]byte, max(1, read))
	var end uint64
	var arrived int64
	for {
		piece, err := x.Read(buf)
		if err != nil {
			if piece.N != 0 {
				t.Errorf("Read() = %d bytes with %v", piece.N, err)
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return h.Status, body, err
		}
		if piece.N < 1 || piece.N > len(buf) || piece.End != end+uint64(piece.N) {
			t.Fatalf("Read() = %+v after %d", piece, end)
		}
		end = piece.End
		body += string(buf[:piece.N])
		at := x.ArrivedAt(end).Arrived
		if at < arrived || at < 1 {
			t.Errorf("the byte before %d arrived in segment %d, one before it in %d", end, at, arrived)
		}
		arrived = at
	}
}

// seeds are answers in several shapes.
func seeds() [][]byte {
	var head bytes.Buffer
	e := hpack.NewEncoder(&head)
	_ = e.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	_ = e.WriteField(hpack.HeaderField{Name: "content-type", Value: "text/event-stream"})
	var out [][]byte
	for _, build := range []func(f *h2.Framer){
		func(f *h2.Framer) { _ = f.WriteData(1, true, []byte("data: x\n\n")) },
		func(f *h2.Framer) {
			_ = f.WriteSettings(h2.Setting{ID: h2.SettingInitialWindowSize, Val: 3})
			_ = f.WritePing(false, [8]byte{1})
			_ = f.WriteDataPadded(1, false, []byte("abc"), make([]byte, 9))
			_ = f.WriteWindowUpdate(1, 5)
			_ = f.WriteData(1, true, nil)
		},
		func(f *h2.Framer) { _ = f.WriteData(1, false, []byte("x")); _ = f.WriteRSTStream(1, h2.ErrCodeCancel) },
		func(f *h2.Framer) {
			_ = f.WriteGoAway(1, h2.ErrCodeNo, []byte("bye"))
			_ = f.WriteData(1, true, []byte("y"))
		},
	} {
		var b bytes.Buffer
		f := h2.NewFramer(&b, nil)
		_ = f.WriteHeaders(h2.HeadersFrameParam{StreamID: 1, BlockFragment: head.Bytes(), EndHeaders: true})
		build(f)
		out = append(out, b.Bytes())
	}
	return out
}

func TestTheSeedsAreAnswers(t *testing.T) {
	for i, want := range []string{"data: x\n\n", "abc", "", "y"} {
		status, body, err := told(t, seeds()[i], 1000, 100)
		if good := i != 2; (err == nil) != good || good && (status != 200 || body != want) {
			t.Errorf("seed %d: %d, %q, %v, want %q", i, status, body, err, want)
		}
	}
}

// Whatever a server sends, its answer ends, and does not depend on how its
// bytes were cut or read.
func FuzzAnAnswerDoesNotDependOnItsSegments(f *testing.F) {
	for _, b := range seeds() {
		f.Add(b, uint8(1), uint8(3))
		f.Add(b[:len(b)-1], uint8(7), uint8(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, segment, read uint8) {
		if len(b) > 1<<16 {
			return
		}
		status, body, err := told(t, b, len(b)+1, 1<<10)
		status2, body2, err2 := told(t, b, int(segment), int(read))
		if status != status2 || body != body2 || (err == nil) != (err2 == nil) || wire.KindOf(err) != wire.KindOf(err2) {
			t.Errorf("whole: %d, %q, %v; in segments of %d: %d, %q, %v", status, body, err, segment, status2, body2, err2)
		}
	})
}
