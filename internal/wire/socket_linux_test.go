// This file tests the kernel's stamps on real sockets over loopback: they must
// lie between the sender's clock before and after the write.

package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"assay/internal/record"
)

// clock is a monotonic clock with the epoch now, and its join to the wall
// clock.
func clock() (now Clock, fromWall func(int64) int64) {
	start := time.Now()
	now = func() int64 { return int64(time.Since(start)) }
	// The offset with the narrowest bracket of many.
	var offset int64
	best := int64(1 << 62)
	for range 1000 {
		a := now()
		wall := time.Now().UnixNano()
		b := now()
		if b-a < best {
			best, offset = b-a, wall-(a+b)/2
		}
	}
	return now, func(wall int64) int64 { return wall - offset }
}

func stamps(t testing.TB) {
	t.Helper()
	hold, err := EnableKernelStamps()
	if err != nil {
		t.Fatalf("EnableKernelStamps: %v", err)
	}
	t.Cleanup(func() { hold.Close() })
}

// pair is a dialed connection and the accepted end of it.
func pair(t testing.TB, d *Dialer) (Conn, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, times, err := d.DialContext(context.Background(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if times.DNS != record.None || times.Connect < 0 || times.Connect > int64(10*time.Second) {
		t.Errorf("dial times %+v, want no name and a connection", times)
	}
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); peer.Close() })
	return c, peer
}

// send reads n single events from c while a server writes them; it returns how
// many stamps lay outside the server's bracket.
func send(t *testing.T, n int, now Clock, c Conn, peer net.Conn) (outside int, worst int64) {
	t.Helper()
	type bracket struct{ before, after int64 }
	brackets := make([]bracket, n)
	event := []byte("data: {\"choices\":[{\"delta\":{\"content\":\" hello\"}}]}\n\n")
	turn := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		for i := range n {
			<-turn
			before := now()
			_, err := peer.Write(event)
			brackets[i] = bracket{before, now()}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	got := make([]Stamp, n)
	buf := make([]byte, 4096)
	for i := range n {
		turn <- struct{}{}
		k, err := c.Read(buf)
		if err != nil || k != len(event) {
			t.Fatalf("Read() = %d, %v; want one event", k, err)
		}
		got[i] = c.Stamp()
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// The two clocks are joined to within some microseconds.
	const tolerance = int64(50 * time.Microsecond)
	for i, s := range got {
		if s.Clock != record.Kernel {
			t.Fatalf("event %d is stamped by %v, want kernel", i, s.Clock)
		}
		b := brackets[i]
		if s.Arrived < b.before-tolerance || s.Arrived > b.after+tolerance {
			outside++
			worst = max(worst, b.before-s.Arrived, s.Arrived-b.after)
		}
		if s.Read < s.Arrived-tolerance {
			t.Errorf("event %d was read %d ns before it arrived", i, s.Arrived-s.Read)
		}
	}
	return outside, worst
}

func TestKernelStampsLieBetweenTheServersClockBeforeAndAfterTheWrite(t *testing.T) {
	stamps(t)
	for load, n := range map[string]int{"idle": 300, "busy": 50} {
		now, fromWall := clock()
		d := &Dialer{Now: now, FromWall: fromWall, Kernel: true}
		c, peer := pair(t, d)
		var stop atomic.Bool
		if load == "busy" {
			for range runtime.GOMAXPROCS(0) {
				go func() {
					for !stop.Load() {
					}
				}()
			}
		}
		outside, worst := send(t, n, now, c, peer)
		stop.Store(true)
		if outside > 0 {
			t.Errorf("%s: %d of %d stamps outside the write, by up to %v", load, outside, n, time.Duration(worst))
		}
	}
}

func TestALateReadKeepsTheArrivalOfItsBytes(t *testing.T) {
	stamps(t)
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	if _, err := peer.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	written := now()
	for now() < written+int64(20*time.Millisecond) {
		runtime.Gosched()
	}
	if _, err := c.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	s := c.Stamp()
	if lag := s.Read - s.Arrived; lag < int64(19*time.Millisecond) || s.Clock != record.Kernel {
		t.Errorf("stamp %+v says that the bytes waited %v, want 20ms", s, time.Duration(lag))
	}
}

func TestAStampThatCannotBeTrueIsNotTaken(t *testing.T) {
	stamps(t)
	now, fromWall := clock()
	for _, step := range []time.Duration{time.Hour, -time.Hour, 10 * time.Millisecond, -10 * time.Second} {
		d := &Dialer{Now: now, FromWall: func(w int64) int64 { return fromWall(w) + int64(step) }, Kernel: true}
		c, peer := pair(t, d)
		if _, err := peer.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if s := c.Stamp(); s.Clock != record.User || s.Arrived != s.Read {
			t.Errorf("wall clock off by %v: %+v, want user space's stamp", step, s)
		}
	}
}

// A segment that waited behind a lost one, or a wall clock that was set back a
// little, shows as an arrival before the reader found nothing there.
func TestAStampFromBeforeTheQueueWasEmptyIsNotTaken(t *testing.T) {
	stamps(t)
	now, fromWall := clock()
	d := &Dialer{Now: now, FromWall: func(w int64) int64 { return fromWall(w) - 200*int64(time.Millisecond) }, Kernel: true}
	c, peer := pair(t, d)
	spin := func(d time.Duration) {
		for until := now() + int64(d); now() < until; {
			runtime.Gosched()
		}
	}
	spin(300 * time.Millisecond) // so that the connection is older than the lie
	go func() {
		spin(20 * time.Millisecond)
		peer.Write([]byte("x"))
	}()
	if _, err := c.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if s := c.Stamp(); s.Clock != record.User || s.Arrived != s.Read {
		t.Errorf("%+v, want user space's stamp", s)
	}
}

func TestBelievableBoundsAnArrivalOnBothSides(t *testing.T) {
	for _, c := range []struct {
		at, empty, read int64
		want            bool
	}{
		{100, 0, 200, true}, {200, 0, 200, true},
		// A millisecond is allowed for the joining of the clocks.
		{1_000_200, 0, 200, true}, {1_000_201, 0, 200, false},
		{-1_000_000, 0, 200, true}, {-1_000_001, 0, 200, false},
	} {
		if got := believable(c.at, c.empty, c.read); got != c.want {
			t.Errorf("believable(%d, %d, %d) = %v, want %v", c.at, c.empty, c.read, got, c.want)
		}
	}
}

func TestTryReadDoesNotWait(t *testing.T) {
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	try := c.(interface{ TryRead([]byte) (int, error) })
	buf := make([]byte, 10)
	// A deadline that has passed is no answer to the question.
	c.SetReadDeadline(time.Now().Add(-time.Second))
	if n, err := try.TryRead(buf); n != 0 || !errors.Is(err, ErrWouldBlock) {
		t.Errorf("on a quiet connection: %d, %v; want ErrWouldBlock", n, err)
	}
	c.SetReadDeadline(time.Time{})
	peer.Write([]byte("abc"))
	if n, err := c.Read(buf[:1]); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := try.TryRead(buf); n != 2 || err != nil {
		t.Errorf("with two bytes there: %d, %v", n, err)
	}
	peer.Close()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := c.Read(buf); n != 0 || err == nil {
		t.Fatal(n, err)
	}
	if n, err := try.TryRead(buf); n != 0 || err == nil || errors.Is(err, ErrWouldBlock) {
		t.Errorf("on a closed connection: %d, %v; want an end", n, err)
	}
}

func TestAWriteLargerThanTheKernelTakesArrivesWholeOrMeetsItsDeadline(t *testing.T) {
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	sent := make([]byte, 16<<20)
	for i := range sent {
		sent[i] = byte(i >> 8)
	}
	got := make(chan []byte)
	go func() {
		b := make([]byte, len(sent))
		n, _ := io.ReadFull(peer, b)
		got <- b[:n]
	}()
	if n, err := c.Write(sent); n != len(sent) || err != nil {
		t.Errorf("Write() = %d, %v; want %d", n, err, len(sent))
	}
	if !bytes.Equal(<-got, sent) {
		t.Error("what arrived is not what was sent")
	}
	c.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	if n, err := c.Write(sent); n == 0 || n == len(sent) || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Write() to a peer that does not read = %d, %v; want a part and a deadline exceeded", n, err)
	}
}

func TestAConnectionTellsWhenTheFirstBytesWereTaken(t *testing.T) {
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	if _, err := c.Write([]byte("what came before")); err != nil {
		t.Fatal(err)
	}
	before := now()
	if got := Handover(c, before); got != record.None {
		t.Errorf("what was written before counts as a handing over of %d ns", got)
	}
	Forget(c)
	if _, err := c.Write([]byte("a short request")); err != nil {
		t.Fatal(err)
	}
	written := now()
	if got := Handover(c, before); got < 0 || got > written-before {
		t.Errorf("a short request was handed over in %d ns, want at most %d", got, written-before)
	}
	if got := Handover(c, before); got != record.None {
		t.Errorf("it is told twice: %d", got)
	}
	began := make(chan int64, 1)
	go func() {
		time.Sleep(20 * time.Millisecond) // the kernel has long been full
		began <- now()
		io.Copy(io.Discard, peer)
	}()
	before = now()
	_, err := c.Write(make([]byte, 16<<20))
	if got := Handover(c, before); err != nil || got < 0 || before+got > <-began {
		t.Errorf("a long request was handed over after %d ns, when its peer read already: %v", got, err)
	}
}

func TestAWriteToAPeerThatIsGoneIsAnErrorAndNoSignal(t *testing.T) {
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	peer.(*net.TCPConn).SetLinger(0)
	peer.Close()
	var err error
	for i := 0; err == nil && i < 1000; i++ {
		_, err = c.Write([]byte("x"))
	}
	if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("Write() = %v, want a broken pipe or a reset", err)
	}
	if kind := KindOf(StreamError(err)); kind != record.ErrReset {
		t.Errorf("its kind is %q, want %q", kind, record.ErrReset)
	}
}

func TestADeadlineInterruptsAReadAndLeavesTheConnectionUsable(t *testing.T) {
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	c.SetReadDeadline(time.Now().Add(time.Millisecond))
	buf := make([]byte, 10)
	if _, err := c.Read(buf); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Read() = %v, want a deadline exceeded", err)
	}
	c.SetReadDeadline(time.Time{})
	peer.Write([]byte("abc"))
	if n, err := c.Read(buf); n != 3 || err != nil {
		t.Errorf("Read() = %d, %v after the deadline", n, err)
	}
}

func TestReadingASocketAllocatesNothing(t *testing.T) {
	stamps(t)
	now, fromWall := clock()
	c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	b, buf := []byte("x"), make([]byte, 64)
	if avg := testing.AllocsPerRun(200, func() {
		if _, err := peer.Write(b); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(buf); err != nil {
			t.Fatal(err)
		}
	}); avg != 0 {
		t.Errorf("allocations per read = %v, want 0", avg)
	}
}

func BenchmarkSocketRead(b *testing.B) {
	stamps(b)
	now, fromWall := clock()
	for _, kernel := range []bool{true, false} {
		b.Run(map[bool]string{true: "kernel", false: "user"}[kernel], func(b *testing.B) {
			c, peer := pair(b, &Dialer{Now: now, FromWall: fromWall, Kernel: kernel})
			msg, buf := make([]byte, 250), make([]byte, 4096)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := peer.Write(msg); err != nil {
					b.Fatal(err)
				}
				if _, err := c.Read(buf); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
