package host

import (
	"testing"
	"time"

	"assay/internal/observation"
)

func TestClockCountsFromTheEpochOfTheMachine(t *testing.T) {
	// The independent reading is the system call; the clock must lie between
	// two of them, up to the pairing of the clocks.
	epoch := Monotonic() - 5_000_000_000
	c := NewClock(epoch)
	const pairing = 20_000
	for range 1000 {
		before := Monotonic() - epoch
		got := c.Now()
		after := Monotonic() - epoch
		if got < before-pairing || got > after+pairing {
			t.Fatalf("Now() = %d, want in [%d, %d]", got, before, after)
		}
	}
}

func TestTwoClocksWithOneEpochAgree(t *testing.T) {
	epoch := Monotonic()
	a, b := NewClock(epoch), NewClock(epoch)
	best := int64(1 << 62)
	for range 1000 {
		x, y, z := a.Now(), b.Now(), a.Now()
		best = min(best, max(x-y, y-z, 0))
	}
	if best > 20_000 {
		t.Errorf("clocks differ by %d ns at least", best)
	}
}

func TestFromWallMeetsTheClock(t *testing.T) {
	c := NewClock(Monotonic())
	s := c.Sample()
	best := int64(1 << 62)
	for range 100 {
		before := c.Now()
		at := c.FromWall(time.Now().UnixNano())
		after := c.Now()
		best = min(best, max(before-at, at-after, 0))
	}
	if best > s.Width+20_000 {
		t.Errorf("FromWall lies %d ns outside its bracket of %d", best, s.Width)
	}
}

func TestAStepOfTheWallClockIsReportedAndFollowed(t *testing.T) {
	c := &Clock{width: 100, taken: 0}
	c.offset.Store(1_000_000)
	s := observation.ClockOffset{Offset: 1_000_000 + 3_000_000_000, Width: 200}
	c.adopt(&s, 1e9)
	if s.Step != 3_000_000_000 {
		t.Errorf("Step = %d, want 3 s", s.Step)
	}
	if got := c.FromWall(5_003_000_000); got != 2_002_000_000 {
		t.Errorf("FromWall after the step = %d, want 2002000000", got)
	}
}

func TestDriftWithinTheSlewIsFollowedAndNoStep(t *testing.T) {
	c := &Clock{width: 100, taken: 0}
	c.offset.Store(1_000_000)
	s := observation.ClockOffset{Offset: 1_000_000 + 400_000, Width: 100} // 400 µs in 1 s
	c.adopt(&s, 1e9)
	if s.Step != 0 {
		t.Errorf("Step = %d, want none", s.Step)
	}
	if got := c.offset.Load(); got != 1_400_000 {
		t.Errorf("offset = %d, want the new one", got)
	}
}

func TestAWideSampleDoesNotReplaceANarrowOneItAgreesWith(t *testing.T) {
	c := &Clock{width: 100, taken: 0}
	c.offset.Store(1_000_000)
	s := observation.ClockOffset{Offset: 1_000_400, Width: 1000}
	c.adopt(&s, 1e9)
	if got := c.offset.Load(); got != 1_000_000 {
		t.Errorf("offset = %d, want the old one", got)
	}
}
