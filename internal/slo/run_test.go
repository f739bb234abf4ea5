package slo

// Runs made by hand, for the tests of judging.

import (
	"iter"
	"math"
	"testing"

	"assay/internal/measure"
	"assay/internal/record"
)

const second = int64(1e9)

var window = measure.Window{Start: 0, End: 100 * second}

// request is one that was sent at i-th of n instants and answered after ttft ms
// and then tokens at the given gaps (ms).
func request(i, n int, ttft float64, gaps ...float64) record.Record {
	r := record.New("main", uint64(i))
	r.Phase, r.Status, r.Streamed = record.Measured, record.OK, true
	r.Due = int64(float64(i)+0.5) * 100 * second / int64(n)
	r.Free, r.Released, r.Ready, r.Sent = r.Due, r.Due, r.Due, r.Due
	at := float64(r.Sent)/1e6 + ttft
	for j := range len(gaps) + 1 {
		if j > 0 {
			at += gaps[j-1]
		}
		r.Events = append(r.Events, record.NewEvent(int64(math.Round(at*1e6)), int64(math.Round(at*1e6)), record.Text, 1, true))
	}
	r.First, r.FirstOutput, r.Last = r.Events[0].Arrived, r.Events[0].Arrived, r.Events[len(gaps)].Arrived
	r.Ended = r.Last
	r.WantOutput, r.Output, r.TokenSource = len(gaps)+1, len(gaps)+1, record.FromUsage
	return r
}

func lose(r *record.Record, st record.Status) {
	r.Status, r.ErrorKind = st, record.ErrReset
	r.Events, r.First, r.FirstOutput, r.Last, r.Output = nil, record.None, record.None, record.None, record.NoCount
	r.TokenSource = record.NoSource
}

func summary(t *testing.T, list []record.Record, asks ...string) *measure.Summary {
	t.Helper()
	q := measure.Query{Window: window, Streams: []measure.Stream{{Name: "main", Good: []measure.Bound{{Metric: "ttft", Holds: func(v float64) bool { return v < 100 }}}}}}
	for _, text := range asks {
		o, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		q.Asks = append(q.Asks, o.Ask(""))
	}
	s, err := measure.Summarize(func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for i := range list {
				if !yield(&list[i], nil) {
					return
				}
			}
		}
	}, q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func judge(t *testing.T, list []record.Record, text string, facts Facts) Judgement {
	t.Helper()
	o, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	bound, _ := ParseGood("ttft < 100ms")
	facts.Good = []Objective{bound}
	return Judge(o, "", summary(t, list, text), facts)
}

// steady is n requests with a TTFT of 50 ms and ten gaps of 10 ms.
func steady(n int) []record.Record {
	var list []record.Record
	for i := range n {
		list = append(list, request(i, n, 50, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))
	}
	return list
}

// every changes each k-th request.
func every(list []record.Record, k int, change func(*record.Record)) []record.Record {
	for i := range list {
		if i%k == k-1 {
			change(&list[i])
		}
	}
	return list
}

func slow(r *record.Record) {
	for j := range r.Events {
		e := r.Events[j]
		r.Events[j] = record.NewEvent(e.Arrived+second, e.Arrived+second, record.Text, 1, true)
	}
	r.First, r.FirstOutput, r.Last, r.Ended = r.First+second, r.FirstOutput+second, r.Last+second, r.Ended+second
}

func failed(r *record.Record) { lose(r, record.Failed) }
