package measure

// Records drawn at random, and what they say, read a second, naive way.

import (
	"fmt"
	"iter"
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

func compare(t *testing.T, name string, got *stats.Sample, values []float64, never int64) {
	t.Helper()
	slices.Sort(values)
	if got.Count() != int64(len(values))+never || got.Infinite() != never {
		t.Errorf("%s: %d values, %d never came; want %d, %d", name, got.Count(), got.Infinite(), int64(len(values))+never, never)
		return
	}
	for i, v := range values {
		if i%5 > 0 && i > 20 && i < len(values)-20 {
			continue // each order statistic costs a search
		}
		if o := got.Order(int64(i + 1)); o != v {
			t.Errorf("%s: order statistic %d is %g, want %g", name, i+1, o, v)
			return
		}
	}
}
