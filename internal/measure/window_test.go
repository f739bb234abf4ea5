package measure

// Windows, good requests and tokens in time, by hand.

import (
	"math"
	"slices"
	"testing"

	"assay/internal/record"
)

func TestAUsageThatSaysMoreThanTheEventsIsSpreadOverThem(t *testing.T) {
	r := *rival() // 33 events; the last 16 arrive after 1200 ms
	r.Output = 198
	r.Ended = 2121 * ms1
	s, err := Summarize(walk([]record.Record{r}), Query{Window: Window{0, 1200 * ms1}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Rate("output_token_rate", Filter{}).Point, 17*6/1.2; math.Abs(got-want) > 1e-9 {
		t.Errorf("output_token_rate = %g, want %g: events at 200, 260, … 1160", got, want)
	}
	if got := s.Rate("request_rate", Filter{}).Point; got != 0 {
		t.Errorf("request_rate = %g: it ended after the window", got)
	}
}

func TestGoodRequestsKeepEveryBound(t *testing.T) {
	short := *rival()
	short.Events = short.Events[:1]
	stamped(&short)
	short.Output = 3
	silent := *rival()
	silent.Events = slices.Clone(silent.Events)
	for i := range silent.Events {
		silent.Events[i] = event(float64(200+60*i), 3, record.Reasoning)
	}
	stamped(&silent)
	failed := *rival()
	failed.Status = record.Failed
	below := func(b float64) func(float64) bool { return func(v float64) bool { return v < b } }
	for _, c := range []struct {
		name   string
		r      record.Record
		bounds []Bound
		want   int64
	}{
		{"all kept", *rival(), []Bound{{"ttft", below(201)}, {"tpot", below(21)}}, 1},
		{"one broken", *rival(), []Bound{{"ttft", below(201)}, {"tpot", below(20)}}, 0},
		{"a reply without a gap has no pace to break", short, []Bound{{"ttft", below(201)}, {"tpot", below(1)}}, 1},
		{"an answer that never came breaks its bound", silent, []Bound{{"ttfo", below(1e9)}}, 0},
		{"a failure is never good", failed, nil, 0},
	} {
		s, err := Summarize(walk([]record.Record{c.r}), Query{Window: Window{0, 3e9}, Streams: []Stream{{Name: "main", Good: c.bounds}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Counts(Filter{}).Good; got != c.want {
			t.Errorf("%s: %d good, want %d", c.name, got, c.want)
		}
		if got := s.NotGood(Filter{}).Mean(); got != float64(1-c.want) {
			t.Errorf("%s: share not good %g", c.name, got)
		}
	}
}

func TestTheWindowOfANumberOfRequestsIsFoundInTheRecords(t *testing.T) {
	var list []record.Record
	for i := range int64(5) {
		r := record.New("main", uint64(i))
		r.Phase, r.Due, r.Free = record.Measured, 100+i*i*10, 100+i*i*10
		r.Ended = 1000 - i*100
		list = append(list, r)
	}
	before := record.New("main", 99)
	before.Due, before.Free, before.Ended = 0, 0, 5000 // of the warm-up
	list = append(list, before)
	open, err := WindowOf(walk(list), true)
	if want := (Window{100, 260 + 160/4}); err != nil || open != want {
		t.Errorf("open loop: %v, %v; want %v: one mean gap beyond the last due", open, err, want)
	}
	closed, err := WindowOf(walk(list), false)
	if want := (Window{100, 1000}); err != nil || closed != want {
		t.Errorf("closed loop: %v, %v; want %v: to the last ended", closed, err, want)
	}
	if none, err := WindowOf(walk(nil), true); err != nil || none != (Window{}) {
		t.Errorf("no records: %v, %v", none, err)
	}
}
