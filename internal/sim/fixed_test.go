package sim

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drive steps an engine from instant to instant and returns what it emits.
func drive(e Engine, emitted *[]Emission) {
	for e.Next() != Never {
		e.Advance(e.Next(), collect(emitted))
	}
}

func collect(into *[]Emission) func(Emission) {
	return func(e Emission) { *into = append(*into, e) }
}

func engine(t *testing.T, preset string, set map[string]string) Engine {
	t.Helper()
	s, err := Configure(preset, set)
	if err != nil {
		t.Fatal(err)
	}
	return s.Engine()
}

func TestFixedEmitsAtExactInstants(t *testing.T) {
	e := engine(t, "fixed", map[string]string{"ttft": "100ms", "itl": "20ms"})
	var got []Emission
	e.Admit(1_000, Request{ID: 7, Output: 3}, collect(&got))
	if len(got) != 0 {
		t.Fatalf("at its admission it emits %+v, want nothing", got)
	}
	drive(e, &got)
	want := []Emission{
		{ID: 7, At: 100_001_000, Events: 1, Tokens: 1, Began: 1_000},
		{ID: 7, At: 120_001_000, Events: 1, Tokens: 1},
		{ID: 7, At: 140_001_000, Events: 1, Tokens: 1, Last: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("emissions (-want +got):\n%s", diff)
	}
}

func TestLatenessDoesNotAddUp(t *testing.T) {
	e := engine(t, "fixed", map[string]string{"ttft": "10ms", "itl": "1ms"})
	var got []Emission
	e.Admit(0, Request{ID: 1, Output: 1000}, collect(&got))
	// Whoever drives it is 3.3 ms late each time.
	for e.Next() != Never {
		e.Advance(e.Next()+3_300_000, collect(&got))
	}
	for i, em := range got {
		if want := int64(10+i) * int64(time.Millisecond); em.At != want {
			t.Fatalf("event %d is due at %d, want %d", i, em.At, want)
		}
	}
	if len(got) != 1000 {
		t.Errorf("%d events, want 1000", len(got))
	}
}

func TestRepliesDoNotDisturbEachOther(t *testing.T) {
	e := engine(t, "fixed", map[string]string{"ttft": "5ms", "itl": "2ms"})
	var got []Emission
	for i := range uint64(50) {
		e.Admit(int64(i)*300_000, Request{ID: i, Output: int(i%7) + 1}, collect(&got))
	}
	drive(e, &got)
	next, last := map[uint64]int64{}, int64(0)
	for _, em := range got {
		if want := int64(em.ID)*300_000 + 5_000_000 + 2_000_000*next[em.ID]; em.At != want {
			t.Errorf("request %d, event %d at %d, want %d", em.ID, next[em.ID], em.At, want)
		}
		next[em.ID]++
		if em.At < last {
			t.Errorf("request %d at %d comes after %d", em.ID, em.At, last)
		}
		last = em.At
		if wantLast := next[em.ID] == int64(em.ID%7)+1; em.Last != wantLast {
			t.Errorf("request %d, event %d: Last = %t", em.ID, next[em.ID], em.Last)
		}
	}
	for i := range uint64(50) {
		if next[i] != int64(i%7)+1 {
			t.Errorf("request %d has %d events, want %d", i, next[i], i%7+1)
		}
	}
}

func TestACancelledReplyEmitsNothingMore(t *testing.T) {
	e := engine(t, "fixed", nil)
	var got []Emission
	for id := range uint64(5) {
		e.Admit(int64(id), Request{ID: id, Output: 3}, collect(&got))
	}
	e.Advance(100_000_010, collect(&got))
	got = nil
	e.Cancel(100_000_020, 2)
	e.Cancel(100_000_020, 99)
	drive(e, &got)
	for _, em := range got {
		if em.ID == 2 {
			t.Errorf("the cancelled request emits %+v", em)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d events, want the 8 of the four others", len(got))
	}
}

func TestTokensMayLeaveTogether(t *testing.T) {
	for _, preset := range []string{"fixed", "null"} {
		e := engine(t, preset, map[string]string{"tokens_per_event": "5", "output_tokens": "12"})
		var got []Emission
		e.Admit(0, Request{ID: 1}, collect(&got))
		e.Admit(0, Request{ID: 2, Output: 5}, collect(&got))
		drive(e, &got)
		events, tokens, lasts := map[uint64]int{}, map[uint64]int{}, map[uint64]int{}
		for _, em := range got {
			events[em.ID] += em.Events
			tokens[em.ID] += em.Events * em.Tokens
			if em.Last {
				lasts[em.ID]++
			}
		}
		want := []map[uint64]int{{1: 3, 2: 1}, {1: 12, 2: 5}, {1: 1, 2: 1}}
		if diff := cmp.Diff(want, []map[uint64]int{events, tokens, lasts}); diff != "" {
			t.Errorf("%s: events, tokens, ends (-want +got):\n%s", preset, diff)
		}
	}
}

func TestNullAnswersAtOnce(t *testing.T) {
	e := engine(t, "null", nil)
	var got []Emission
	e.Admit(55, Request{ID: 3, Output: 4}, collect(&got))
	if diff := cmp.Diff([]Emission{{ID: 3, At: 55, Events: 4, Tokens: 1, Last: true, Began: 55}}, got); diff != "" {
		t.Errorf("emissions (-want +got):\n%s", diff)
	}
	if e.Next() != Never {
		t.Errorf("Next = %d, want Never", e.Next())
	}
}

func TestAFirstTokenWithoutDelayLeavesWithTheAdmission(t *testing.T) {
	e := engine(t, "fixed", map[string]string{"ttft": "0s", "itl": "1ms"})
	var got []Emission
	e.Admit(9, Request{ID: 1, Output: 2}, collect(&got))
	if diff := cmp.Diff([]Emission{{ID: 1, At: 9, Events: 1, Tokens: 1, Began: 9}}, got); diff != "" {
		t.Errorf("emissions (-want +got):\n%s", diff)
	}
	if want := int64(1_000_009); e.Next() != want {
		t.Errorf("Next = %d, want %d", e.Next(), want)
	}
}
