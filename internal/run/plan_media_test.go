package run

import (
	"testing"
	"testing/fstest"

	"assay/internal/contract"
	"assay/internal/record"

	"github.com/google/go-cmp/cmp"
)

func planOf(t *testing.T, text string) *Plan {
	t.Helper()
	c, err := contract.Load("c.yaml", []byte(text))
	if err == nil {
		err = c.Resolve()
	}
	if err != nil {
		t.Fatal(err)
	}
	plan, err := MakePlan(c, OSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A PNG of 64 by 64 is 64 rows of 1+3·64 bytes: one of them in a block of its
// own, two blocks of 5 bytes around them; beside it signature 8, four chunks of
// 12, a header of 13, and 2 and 4 bytes of zlib. A second of 8000 samples is
// 16,000 bytes and a head of 44.
const pngOf64, wavOfASecond = 64*(1+3*64) + 2*5 + 8 + 4*12 + 13 + 2 + 4, 16_044

func TestAPlanTellsWhatStandsBesideTheWords(t *testing.T) {
	const media = "workload: {input_tokens: 5, output_tokens: 5, images: {count: 2, width: 64, height: 64}, audio: {length: 1s, sample_rate: 8000}"
	plan := planOf(t, "target: {simulate: fixed}\nslo: [error_rate < 1%]\ntraffic: {rate: 10/s, duration: 3s, warmup: 1s}\n"+media+"}\n")
	s := plan.Streams[0]
	one := int64(2*pngOf64 + wavOfASecond)
	for phase, sum := range map[string]PlanSum{"window": s.WindowSum, "warm-up": s.WarmupSum} {
		want := PlannedMedia{Images: 2 * sum.Requests, AudioMS: 1000 * sum.Requests, Bytes: one * sum.Requests}
		if diff := cmp.Diff(want, sum.PlannedMedia); sum.Requests == 0 || diff != "" {
			t.Errorf("%d requests of the %s (-want +got):\n%s", sum.Requests, phase, diff)
		}
	}
	if s.Media == nil || int64(s.Media.Min) != one || int64(s.Media.Max) != one {
		t.Errorf("bytes of a request: %+v, want %d", s.Media, one)
	}
	for r := range plan.Requests() {
		if r.Images != 2 || r.Bytes != one {
			t.Fatalf("request %d: %+v", r.Seq, r.PlannedMedia)
		}
	}
	if plain := planOf(t, "target: {simulate: fixed}\nslo: [error_rate < 1%]\ntraffic: {rate: 10/s, duration: 3s}\n"); plain.Streams[0].Media != nil {
		t.Errorf("media %+v where there are none", plain.Streams[0].Media)
	}
}

func TestALaterTurnCarriesTheMediaOfItsHistory(t *testing.T) {
	plan := planOf(t, "target: {simulate: fixed}\nslo: [error_rate < 1%]\ntraffic: {rate: 10/s, duration: 1s, warmup: 0s}\n"+
		"workload: {input_tokens: 5, output_tokens: 5, images: {width: 64, height: 64}, sessions: {turns: 3}}\n")
	for r := range plan.Requests() {
		if r.Images != int64(r.Turn) || r.Bytes != int64(r.Turn)*pngOf64 {
			t.Fatalf("turn %d: %+v, want as many pictures", r.Turn, r.PlannedMedia)
		}
	}
}

func TestOfMediaThatComeAgainNoCacheIsExpected(t *testing.T) {
	for workload, told := range map[string]bool{
		"{input_tokens: 100, images: {}}":                               true, // none comes again: nothing can be found
		"{input_tokens: 100, images: {pool: 5}}":                        false,
		"{input_tokens: 100, audio: {pool: 5}}":                         false,
		"{input_tokens: 100, audio: {}, prefix: {shared: 40}}":          false, // which part of the server's tokens the prefix is nobody knows
		"{input_tokens: 100, prefix: {shared: 40}}":                     true,
		"{input_tokens: 100, images: {}, sessions: {turns: 2}}":         false,
		"{input_tokens: 100, tokenizer: t, images: {}, cache: natural}": true,
	} {
		p := newPrompts(streamOf(t, workload))
		p.add(answered(0, 1, "a", 100, 400, record.Measured))
		if list := p.observe(streamOf(t, workload), nil); len(list) == 1 != told {
			t.Errorf("%s: %d observations of the cache, told should be %t", workload, len(list), told)
		}
	}
}

func TestAFileWithPicturesIsRefusedByAnEndpointOfText(t *testing.T) {
	files := fstest.MapFS{
		"rows.jsonl": {Data: []byte(`{"text": "what is it", "image": "a.png"}` + "\n")},
		"a.png":      {Data: []byte("\x89PNG\r\n\x1a\n")},
	}
	for endpoint, want := range map[string]string{"chat": "", "completions": "stream main: workload: rows.jsonl has some: completions takes no pictures"} {
		s := &streamOf(t, "{file: rows.jsonl}").Streams[0]
		s.Target.Endpoint = endpoint
		got := ""
		if _, err := newSource(s, 1, files, func(string) string { return "" }); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", endpoint, got, want)
		}
	}
}
