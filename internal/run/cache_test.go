package run

import (
	"strings"
	"testing"
	"testing/fstest"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/record"

	"github.com/google/go-cmp/cmp"
)

func streamOf(t *testing.T, workload string) *contract.Contract {
	t.Helper()
	c, err := contract.Load("c.yaml", []byte("version: 1\ntarget: {url: http://127.0.0.1:1, model: m}\ntraffic: {rate: 100/s, duration: 10s, warmup: 2s}\nworkload: "+workload+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	return c
}

// answered is a record of request seq, sent at the time to the address.
func answered(seq uint64, at int64, url string, want, input int, phase record.Phase) *record.Record {
	r := record.New("main", seq)
	r.Status = record.OK
	r.Sent, r.URL, r.WantInput, r.Input, r.Output, r.Phase, r.InputSource = at, url, want, input, 10, phase, record.FromUsage
	return &r
}

func observed(t *testing.T, c *contract.Contract, files fstest.MapFS, records ...*record.Record) observation.Cache {
	t.Helper()
	p := newPrompts(c)
	for _, r := range records {
		p.add(r)
	}
	list := p.observe(c, files)
	if len(list) != 1 || list[0].Kind != observation.KindCache {
		t.Fatalf("observations %+v, want one of the cache", list)
	}
	return *list[0].Cache
}

// All prompts share 40 tokens, and nothing else.
func TestExpectedHitsFollowTheOrderOfSendingAndTheAddress(t *testing.T) {
	c := streamOf(t, "{input_tokens: 100, prefix: {shared: 40}, output_tokens: 10}")
	const w, m = record.Warmup, record.Measured
	for _, k := range []struct {
		name    string
		records []*record.Record
		want    observation.Cache
	}{
		{"the warm-up fills the cache", []*record.Record{answered(0, 1, "a", 100, 100, w), answered(1, 2, "a", 100, 100, m), answered(2, 3, "a", 100, 100, m)},
			observation.Cache{Requests: 2, InputTokens: 200, Known: 80, InBlocks: 64}},
		{"later in the plan, sent before", []*record.Record{answered(0, 5, "a", 100, 100, m), answered(1, 2, "a", 100, 100, m)},
			observation.Cache{Requests: 2, InputTokens: 200, Known: 40, InBlocks: 32}},
		{"another address has another cache", []*record.Record{answered(0, 1, "a", 100, 100, w), answered(1, 2, "b", 100, 100, m), answered(2, 3, "b", 100, 100, m)},
			observation.Cache{Requests: 2, InputTokens: 200, Known: 40, InBlocks: 32}},
		{"the server's tokens are more than the words", []*record.Record{answered(0, 1, "a", 100, 130, w), answered(1, 2, "a", 100, 130, m)},
			observation.Cache{Requests: 1, InputTokens: 130, Known: 52, InBlocks: 48}},
	} {
		k.want.Stream = "main"
		if diff := cmp.Diff(k.want, observed(t, c, nil, k.records...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", k.name, diff)
		}
	}
	failed, counted, unsent := answered(2, 3, "a", 100, 100, m), answered(3, 4, "a", 100, 100, m), answered(4, 5, "a", 100, 100, m)
	failed.Status, counted.InputSource, unsent.Sent = record.Failed, record.FromWords, record.None
	got := observed(t, c, nil, failed, counted, unsent, answered(5, 9, "a", 100, 100, m))
	want := observation.Cache{Stream: "main", Requests: 1, InputTokens: 100, Known: 40, InBlocks: 32}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests that failed fill the cache and are not counted (-want +got):\n%s", diff)
	}
}

func TestAPromptThatComesAgainIsKnownButForItsLastToken(t *testing.T) {
	files := fstest.MapFS{"p.jsonl": {Data: []byte(`{"text": "` + strings.Repeat("one ", 32) + `"}` + "\n" + `{"text": "two"}` + "\n")}}
	c := streamOf(t, "{prompts: p.jsonl, order: sequential, output_tokens: 10}")
	got := observed(t, c, files, answered(0, 1, "a", 32, 32, record.Measured), answered(1, 2, "a", 1, 1, record.Measured), answered(2, 3, "a", 32, 32, record.Measured))
	want := observation.Cache{Stream: "main", Requests: 3, InputTokens: 65, Known: 31, InBlocks: 16, Whole: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if list := newPrompts(c).observe(c, fstest.MapFS{}); len(list) != 0 {
		t.Errorf("a file that is gone still gives %+v", list)
	}
}

func TestOfPromptsThatShareNothingOnlyTheSumIsKept(t *testing.T) {
	c := streamOf(t, "{input_tokens: 100, output_tokens: 10}")
	p := newPrompts(c)
	p.add(answered(0, 1, "a", 100, 100, record.Warmup))
	p.add(answered(1, 2, "a", 100, 120, record.Measured))
	if len(p.sent) != 0 {
		t.Errorf("%d prompts are kept, want none", len(p.sent["main"]))
	}
	want := observation.Cache{Stream: "main", Requests: 1, InputTokens: 120}
	if diff := cmp.Diff(&want, p.observe(c, nil)[0].Cache); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A session's second turn begins with the first one's prompt and reply.
func TestALaterTurnBeginsWithWhatItsSessionHad(t *testing.T) {
	for history, known := range map[string]int64{"live": 110, "recorded": 100} {
		c := streamOf(t, "{input_tokens: 100, output_tokens: 10, sessions: {turns: 3, input_tokens: 20, think: 1s, history: "+history+"}}")
		var all []*record.Record
		for turn, input := range []int{100, 130} {
			r := answered(record.SeqOf(4, turn), int64(turn), "a", input, input, record.Measured)
			r.Session, r.Turn = "4", turn+1
			all = append(all, r)
		}
		got := observed(t, c, nil, all...)
		want := observation.Cache{Stream: "main", Requests: 2, InputTokens: 230, Known: known, InBlocks: 96} // of the prompt
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", history, diff)
		}
	}
}

// Turns of 100, 130 and 160 tokens go to a, b and a: the third finds the first.
func TestALaterTurnFindsWhatItsAddressHad(t *testing.T) {
	c := streamOf(t, "{input_tokens: 100, output_tokens: 10, sessions: {turns: 3, input_tokens: 20, history: live}}")
	var all []*record.Record
	for turn, input := range []int{100, 130, 160} {
		r := answered(record.SeqOf(4, turn), int64(turn), []string{"a", "b", "a"}[turn], input, input, record.Measured)
		r.Session, r.Turn = "4", turn+1
		all = append(all, r)
	}
	want := observation.Cache{Stream: "main", Requests: 3, InputTokens: 390, Known: 110, InBlocks: 96}
	if diff := cmp.Diff(want, observed(t, c, nil, all...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of 40 tokens that all prompts share, each but the first of all finds 40 of
// 100: of the window every one, since the warm-up comes before.
func TestThePlanSaysWhatAPrefixCacheShouldFind(t *testing.T) {
	plan, err := MakePlan(streamOf(t, "{input_tokens: 100, prefix: {shared: 40}, output_tokens: 10}"), fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&PlannedCache{Share: 0.4, InBlocks: 0.32}, plan.Streams[0].Cache); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	plan, err = MakePlan(streamOf(t, "{input_tokens: 100, output_tokens: 10}"), fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Streams[0].Cache != nil {
		t.Errorf("prompts that share nothing: %+v expected", plan.Streams[0].Cache)
	}
}

func TestANaturalCacheDrawsNoSalt(t *testing.T) {
	natural, usual := streamOf(t, "{input_tokens: 100, cache: natural}"), streamOf(t, "{input_tokens: 100}")
	if saltless(natural)[0] || !saltless(usual)[0] {
		t.Errorf("a salt is drawn: natural %v, usual %v, want false, true", saltless(natural)[0], saltless(usual)[0])
	}
}

func BenchmarkPlanOfAMillionPromptsWithPrefixes(b *testing.B) {
	c, err := contract.Load("c.yaml", []byte("version: 1\ntarget: {url: http://127.0.0.1:1, model: m}\ntraffic: {rate: 2000/s, arrivals: gamma, cv: 3, requests: 1000000}\n"+
		"workload: {input_tokens: 'lognormal(2500, 250)', output_tokens: 'zipf(1.1, 4000)', prefix: {shared: 200, pool: {count: 10, tokens: 1000, law: zipf}, user: {count: 100, tokens: 300}}}\n"))
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		plan, err := MakePlan(c, OSFiles{})
		if err != nil {
			b.Fatal(err)
		}
		if n := plan.Streams[0].WindowSum.Requests; n != 1_000_000 {
			b.Fatalf("%d requests", n)
		}
	}
}
