// This file tests what the kernel tells of real sockets, and how it is read.

package wire

import (
	"net"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"assay/internal/record"
)

// told asks a connection for its path.
func told(t testing.TB, c net.Conn) (Path, bool) {
	t.Helper()
	p, ok := c.(interface{ Path() (Path, bool) })
	if !ok {
		t.Fatalf("%T can't be asked for its path", c)
	}
	return p.Path()
}

func TestAConnectionTellsItsRoundTripWhateverItsClock(t *testing.T) {
	for _, kernel := range []bool{true, false} {
		now, fromWall := clock()
		c, peer := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: kernel})
		before := now()
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		var b [1]byte
		if _, err := peer.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		path, ok := told(t, c)
		// The handshake alone took one round trip, before the clock's look.
		if !ok || path.RTT <= 0 || path.RTT >= int64(time.Second) || path.Retransmits != 0 {
			t.Errorf("kernel stamps %v: Path() = %+v, %v", kernel, path, ok)
		}
		t.Logf("kernel stamps %v: a round trip of %v, one way as a program sees it %v",
			kernel, time.Duration(path.RTT), time.Duration(now()-before))
		if n := testing.AllocsPerRun(100, func() { told(t, c) }); n != 0 {
			t.Errorf("kernel stamps %v: asking allocates %v times", kernel, n)
		}
		c.Close()
		if path, ok := told(t, c); ok {
			t.Errorf("kernel stamps %v: a closed connection tells %+v", kernel, path)
		}
	}
}

func TestWhatIsNoSocketTellsNoPath(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	d := &Dialer{Now: func() int64 { return 0 }, Kernel: true}
	if path, ok := told(t, d.wrap(a, 0)); ok {
		t.Errorf("a pipe tells %+v", path)
	}
}

func TestTheSmallestRoundTripIsTakenOrTheSmoothedOneWhereThereIsNone(t *testing.T) {
	whole := unsafe.Sizeof(unix.TCPInfo{})
	for _, c := range []struct {
		name       string
		least, rtt uint32
		size       uintptr
		want       int64
	}{
		{"both", 80, 120, whole, 80_000},
		{"as far as the smallest", 80, 120, 152, 80_000}, // the kernel's include/uapi/linux/tcp.h: tcpi_min_rtt is bytes 148 to 151
		{"an older kernel's answer", 80, 120, 148, 120_000},
		{"no smallest yet", 1<<32 - 1, 120, whole, 120_000},
		{"a kernel that leaves it 0", 0, 120, whole, 120_000},
		{"nothing measured", 0, 0, whole, record.None},
		{"beyond 32 bits of nanoseconds", 5_000_000, 6_000_000, whole, 5_000_000_000},
	} {
		got := pathOf(&unix.TCPInfo{Min_rtt: c.least, Rtt: c.rtt, Total_retrans: 3, Retrans: 1, Retransmits: 2}, c.size)
		if want := (Path{RTT: c.want, Retransmits: 3}); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

func BenchmarkPath(b *testing.B) {
	now, fromWall := clock()
	c, _ := pair(b, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	b.ReportAllocs()
	for b.Loop() {
		told(b, c)
	}
}
