package wire

import (
	"net"
	"testing"

	"assay/internal/record"
)

// watched is a hole whose socket is a standing connection: that the kernel can
// be asked, and what it would say stands in the count.
func watched(t *testing.T) *hole {
	t.Helper()
	now, fromWall := clock()
	c, _ := pair(t, &Dialer{Now: now, FromWall: fromWall, Kernel: true})
	raw, err := c.(*socket).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	h := &hole{filled: record.None}
	h.on(raw)
	return h
}

func TestBytesBehindALostSegmentWereNotReadLate(t *testing.T) {
	const ms = int64(1e6)
	h := watched(t)
	h.look = func(uintptr) {} // the count is set below
	for _, step := range []struct {
		what     string
		count    uint32
		at, read int64
		want     bool
	}{
		{"a prompt read", 3, 10 * ms, 10*ms + 900_000, false},
		{"a late read after segments out of order", 3, 20 * ms, 220 * ms, true},
		{"the rest of what had arrived meanwhile", 3, 215 * ms, 221 * ms, true},
		{"another late read, without new ones", 3, 230 * ms, 240 * ms, false},
		{"and again with some", 4, 250 * ms, 260 * ms, true},
	} {
		h.count = step.count
		if got := h.held(step.at, step.read); got != step.want {
			t.Errorf("%s: held = %t, want %t", step.what, got, step.want)
		}
	}
}

func TestAConnectionWithoutLossExcusesNoLateRead(t *testing.T) {
	h := watched(t)
	if h.held(10, 10+2*lateRead) {
		t.Error("a late read is excused")
	}
	h.count = 7 // as if the kernel had never been asked
	if err := h.raw.Control(h.look); err != nil {
		t.Fatal(err)
	}
	if h.count != 0 {
		t.Errorf("%d segments out of order on a loopback", h.count)
	}
}
