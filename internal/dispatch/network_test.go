package dispatch

// The round trip of a connection, on its whole way to the numbers that are made of it.

import (
	"bytes"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/columnar"
	"assay/internal/measure"
	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// carried runs a closed loop of three requests against a server that is so far
// away and answers 80 ms after it has the request.
func carried(t *testing.T, up, down, told time.Duration) []record.Record {
	t.Helper()
	oneWay := func(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }
	n := newNetwork(t, memwire.Link{Up: oneWay(up), Down: oneWay(down), RTT: told}, answer(80*time.Millisecond, 10*time.Millisecond, 4))
	s := n.stream()
	s.Concurrency, s.Requests = 1, 3
	records, err := n.run(t.Context(), 0, 1, int64(time.Minute), nil, s)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v; want 3", len(records), err)
	}
	return records
}

// through writes the records to a file of columns and reads them back.
func through(t *testing.T, records []record.Record) measure.Records {
	t.Helper()
	var file bytes.Buffer
	err := columnar.Write(&file, func(yield func(*record.Record, error) bool) {
		for i := range records {
			if !yield(&records[i], nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() iter.Seq2[*record.Record, error] {
		return columnar.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	}
}

func TestTheRoundTripTravelsFromTheConnectionToTheAdjustedTimes(t *testing.T) {
	const up, down = 12 * time.Millisecond, 8 * time.Millisecond
	for _, c := range []struct {
		name string
		told time.Duration
		want map[string]float64 // ms; what is not in it does not exist
	}{
		// Written at 0, there at 12, answered 80 later, back 8 later; three gaps of 10.
		{"a kernel that tells", up + down, map[string]float64{
			"ttft": 100, "latency": 130, "rtt": 20, "ttft_adjusted": 80, "latency_adjusted": 110,
		}},
		{"a kernel that does not", 0, map[string]float64{"ttft": 100, "latency": 130}},
	} {
		var records []record.Record
		// The file is written outside: its compressor keeps goroutines of its own.
		synctest.Test(t, func(t *testing.T) { records = carried(t, up, down, c.told) })
		s, err := measure.Summarize(through(t, records), measure.Query{Window: measure.Window{Start: 0, End: int64(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range []string{"ttft", "latency", "rtt", "ttft_adjusted", "latency_adjusted"} {
			sample := s.Whole(metric, measure.Filter{})
			want, has := c.want[metric]
			if !has {
				if sample.Count() != 0 {
					t.Errorf("%s: %s has %d values, want none", c.name, metric, sample.Count())
				}
				continue
			}
			if sample.Count() != 3 || sample.Min() != want || sample.Max() != want {
				t.Errorf("%s: %d values of %s from %g to %g, want 3 of %g", c.name, sample.Count(), metric, sample.Min(), sample.Max(), want)
			}
		}
	}
}

func TestARequestWithoutAnAnswerHasNoRoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{RTT: time.Millisecond}, nil)
		n.listener.Close() // refuses
		s := n.stream()
		s.Concurrency, s.Requests = 1, 2
		records, err := n.run(t.Context(), 0, 1, int64(time.Minute), nil, s)
		if err != nil || len(records) == 0 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		if slices.ContainsFunc(records, func(r record.Record) bool { return r.RTT != record.None || r.Status != record.Failed }) {
			t.Errorf("%+v", records)
		}
	})
}
