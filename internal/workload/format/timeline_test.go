package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clocked is a trace of these times, in ms; line n has the length n.
func clocked(times ...int) string {
	var b strings.Builder
	for i, at := range times {
		fmt.Fprintf(&b, `{"timestamp": %d, "input_length": %d}`+"\n", at, i+1)
	}
	return b.String()
}

func TestTimesAreKeptAsFarAsTheyAreAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		times []int
		reach int64
		want  []int64 // ms
		order []int   // lines
	}{
		"all":                             {[]int{10, 20, 30}, 0, []int64{10, 20, 30}, []int{1, 2, 3}},
		"a stretch":                       {[]int{10, 20, 30, 40}, 15 * ms, []int64{10, 20}, []int{1, 2, 3, 4}},
		"the first at least":              {[]int{10, 20, 30}, 1, []int64{10}, []int{1, 2, 3}},
		"out of order in the stretch":     {[]int{20, 10, 30, 90, 95}, 15 * ms, []int64{10, 20, 30}, []int{2, 1, 3, 4, 5}},
		"one that comes late is not lost": {[]int{10, 20, 90, 15, 95}, 12 * ms, []int64{10, 15, 20, 90, 95}, []int{1, 4, 2, 3, 5}},
		"late behind the stretch as well": {[]int{10, 20, 90, 80}, 12 * ms, []int64{10, 20, 80, 90}, []int{1, 2, 4, 3}},
	} {
		f, err := Open(holding(clocked(c.times...)), "f", Options{Reach: c.reach})
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for u := range f.Units {
			e, err := f.Entry(f.Turns(u)[0])
			if err != nil {
				t.Fatal(err)
			}
			order = append(order, e.Line)
		}
		for i := range f.Times {
			f.Times[i] /= ms
		}
		if !cmp.Equal(f.Times, c.want) || !cmp.Equal(order, c.order) {
			t.Errorf("%s: times %v of lines %v, want %v of %v", name, f.Times, order, c.want, c.order)
		}
	}
}

func TestASurveyNeedsNoTimesToTellHowLongAFileIs(t *testing.T) {
	for _, content := range []string{clocked(1000, 2000, 2500, 3000), clocked(2000, 1000, 3000, 2500)} {
		s, err := Inspect(holding(content), "f", Options{}, countWords)
		if err != nil || *s.Duration != 2 || *s.Rate != 1.5 {
			t.Errorf("%v s, %v/s, %v, want 2 and 1.5", *s.Duration, *s.Rate, err)
		}
	}
	s, err := Inspect(holding(clocked(1000, 2000)+`{"input_length": 5}`), "f", Options{}, countWords)
	if err != nil || s.Duration != nil {
		t.Errorf("of a part of the requests: %v, %v", s.Duration, err)
	}
}
