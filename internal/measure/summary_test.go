package measure

// The one-pass summary against a second, naive computation over records that
// are drawn at random.

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/internal/record"
	"assay/internal/stats"
)

func walk(list []record.Record) Records {
	return func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for i := range list {
				if !yield(&list[i], nil) {
					return
				}
			}
		}
	}
}

var window = Window{Start: 1e9, End: 11e9}

// draw makes a record of any kind that a run may hold.
func draw(rng *rand.Rand, seq uint64) record.Record {
	r := record.New([]string{"chat", "batch"}[rng.IntN(2)], seq)
	r.Endpoint, r.URL = "chat", []string{"http://a", "http://b"}[rng.IntN(2)]
	r.Turn, r.Streamed = 1+rng.IntN(3), r.Stream == "chat"
	r.Due = int64(rng.Float64() * 11e9)
	r.Free = r.Due
	if r.Due >= window.Start {
		r.Phase = record.Measured
	}
	r.WantInput, r.WantOutput = rng.IntN(20_000), 1+rng.IntN(1500)
	if rng.IntN(30) == 0 { // never released
		return r
	}
	r.Released = r.Due + int64(rng.IntN(1_000_000))
	r.Ready, r.Sent = r.Released, r.Released
	r.Status = []record.Status{record.OK, record.OK, record.OK, record.OK, record.OK, record.Failed, record.Censored, record.Cancelled, record.Local}[rng.IntN(9)]
	tokens := rng.IntN(40)
	if r.Status == record.OK {
		tokens++
	}
	if !r.Streamed {
		tokens = min(tokens, 1)
	}
	at := r.Sent + int64(rng.ExpFloat64()*100e6)
	for range tokens {
		kind := []record.Kind{record.Text, record.Text, record.Reasoning}[rng.IntN(3)]
		r.Events = append(r.Events, record.NewEvent(at, at+1000, kind, 1+rng.IntN(60), true))
		at += int64(rng.ExpFloat64() * 50e6)
	}
	stamped(&r)
	if r.Status != record.Censored {
		r.Ended = at
	}
	switch {
	case r.Status == record.OK:
		r.Output, r.TokenSource = int(delivered(&r)), record.FromUsage
		r.Input, r.InputSource = r.WantInput+rng.IntN(r.WantInput+1)/4, record.FromUsage
		r.Cached, r.ReasoningCount = rng.IntN(9), rng.IntN(5)
	case r.Status == record.Failed:
		r.ErrorKind, r.ErrorMessage = []string{record.ErrReset, record.ErrIdle}[rng.IntN(2)], fmt.Sprint("words ", seq)
	}
	return r
}

func population(seed uint64, n int) []record.Record {
	rng := rand.New(rand.NewPCG(seed, 1))
	var list []record.Record
	for i := range n {
		list = append(list, draw(rng, uint64(i)))
	}
	return list
}

// passes is what a filter means, word by word.
func passes(r *record.Record, pos int, f string) bool {
	input, output := r.Input, r.Output
	if input == record.NoCount {
		input = r.WantInput
	}
	if r.Status != record.OK {
		output = r.WantOutput
	}
	for cond := range strings.SplitSeq(f, ",") {
		var ok bool
		switch cond {
		case "":
			ok = true
		case "stream=chat":
			ok = r.Stream == "chat"
		case "url=http://b":
			ok = r.URL == "http://b"
		case "turn=first":
			ok = r.Turn == 1
		case "turn=later":
			ok = r.Turn > 1
		case "input>4096":
			ok = input > 4096
		case "input<=300":
			ok = input <= 300
		case "output>=77":
			ok = output >= 77
		case "pos>64":
			ok = pos > 64
		case "pos<200":
			ok = pos < 200
		case "pos=5":
			ok = pos == 5
		default:
			panic(cond)
		}
		if !ok {
			return false
		}
	}
	return true
}

// values is what a sample of the metric must hold: the finite values, and how
// many never came.
func naive(list []record.Record, metric, f string, failures Failures) (values []float64, never int64) {
	for i := range list {
		r := &list[i]
		if r.Phase != record.Measured {
			continue
		}
		lost := r.Status == record.Failed || r.Status == record.Censored
		if metric == ITL {
			if r.Streamed && (r.Status == record.OK || lost && failures == AsInfinite) {
				v, n := naiveGaps(r, f, lost)
				values, never = append(values, v...), never+n
			}
			continue
		}
		if !passes(r, 0, f) {
			continue
		}
		m := perRequest[column(metric)]
		switch {
		case lost && failures == AsInfinite:
			never++
		case r.Status == record.OK && (r.Streamed || !m.Streamed):
			if v, ok := m.of(r); ok {
				values = append(values, v)
			}
		}
	}
	return values, never
}

func naiveGaps(r *record.Record, f string, lost bool) (values []float64, owed int64) {
	pos := 1
	for i, e := range r.Events {
		if i > 0 && passes(r, pos, f) {
			values = append(values, float64(e.Arrived-r.Events[i-1].Arrived)/1e6)
		}
		pos += e.Tokens()
	}
	for p := pos; lost && (p <= r.WantOutput || p == pos); p++ {
		if passes(r, p, f) {
			owed++
		}
	}
	return values, owed
}

var filters = []string{
	"", "stream=chat", "url=http://b", "turn=first", "turn=later", "input>4096", "input<=300", "output>=77",
	"stream=chat,turn=first,input>4096", "pos>64", "pos<200", "pos=5", "pos>64,pos<200,stream=chat",
}

func summarize(t *testing.T, list []record.Record) *Summary {
	t.Helper()
	q := Query{Window: window}
	for _, text := range filters {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		q.Asks = append(q.Asks, Ask{Metric: ITL, Filter: f})
	}
	s, err := Summarize(walk(list), q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSamplesHoldWhatASecondReadingOfTheRecordsFinds(t *testing.T) {
	for seed := range uint64(4) {
		list := population(seed, 400)
		s := summarize(t, list)
		for _, text := range filters {
			f, _ := ParseFilter(text)
			for _, m := range []string{"ttft", "ttft_due", "tpot", "latency", "stall", "output_rate", ITL} {
				if f.Positional() && m != ITL {
					continue
				}
				for _, failures := range []Failures{LeftOut, AsInfinite} {
					values, never := naive(list, m, text, failures)
					got := s.Sample(Ask{m, f}, failures, false)
					compare(t, fmt.Sprintf("seed %d, %s[%s], failures %d", seed, m, text, failures), got, values, never)
				}
			}
		}
	}
}

func compare(t *testing.T, name string, got *stats.Sample, values []float64, never int64) {
	t.Helper()
	slices.Sort(values)
	if got.Count() != int64(len(values))+never || got.Infinite() != never {
		t.Errorf("%s: %d values, %d never came; want %d, %d", name, got.Count(), got.Infinite(), int64(len(values))+never, never)
		return
	}
	for i, v := range values {
		if o := got.Order(int64(i + 1)); o != v {
			t.Errorf("%s: order statistic %d is %g, want %g", name, i+1, o, v)
			return
		}
	}
}

func TestANegatedSampleHasTheWorstAtItsUpperEnd(t *testing.T) {
	list := population(7, 300)
	s := summarize(t, list)
	values, never := naive(list, "output_rate", "", AsInfinite)
	for i := range values {
		values[i] = -values[i]
	}
	compare(t, "-output_rate", s.Sample(Ask{Metric: "output_rate"}, AsInfinite, true), values, never)
}

func TestCountsAndRatesAreThoseOfASecondReading(t *testing.T) {
	list := population(11, 500)
	s := summarize(t, list)
	for _, text := range []string{"", "stream=chat", "turn=later", "input>4096"} {
		f, _ := ParseFilter(text)
		var want Counts
		var completions, tokens, prompts, due float64
		for i := range list {
			r := &list[i]
			if !passes(r, 0, text) {
				continue
			}
			in := func(t int64) bool { return t > window.Start && t <= window.End }
			if r.Status == record.OK && in(r.Ended) {
				completions++
				prompts += float64(r.Input)
			}
			for _, e := range r.Events {
				if in(e.Arrived) {
					tokens += float64(e.Tokens())
				}
			}
			if r.Phase != record.Measured {
				continue
			}
			due++
			want.Population++
			if r.Sent != record.None {
				want.Sent++
			}
			switch r.Status {
			case record.OK:
				want.OK++
				want.Good++ // no bounds
			case record.Failed:
				want.Failed++
			case record.Censored:
				want.Censored++
			case record.Cancelled:
				want.Cancelled++
			case record.Local:
				want.Local++
			}
		}
		if got := s.Counts(f); got != want {
			t.Errorf("[%s] Counts = %+v, want %+v", text, got, want)
		}
		for id, w := range map[string]float64{"request_rate": completions / 10, "output_token_rate": tokens / 10, "input_token_rate": prompts / 10, "offered_rate": due / 10} {
			if got := s.Rate(id, f).Point; math.Abs(got-w) > 1e-9*w {
				t.Errorf("[%s] %s = %g, want %g", text, id, got, w)
			}
		}
	}
}

func TestTokenClassesAddUpToAllThatWasSentAndReceived(t *testing.T) {
	list := population(13, 500)
	s := summarize(t, list)
	var sent, received int64
	want := map[string]int64{}
	mismatch := int64(0)
	for i := range list {
		r := &list[i]
		if r.Sent == record.None {
			continue
		}
		in := int64(r.WantInput)
		if r.Status == record.OK {
			in = int64(r.Input)
			if math.Abs(float64(r.Input-r.WantInput)) > 0.1*float64(r.WantInput) {
				mismatch++
			}
		}
		var out int64
		for _, e := range r.Events {
			out += int64(e.Tokens())
		}
		sent, received = sent+in, received+out
		class := r.Phase.String()
		if r.Status == record.Failed || r.Status == record.Censored || r.Status == record.Local {
			class = "discarded"
		}
		want["in "+class] += in
		want["out "+class] += out
	}
	l := s.Tokens
	got := map[string]int64{
		"in warmup": l.Input.Warmup, "in measured": l.Input.Measured, "in discarded": l.Input.Discarded,
		"out warmup": l.Output.Warmup, "out measured": l.Output.Measured, "out discarded": l.Output.Discarded,
	}
	for k, w := range want {
		if got[k] != w {
			t.Errorf("%s = %d, want %d", k, got[k], w)
		}
	}
	if l.Input.Warmup+l.Input.Measured+l.Input.Discarded != sent || l.Output.Warmup+l.Output.Measured+l.Output.Discarded != received {
		t.Errorf("classes %+v do not add up to %d sent, %d received", l, sent, received)
	}
	if l.UsageMismatch != mismatch || l.OutputSource.Name() != "usage" {
		t.Errorf("mismatches %d, source %s; want %d, usage", l.UsageMismatch, l.OutputSource.Name(), mismatch)
	}
}

func TestErrorsCarryTheEarliestExampleWhateverTheOrder(t *testing.T) {
	list := population(17, 300)
	forward := summarize(t, list).Errors
	slices.Reverse(list)
	backward := summarize(t, list).Errors
	if !slices.Equal(forward, backward) || len(forward) < 3 {
		t.Errorf("errors %v, read backwards %v", forward, backward)
	}
	var first *record.Record
	count := int64(0)
	for i := range list {
		if r := &list[i]; r.Phase == record.Measured && r.ErrorKind == record.ErrReset {
			count++
			if first == nil || r.Due < first.Due {
				first = r
			}
		}
	}
	for _, e := range forward {
		if e.Kind == record.ErrReset && (e.Count != count || e.Example != first.ErrorMessage) {
			t.Errorf("%+v, want %d with %q", e, count, first.ErrorMessage)
		}
	}
}

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

func TestDimensionsPartThePopulation(t *testing.T) {
	list := population(19, 500)
	s := summarize(t, list)
	gaps, _ := naive(list, ITL, "", LeftOut)
	seen := 0
	for _, d := range s.Dimensions() {
		var n int64
		for _, p := range d.Parts {
			n += s.Whole(ITL, p.Filter).Count()
		}
		if n != int64(len(gaps)) {
			t.Errorf("%s: its parts hold %d gaps, the whole %d", d.Name, n, len(gaps))
		}
		seen++
	}
	if seen != 7 {
		t.Errorf("%d dimensions, want stream, endpoint, url, turn, input_tokens, output_tokens, position", seen)
	}
}

func TestInFlightIsTheTimeBetweenSentAndEnded(t *testing.T) {
	list := population(23, 300)
	s := summarize(t, list)
	var want float64
	for i := range list {
		r := &list[i]
		if r.Sent == record.None {
			continue
		}
		end := r.Ended
		if end == record.None {
			end = window.End
		}
		want += float64(max(0, min(end, window.End)-max(r.Sent, window.Start))) / 10e9
	}
	if got := s.Flow.Mean(); math.Abs(got-want) > 1e-9*want {
		t.Errorf("mean in flight %g, want %g", got, want)
	}
}
