package host

import (
	"context"
	"errors"
	"testing"
	"time"
)

func newSleeper(t *testing.T) (*Sleeper, *Clock) {
	t.Helper()
	c := NewClock(Monotonic())
	s, err := NewSleeper(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, c
}

func TestASleeperNeverWakesEarly(t *testing.T) {
	s, c := newSleeper(t)
	var slept int
	for i := range int64(200) {
		at := c.Now() + i*3_000 // up to 0.6 ms ahead
		if c.Now() < at {
			slept++
		}
		if err := s.Until(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if now := c.Now(); now < at {
			t.Fatalf("woke %d ns early", at-now)
		}
	}
	if slept < 100 {
		t.Errorf("only %d of 200 sleeps were sleeps", slept)
	}
}

func TestAnInstantThatHasPassedIsNotSleptFor(t *testing.T) {
	s, c := newSleeper(t)
	for _, at := range []int64{c.Now(), 0, -1 << 62} {
		if err := s.Until(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACancelledSleepEndsAndTheNextOneWorks(t *testing.T) {
	s, c := newSleeper(t)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Until(ctx, c.Now()+int64(time.Hour)) }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("Until = %v, want context.Canceled", err)
		}
		at := c.Now() + 200_000
		if err := s.Until(t.Context(), at); err != nil {
			t.Fatalf("sleep after a cancelled one: %v", err)
		}
		if now := c.Now(); now < at {
			t.Fatalf("woke %d ns early after a cancelled sleep", at-now)
		}
	}
}

func TestASleepUnderACancelledContextDoesNotBegin(t *testing.T) {
	s, c := newSleeper(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Until(ctx, c.Now()+int64(time.Hour)); !errors.Is(err, context.Canceled) {
		t.Fatalf("Until = %v, want context.Canceled", err)
	}
}

func BenchmarkClockNow(b *testing.B) {
	c := NewClock(Monotonic())
	for b.Loop() {
		c.Now()
	}
}
