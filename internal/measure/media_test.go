package measure

// Cases by hand.

import (
	"testing"

	"assay/internal/record"

	"github.com/google/go-cmp/cmp"
)

func TestMediaAreThoseOfTheWindowAndRatesThoseThatEndedInIt(t *testing.T) {
	w := Window{Start: 10, End: 100}
	var m Media
	for _, c := range []struct {
		phase  record.Phase
		status record.Status
		ended  int64
		images int
	}{
		{record.Measured, record.OK, 50, 1},
		{record.Measured, record.OK, 150, 2}, // in the drain
		{record.Warmup, record.OK, 60, 4},    // due before the window
		{record.Warmup, record.OK, 5, 8},
		{record.Measured, record.Failed, 50, 16},
		{record.Measured, record.OK, 50, 0},
	} {
		r := record.New("main", 0)
		r.Phase, r.Status, r.Ended = c.phase, c.status, c.ended
		r.Images, r.AudioMS, r.MediaBytes = c.images, 10*c.images, 100*c.images
		m.add(&r, w)
	}
	want := Media{Requests: 2, Images: 3, AudioMS: 30, Bytes: 300, ImagesInside: 5, AudioMSInside: 50}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatAServerCountsForAPictureIsNoMismatch(t *testing.T) {
	var ledger Ledger
	var lengths Lengths
	for _, images := range []int{0, 1} {
		r := record.New("main", 0)
		r.Status, r.Sent, r.InputSource = record.OK, 1, record.FromUsage
		r.WantInput, r.Input, r.Images = 50, 350, images
		ledger.add(&r)
		lengths.add(&r)
	}
	if ledger.UsageMismatch != 1 {
		t.Errorf("%d mismatches, want that of the request without a picture", ledger.UsageMismatch)
	}
	if ledger.Input.Warmup != 700 {
		t.Errorf("%d tokens in the ledger, want all 700 that the server counted", ledger.Input.Warmup)
	}
	if n := lengths.Input.Seen.Count(); n != 1 || lengths.Input.More != 1 {
		t.Errorf("%d lengths of words alone, want 1", n)
	}
	if m := &lengths.WithMedia; m.Seen.Count() != 1 || m.Asked.Mean() != 50 || m.Seen.Mean() != 350 {
		t.Errorf("with a picture: %d, asked %v, told %v, want 1, 50, 350", m.Seen.Count(), m.Asked.Mean(), m.Seen.Mean())
	}
}
