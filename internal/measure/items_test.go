package measure

// A case by hand.

import (
	"iter"
	"testing"

	"assay/internal/record"
)

func TestItemsAreThoseOfTheWindowAndRatesThoseThatEndedInIt(t *testing.T) {
	var list []*record.Record
	for i, c := range []struct {
		phase  record.Phase
		status record.Status
		ended  int64
		items  int
	}{
		{record.Measured, record.OK, 15e8, 1},
		{record.Measured, record.OK, 35e8, 2}, // in the drain
		{record.Warmup, record.OK, 12e8, 4},   // due before the window
		{record.Warmup, record.OK, 5e8, 8},
		{record.Measured, record.Failed, 15e8, 16},
	} {
		r := record.New("main", uint64(i))
		r.Phase, r.Status, r.Items = c.phase, c.status, c.items
		r.Due, r.Free, r.Released, r.Sent, r.Ended = c.ended-1e8, c.ended-1e8, c.ended-1e8, c.ended-1e8, c.ended
		list = append(list, &r)
	}
	records := func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for _, r := range list {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	s, err := Summarize(records, Query{Window: Window{Start: 1e9, End: 3e9}, Streams: []Stream{{Name: "main"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Items(Filter{}); got != 3 {
		t.Errorf("%d items of the window, want 1 + 2", got)
	}
	for _, id := range []string{"item_rate", "embedding_rate", "document_rate", "text_rate", "image_rate"} {
		if got := s.Rate(id, Filter{}).Point; got != 2.5 {
			t.Errorf("%s is %g, want (1 + 4) in 2 s", id, got)
		}
	}
}
