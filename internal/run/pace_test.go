package run

import (
	"math"
	"testing"
	"time"

	"assay/internal/contract"
	"assay/internal/dispatch"
)

// streamWith is the stream of a contract with this traffic.
func streamWith(t *testing.T, traffic string) *contract.Stream {
	t.Helper()
	c, err := contract.Load("c.yaml", []byte("target: {simulate: fixed}\ntraffic: "+traffic+"\n"))
	if err == nil {
		err = c.Resolve()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &c.Streams[0]
}

func TestSlotsOfARampOpenAtEqualDistances(t *testing.T) {
	p := paceOf(streamWith(t, "{concurrency: 4, ramp: 2s}"), 1)
	for slot, want := range []int64{0, 5e8, 1e9, 15e8} {
		if got := p.Opens(slot); got != want {
			t.Errorf("slot %d opens at %d, want %d", slot, got, want)
		}
	}
	if p.Own || p.Pause != nil {
		t.Error("a ramp makes no users")
	}
	if p := paceOf(streamWith(t, "{concurrency: 4}"), 1); p.Opens != nil || p.Pause != nil || p.Own {
		t.Error("slots without pace have one")
	}
}

// Users whose replies take no time send a process of rate users ÷ think from
// the very first second on: no crowd at the start and no hole. 20,000 users
// who think 10 s: each of the first 20 seconds brings 2,000 requests, give or
// take 5 standard deviations of a binomial count (41 each: error probability
// 20 · 6e-7 = 1.2e-5 for any seed; the seed is fixed, and was not chosen).
func TestUsersAreInTheirSteadyStateFromTheFirstSecond(t *testing.T) {
	const users, seconds = 20_000, 20
	for _, law := range []string{"10s", "uniform(5s, 15s)", "normal(10s, 2s)", "lognormal(10s, 10s)", "exponential(10s)"} {
		s := streamWith(t, "{users: 20000, think: '"+law+"'}")
		p := paceOf(s, 1)
		var counts [seconds]int
		for u := range users {
			at := p.Opens(u)
			for k := uint64(1); at < seconds*int64(time.Second); k++ {
				counts[at/int64(time.Second)]++
				at += p.Pause(k*users + uint64(u))
			}
		}
		for i, n := range counts {
			if math.Abs(float64(n)-users/10) > 5*45 { // 45: of a count that two draws of a user may enter
				t.Errorf("think %s: second %d has %d requests, want about %d", law, i, n, users/10)
			}
		}
	}
}

func TestPausesAreThoseOfTheSeedAndOfTheStream(t *testing.T) {
	s := streamWith(t, "{users: 3, think: exponential(5s)}")
	a, again, other := paceOf(s, 1), paceOf(s, 1), paceOf(s, 2)
	renamed := *s
	renamed.Name = "other"
	elsewhere := paceOf(&renamed, 1)
	for n := range uint64(20) {
		if a.Pause(n) != again.Pause(n) || a.Opens(int(n)) != again.Opens(int(n)) {
			t.Errorf("pause %d is drawn anew", n)
		}
		if a.Pause(n) == other.Pause(n) || a.Pause(n) == elsewhere.Pause(n) {
			t.Errorf("pause %d is the same for another seed or stream", n)
		}
		if a.Pause(n) == a.Pause(n+1) || n > 0 && a.Pause(n) == a.Opens(int(n)) {
			t.Errorf("pause %d is that of another number", n)
		}
	}
}

// 100,000 requests at 5 %: 5,000 are given up, within 5 standard deviations
// of 69 (6e-7). Seed 1.
func TestAsManyClientsHangUpAsTheContractSays(t *testing.T) {
	s := streamWith(t, "{rate: 1/s, cancel: {fraction: 5%, after: 2s}}")
	cancel, again := cancelOf(s, 1), cancelOf(s, 1)
	n, pairs, last := 0, 0, false
	for seq := range uint64(100_000) {
		c := cancel(seq)
		if c != again(seq) {
			t.Fatalf("request %d is drawn anew", seq)
		}
		given := c != dispatch.Cancel{}
		if given {
			n++
			if c.After != 2e9 || c.Tokens != 0 {
				t.Fatalf("request %d is given up at %+v, want after 2 s", seq, c)
			}
			if last {
				pairs++
			}
		}
		last = given
	}
	if n < 5000-345 || n > 5000+345 {
		t.Errorf("%d of 100000 hang up, want about 5000", n)
	}
	if pairs < 250-80 || pairs > 250+80 { // 5 % of those after one that hung up: sd 16
		t.Errorf("%d hang up right after another, want about 250", pairs)
	}
	if c := cancelOf(streamWith(t, "{rate: 1/s, cancel: {fraction: 100%, after_tokens: 20}}"), 1)(7); c != (dispatch.Cancel{Tokens: 20}) {
		t.Errorf("%+v, want after 20 tokens", c)
	}
	if cancelOf(streamWith(t, "{rate: 1/s}"), 1) != nil {
		t.Error("without cancel clients hang up")
	}
}
