package arrival

import (
	"slices"
	"testing"

	"assay/internal/unit"
)

func TestOfALongTraceOnlyWhatAScheduleCanUseIsKept(t *testing.T) {
	const s = int64(second)
	var times []int64
	for i := range int64(100) {
		times = append(times, 50*s+i*s)
	}
	upTo := func(n int64) (list []int64) {
		for i := range n {
			list = append(list, i*s)
		}
		return list
	}
	for name, c := range map[string]struct {
		start, end, long int64
		speedup          float64
		requests         int
		want             []int64
	}{
		"a window":                      {long: 10 * s, want: upTo(11)},
		"twice as fast":                 {long: 10 * s, speedup: 2, want: []int64{0, s / 2, s, 3 * s / 2, 2 * s, 5 * s / 2, 3 * s, 7 * s / 2, 4 * s, 9 * s / 2, 5 * s, 11 * s / 2, 6 * s, 13 * s / 2, 7 * s, 15 * s / 2, 8 * s, 17 * s / 2, 9 * s, 19 * s / 2, 10 * s}},
		"from a place on":               {long: 3 * s, start: 90 * s, want: upTo(4)},
		"from between two":              {long: 2 * s, start: 90*s + s/4, want: []int64{3 * s / 4, 7 * s / 4}},
		"to the end":                    {long: 30 * s, start: 95 * s, want: upTo(5)},
		"so many":                       {requests: 3, want: upTo(3)},
		"so many, and a longer warm-up": {long: 5 * s, requests: 3, want: upTo(6)},
		"more than there are":           {requests: 1000, want: upTo(100)},
		"to an end before it":           {long: 50 * s, end: 2 * s, want: upTo(2)},
	} {
		r, err := Handed(times, Spec{Shape: Trace, Handed: true, Parameters: Parameters{Speedup: c.speedup, Start: unit.Duration(c.start), End: unit.Duration(c.end)}}, c.long, c.requests)
		if err != nil || !slices.Equal(r.Times, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, r, err, c.want)
		}
	}
	if _, err := Handed(times, Spec{Shape: Trace, Handed: true, Parameters: Parameters{Start: unit.Duration(100 * s)}}, s, 0); err == nil || err.Error() != "no request between start and end: the last is 99 s after the first" {
		t.Errorf("from behind its end: %v", err)
	}
	if times[0] != 50*s || times[99] != 149*s {
		t.Error("the times were changed")
	}
}
