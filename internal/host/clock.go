// Two clocks and the bridge between them: the monotonic clock that every
// stamp counts on, and the wall clock in which the kernel stamps packets.
package host

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"assay/internal/observation"
)

// A Clock tells the time in ns since an epoch on the monotonic clock.
type Clock struct {
	epoch  int64
	ticks  ticks
	offset atomic.Int64 // wall − monotonic, in use by FromWall

	mu    sync.Mutex // guards the fields below: Sample against itself
	taken int64      // when the offset in use was sampled
	width int64      // its bracket
}

// NewClock returns a clock that counts from epoch, an instant of Monotonic.
// It takes a first sample of the wall clock, so FromWall works at once.
func NewClock(epoch int64) *Clock {
	c := &Clock{epoch: epoch, ticks: newTicks(), width: math.MaxInt64}
	c.Sample()
	return c
}

// Now is the time since the epoch. It costs some tens of ns: no system call
// where the system has none.
func (c *Clock) Now() int64 { return c.ticks.monotonic() - c.epoch }

// FromWall brings a stamp of the wall clock (ns since 1970) to this clock.
func (c *Clock) FromWall(wall int64) int64 { return wall - c.offset.Load() }

const (
	// sampleTries is how often one sample looks at the two clocks; the
	// narrowest look counts, the others were interrupted.
	sampleTries = 16
	// maxSlew is how fast the clocks may drift apart before it is called a
	// step: 500 ppm is what adjtimex allows.
	maxSlew = 500e-6
)

// Sample looks at both clocks and returns what it saw. The offset that
// FromWall uses is replaced unless the new one is much wider and agrees with
// it: on Linux both clocks are slewed alike, so a narrow old look is better
// than a wide new one.
func (c *Clock) Sample() observation.ClockOffset {
	s := observation.ClockOffset{Width: math.MaxInt64}
	for range sampleTries {
		before := c.Now()
		wall := time.Now().UnixNano()
		after := c.Now()
		if w := after - before; w < s.Width {
			s.Width, s.Offset = w, wall-(before+w/2)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.adopt(&s, c.Now())
	return s
}

// adopt decides whether s, taken at now, replaces the offset in use, and
// fills in its step.
func (c *Clock) adopt(s *observation.ClockOffset, now int64) {
	if c.width == math.MaxInt64 { // the first
		c.use(s, now)
		return
	}
	off := s.Offset - c.offset.Load()
	brackets := s.Width/2 + c.width/2
	if abs(off) > brackets+int64(maxSlew*float64(now-c.taken)) {
		s.Step = off
	}
	if abs(off) > brackets || s.Width <= 2*c.width {
		c.use(s, now)
	}
}

func (c *Clock) use(s *observation.ClockOffset, now int64) {
	c.offset.Store(s.Offset)
	c.width, c.taken = s.Width, now
}

func abs(v int64) int64 { return max(v, -v) }
