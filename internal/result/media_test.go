package result_test

import (
	"testing"

	"assay/internal/record"
	"assay/internal/result"

	"github.com/google/go-cmp/cmp"
)

func TestAResultTellsTheMediaOfItsWindow(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 0)
	var want result.Media
	end := int64(c.Streams[0].Traffic.Duration) + int64(*c.Streams[0].Traffic.Warmup)
	inside := int64(0)
	for i := range list {
		r := &list[i]
		r.Images, r.AudioMS, r.MediaBytes, r.Input = 2, 1500, 1000, 400
		if r.Ended < end && r.Ended >= int64(*c.Streams[0].Traffic.Warmup) {
			inside++
		}
		if r.Phase == record.Measured {
			want.Requests++
			want.Images += 2
			want.AudioSeconds += 1.5
			want.Bytes += 1000
		}
	}
	seconds := float64(c.Streams[0].Traffic.Duration) / 1e9
	images, audio := 2*float64(inside)/seconds, 1.5*float64(inside)/seconds
	want.ImageRate, want.AudioRate = &images, &audio
	r := build(t, c, list, machines(0.1))
	if diff := cmp.Diff(&want, r.Media); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Tokens.UsageMismatch != 0 || r.Lengths.Input.Requests != 0 {
		t.Errorf("%d mismatches, %d lengths of words alone, want none: pictures are no words", r.Tokens.UsageMismatch, r.Lengths.Input.Requests)
	}
	with := r.Lengths.WithMedia
	if with == nil || with.Requests != want.Requests || with.Exact != nil {
		t.Fatalf("lengths with media: %+v, want those of %d requests", with, want.Requests)
	}
	is(t, "words asked", with.Requested.P50, 100)
	is(t, "counted with media", with.Seen.P50, 400)
	if plain := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1)); plain.Media != nil || plain.Lengths.WithMedia != nil {
		t.Errorf("media %+v where there are none", plain.Media)
	}
}
