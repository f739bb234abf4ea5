// This file is a connection whose peer said everything beforehand, in segments
// that are read one at a time: each carries its number as its arrival.

package http1

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A script is the peer's segments, then its end.
type script struct {
	segments [][]byte
	end      error
	read     int // segments read from
	sent     []byte
	stamp    wire.Stamp
	bounds   []uint64 // stream offset at the end of each segment
}

func newScript(end error, segments ...[]byte) *script {
	s := &script{end: end}
	off := uint64(0)
	for _, seg := range segments {
		if len(seg) > 0 {
			s.segments = append(s.segments, seg)
			off += uint64(len(seg))
			s.bounds = append(s.bounds, off)
		}
	}
	return s
}

func (s *script) Read(p []byte) (int, error) {
	if s.read == len(s.segments) {
		return 0, s.end
	}
	n := copy(p, s.segments[s.read])
	s.stamp = wire.Stamp{Arrived: int64(s.read), Read: int64(s.read), Clock: record.Kernel}
	if n == len(s.segments[s.read]) {
		s.read++
	} else {
		s.segments[s.read] = s.segments[s.read][n:]
	}
	return n, nil
}

// arrival is the number of the segment that holds the byte before off.
func (s *script) arrival(off uint64) int64 {
	for i, end := range s.bounds {
		if off <= end {
			return int64(i)
		}
	}
	return -1
}

func (s *script) Write(p []byte) (int, error)      { s.sent = append(s.sent, p...); return len(p), nil }
func (s *script) Stamp() wire.Stamp                { return s.stamp }
func (s *script) Close() error                     { return nil }
func (s *script) LocalAddr() net.Addr              { return nil }
func (s *script) RemoteAddr() net.Addr             { return nil }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

var testURL = &url.URL{Scheme: "http", Host: "server.test"}

// openOn opens an exchange whose connection is the script.
func openOn(t testing.TB, s *script, request string) *Exchange {
	t.Helper()
	p := NewPool(Config{
		URL: testURL, Now: func() int64 { return 0 },
		Dial: func(context.Context, string, string) (wire.Conn, wire.DialTimes, error) {
			return s, wire.DialTimes{DNS: record.None, Connect: 0}, nil
		},
	})
	x, err := p.send(t.Context(), []byte(request), wire.Terms{Until: record.None})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return x
}

// An answer is what an exchange gave.
type answer struct {
	status int
	body   string
	err    error // nil at the body's proper end
	keep   bool
}

// receive reads the whole answer with reads of size bytes, and checks at each
// that the stamp is that of the segment which held the piece's last byte.
func receive(t testing.TB, s *script, request string, size int) answer {
	t.Helper()
	x := openOn(t, s, request)
	h, err := x.Head()
	if err != nil {
		return answer{err: err}
	}
	a := answer{status: h.Status}
	buf := make([]byte, size)
	var last uint64
	for {
		piece, err := x.Read(buf)
		if err != nil {
			if piece.N != 0 {
				t.Errorf("Read() = %d bytes with error %v", piece.N, err)
			}
			if !errors.Is(err, io.EOF) {
				a.err = err
			}
			break
		}
		a.body += string(buf[:piece.N])
		if piece.N == 0 || piece.N > size || piece.End < last+uint64(piece.N) {
			t.Fatalf("Read() = %+v after offset %d, for %d bytes", piece, last, size)
		}
		last = piece.End
		checkArrival(t, x, s, last)
	}
	if last > 0 {
		// The end of the body may have come later; the last piece has not.
		checkArrival(t, x, s, last)
	}
	x.Finish()
	a.keep = x.pool.Unused() == 1
	return a
}

func checkArrival(t testing.TB, x *Exchange, s *script, off uint64) {
	t.Helper()
	if got, want := x.ArrivedAt(off).Arrived, s.arrival(off); got != want {
		t.Errorf("ArrivedAt(%d) = segment %d, want %d", off, got, want)
	}
}

// cutUp splits b into pieces of the sizes given, over and over.
func cutUp(b []byte, sizes ...int) [][]byte {
	var out [][]byte
	for i := 0; len(b) > 0; i++ {
		n := min(len(b), max(1, sizes[i%len(sizes)]))
		out = append(out, append([]byte(nil), b[:n]...))
		b = b[n:]
	}
	return out
}

func kindOf(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	if err == nil {
		return "no error"
	}
	return "not a wire.Error: " + err.Error()
}
