package measure

// Lengths asked for against lengths told, against a second reading of the same
// records and cases by hand.

import (
	"math"
	"slices"
	"testing"

	"assay/internal/record"
)

func TestALengthIsMissedBeyondATwentiethOrFiftyTokens(t *testing.T) {
	for _, c := range []struct {
		asked, seen       int
		exact, less, more int64
	}{
		{100, 100, 1, 0, 0},
		{100, 95, 0, 0, 0}, {100, 94, 0, 1, 0}, {100, 105, 0, 0, 0}, {100, 106, 0, 0, 1},
		{2000, 1950, 0, 0, 0}, {2000, 1949, 0, 1, 0}, {2000, 2050, 0, 0, 0}, {2000, 2051, 0, 0, 1},
		{10, 9, 0, 1, 0}, // a twentieth of ten is less than a token
		{20, 19, 0, 0, 0},
		{5, 0, 0, 1, 0},
	} {
		var got Told
		got.add(c.asked, c.seen)
		if got.Exact != c.exact || got.Less != c.less || got.More != c.more {
			t.Errorf("asked %d, told %d: exact %d, less %d, more %d, want %d, %d, %d", c.asked, c.seen, got.Exact, got.Less, got.More, c.exact, c.less, c.more)
		}
	}
}

func TestWhatWasNotAskedOrNotToldIsNoLength(t *testing.T) {
	var l Lengths
	for _, change := range []func(*record.Record){
		func(r *record.Record) { r.Status = record.Failed },
		func(r *record.Record) { r.InputSource, r.TokenSource = record.FromTokenizer, record.FromEvents },
		func(r *record.Record) { r.WantInput, r.WantOutput = record.NoCount, 0 },
	} {
		r := record.New("main", 0)
		r.Status, r.WantInput, r.WantOutput, r.Input, r.Output = record.OK, 5, 6, 5, 6
		r.InputSource, r.TokenSource = record.FromUsage, record.FromUsage
		change(&r)
		l.add(&r)
	}
	if n := l.Input.Seen.Count() + l.Output.Asked.Count(); n != 0 {
		t.Errorf("%d lengths, want none", n)
	}
}

func TestLengthsAreThoseThatASecondReadingFinds(t *testing.T) {
	list := population(23, 700)
	s := summarize(t, list)
	var asked, seen []int
	var exact int64
	for i := range list {
		r := &list[i]
		if r.Phase != record.Measured || r.Status != record.OK || r.TokenSource != record.FromUsage {
			continue
		}
		asked, seen = append(asked, r.WantOutput), append(seen, r.Output)
		if r.WantOutput == r.Output {
			exact++
		}
	}
	if len(seen) < 100 {
		t.Fatalf("%d requests: the population says nothing", len(seen))
	}
	for what, c := range map[string]struct {
		got  *TokenCounts
		want []int
	}{"asked": {&s.Lengths.Output.Asked, asked}, "seen": {&s.Lengths.Output.Seen, seen}} {
		slices.Sort(c.want)
		sum := 0.0
		for _, n := range c.want {
			sum += float64(n)
		}
		n := len(c.want)
		if c.got.Count() != int64(n) || math.Abs(c.got.Mean()-sum/float64(n)) > 1e-9*sum {
			t.Errorf("%s: %d of mean %g, want %d of %g", what, c.got.Count(), c.got.Mean(), n, sum/float64(n))
		}
		for _, q := range []float64{0.5, 0.99} {
			if got, want := c.got.Percentile(q), c.want[int(math.Ceil(q*float64(n)))-1]; got != want {
				t.Errorf("%s: quantile %g is %d, want %d", what, q, got, want)
			}
		}
	}
	if s.Lengths.Output.Exact != exact {
		t.Errorf("%d exact, want %d", s.Lengths.Output.Exact, exact)
	}
}
