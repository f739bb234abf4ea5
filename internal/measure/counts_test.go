package measure

// Counts, rates, tokens and errors against a second reading of random records.

import (
	"math"
	"slices"
	"testing"

	"assay/internal/record"
)

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
