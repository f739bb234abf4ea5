package measure

import (
	"iter"
	"slices"
	"testing"

	"assay/internal/record"
)

// turn is a record of a session: sent and ended in ms, tokens in and out.
func turn(session uint64, i, turns, depth int, sent, last int64, in, out int) record.Record {
	r := record.New("main", record.SeqOf(session, i))
	r.Session, r.Turns, r.Turn = "s", turns, depth
	r.Phase, r.Status, r.Streamed = record.Measured, record.OK, true
	r.Release = record.Turn
	if depth == 1 {
		r.Release = record.AtDue
	}
	r.Due, r.Free, r.Released, r.Ready, r.Sent = sent*1e6, sent*1e6, sent*1e6, sent*1e6, sent*1e6
	r.Events = []record.Event{record.NewEvent(last*1e6, last*1e6, record.Text, out, true)}
	r.First, r.FirstOutput, r.Last, r.Ended = last*1e6, last*1e6, last*1e6, last*1e6+5
	r.Input, r.Output, r.InputSource, r.TokenSource = in, out, record.FromUsage, record.FromUsage
	return r
}

func summarized(t *testing.T, records ...record.Record) *Summary {
	t.Helper()
	s, err := Summarize(func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for i := range records {
				if !yield(&records[i], nil) {
					return
				}
			}
		}
	}, Query{Window: Window{Start: 0, End: 1e9}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASessionLastsFromItsFirstRequestToItsLastAnswer(t *testing.T) {
	// 0–100; then side by side 150–300 and 160–200; then the verifier 300–340.
	records := []record.Record{
		turn(4, 0, 4, 1, 10, 100, 50, 10),
		turn(4, 1, 4, 2, 150, 300, 60, 20),
		turn(4, 2, 4, 2, 160, 200, 70, 30),
		turn(4, 3, 4, 3, 300, 340, 100, 60),
	}
	records[3].Role = Verifier
	slices.Reverse(records) // they come in any order
	s := summarized(t, records...)
	got := s.Sessions("main")
	if got.Begun != 1 || got.Complete != 1 || got.Broken != 0 {
		t.Fatalf("%+v", got)
	}
	for name, c := range map[string]struct {
		got  []float64
		want float64
	}{
		"latency": {got.Latency, 330}, "served": {got.Served, 90 + 150 + 40}, "calls": {got.Calls, 4},
		"input": {got.Input, 280}, "output": {got.Output, 120}, "verifier share": {got.VerifierShare, 0.4},
	} {
		if len(c.got) != 1 || c.got[0] != c.want {
			t.Errorf("%s %v, want %v", name, c.got, c.want)
		}
	}
	if l := s.Tokens; l.VerifierInput != 100 || l.VerifierOutput != 60 {
		t.Errorf("the ledger has %d and %d tokens of verifiers, want 100 and 60", l.VerifierInput, l.VerifierOutput)
	}
}

func TestASessionIsCompleteWhenAllOfItsTurnsSucceeded(t *testing.T) {
	failed := turn(1, 1, 3, 2, 200, 300, 1, 1)
	failed.Status, failed.ErrorKind = record.Failed, record.ErrTimeout
	before := turn(4, 0, 2, 1, 0, 5, 1, 1)
	before.Phase = record.Warmup
	s := summarized(t,
		turn(0, 0, 2, 1, 0, 10, 1, 1), turn(0, 1, 2, 2, 20, 30, 1, 1), // complete
		turn(1, 0, 3, 1, 100, 110, 1, 1), failed, // broken: the third was not sent
		turn(2, 0, 2, 1, 900, 910, 1, 1),       // cut by the end of the window
		turn(3, 0, 1, 1, 400, 410, 1, 1),       // of one turn
		before, turn(4, 1, 2, 2, 50, 60, 1, 1), // of the warm-up
	)
	got := s.Sessions("main")
	if got.Begun != 4 || got.Complete != 2 || got.Broken != 1 || len(got.Latency) != 2 || got.Latency[0] != 30 || got.Latency[1] != 10 {
		t.Errorf("%+v", got)
	}
	if all, measured := s.Later("main"); all != 3 || measured != 3 {
		t.Errorf("later turns %d, %d of them measured; want 3 and 3", all, measured)
	}
	// The schedule has sessions: its numbers, and no later turn.
	var numbers []uint64
	for _, d := range s.Departures("main") {
		numbers = append(numbers, d.Seq)
	}
	if !slices.Equal(numbers, []uint64{0, 1, 3, 2}) {
		t.Errorf("departures %v, want those of the first turns of sessions 0, 1, 3, 2", numbers)
	}
	if s.Counts(Filter{}).Population != 7 {
		t.Errorf("the population is %d requests, want 7", s.Counts(Filter{}).Population)
	}
}
