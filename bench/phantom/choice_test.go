package main

import (
	"errors"
	"testing"
)

func TestTheServersCeilingLeavesTheMachineTheShareThatItShould(t *testing.T) {
	for _, c := range []struct {
		why   string
		found capacity
		share float64
		want  int
	}{
		// 500/s take 1 core, so 0.8 of 2 cores carry 800/s: 160 users of 200 ms.
		{"two cores", capacity{rate: 500, used: 1, cores: 2}, 0.8, 160},
		{"a lower share", capacity{rate: 500, used: 1, cores: 2}, 0.75, 150},
		// 64 cores could carry fifty times as much: twice is enough of a story.
		{"many cores", capacity{rate: 500, used: 1, cores: 64}, 0.8, 200},
		{"a part of a user", capacity{rate: 504, used: 1, cores: 2}, 0.8, 161}, // 161.28
	} {
		if got, err := choose(c.found, c.share); err != nil || got != c.want {
			t.Errorf("%s: choose(%+v, %g) = %d, %v; want %d", c.why, c.found, c.share, got, err, c.want)
		}
	}
}

func TestWithoutRoomForADifferenceNoneIsShown(t *testing.T) {
	// The one process and the server fill 1.55 of 2 cores: 0.8 of them are 1.6, 3 % more.
	if users, err := choose(capacity{rate: 600, used: 1.55, cores: 2}, 0.8); !errors.Is(err, errNoRoom) {
		t.Errorf("choose = %d, %v; want errNoRoom", users, err)
	}
}

func TestServersAreCountedWhole(t *testing.T) {
	for _, c := range []struct {
		phantom, real float64
		asked         int
		yearly        float64
	}{
		{100, 150, 15, 5 * 2 * 8760},
		{700, 790, 12, 2 * 2 * 8760}, // 11.29 servers
		{100, 100, 10, 0},
	} {
		got := planned(c.phantom, c.real, price{2, "USD"})
		want := plan{demand: 10 * c.real, needed: 10, asked: c.asked, yearly: c.yearly}
		if got != want {
			t.Errorf("planned(%g, %g) = %+v, want %+v", c.phantom, c.real, got, want)
		}
	}
}
