package run

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"assay/internal/observation"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

func flight(counted, told int) observation.Preflight {
	return observation.Preflight{OK: true, Counted: counted, InputTokens: told}
}

func TestATemplateIsWhatTheServerAddsToEveryPromptAlike(t *testing.T) {
	for name, c := range map[string]struct {
		flights []observation.Preflight
		want    int // below 0: none
		why     string
	}{
		"a chat":                     {[]observation.Preflight{flight(550, 557), flight(275, 282)}, 7, ""},
		"nothing":                    {[]observation.Preflight{flight(550, 550), flight(275, 275)}, 0, ""},
		"several addresses":          {[]observation.Preflight{flight(550, 588), flight(512, 550), flight(275, 313)}, 38, ""},
		"another tokenizer":          {[]observation.Preflight{flight(550, 612), flight(275, 306)}, -1, "another tokenizer"},
		"a coarser one":              {[]observation.Preflight{flight(550, 549), flight(275, 282)}, -1, "counts 549 tokens where the tokenizer counts 550"},
		"two servers, two templates": {[]observation.Preflight{flight(550, 557), flight(512, 520), flight(275, 282)}, -1, "several templates"},
		"no usage":                   {[]observation.Preflight{flight(0, 550), flight(0, 275)}, -1, "no usage"},
		"no usage the second time":   {[]observation.Preflight{flight(550, 557), flight(0, 275)}, -1, "no usage"},
	} {
		got, why := templateOf(c.flights)
		switch {
		case c.want < 0 && (got != nil || !strings.Contains(why, c.why)):
			t.Errorf("%s: %v, %q, want none, because %q", name, got, why, c.why)
		case c.want >= 0 && (got == nil || *got != c.want):
			t.Errorf("%s: %v, %q, want %d", name, got, why, c.want)
		}
	}
}

// exactLine is a line whose prompts are of one length by a small tokenizer.
func exactLine(t testing.TB, tokens string) (*line, func(string) int) {
	t.Helper()
	s := tokenized("models/llama")
	if err := s.Workload.InputTokens.UnmarshalText([]byte(tokens)); err != nil {
		t.Fatal(err)
	}
	source, err := newSource(s, 1, machine(t), hub)
	if err != nil {
		t.Fatal(err)
	}
	llama, err := openTokenizer("test", "models/llama", "", machine(t), hub)
	if err != nil {
		t.Fatal(err)
	}
	l := chatLine(t, "")
	l.stream, l.source, l.runID, l.ways = s, source, "preflight", []way{{url: &url.URL{Scheme: "http", Host: "one", Path: "/v1/chat/completions"}}}
	l.round = round{0}
	return l, llama.Count
}

func TestTheProbesHaveOtherLengthsAndOtherTextsAndOneTokenOfReply(t *testing.T) {
	for tokens, want := range map[string][]int{
		"550": {275, 343, 412, 481}, "8": {4, 5, 6, 7}, "7": {39, 71, 103, 135}, "1": {33, 65, 97, 129},
	} {
		l, count := exactLine(t, tokens)
		texts := map[string]bool{l.source.Request(l.preflightSeq(0)).Prompt: true}
		for k := range want {
			other := l.prober(k)
			r := other.source.Request(other.preflightSeq(0))
			if n := count(r.Prompt); n != want[k] || other.source.Count(r) != want[k] {
				t.Errorf("probe %d beside %s tokens has %d and says %d, want %d", k, tokens, n, other.source.Count(r), want[k])
			}
			if r.OutputTokens != 1 {
				t.Errorf("probe %d asks for %d tokens, want 1", k, r.OutputTokens)
			}
			texts[r.Prompt] = true
		}
		if len(texts) != 1+len(want) {
			t.Errorf("texts are alike: %v", texts)
		}
	}
}

// Two counts of another tokenizer are often off by as much as each other, all
// five hardly ever: see the decision on templates.
func TestAnotherTokenizerIsNoTemplateWhateverTheRunsAreCalled(t *testing.T) {
	data, err := os.ReadFile("../tokenizer/testdata/gpt2.json")
	if err != nil {
		t.Fatal(err)
	}
	server, err := tokenizer.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 300
	two, all := 0, 0
	l, count := exactLine(t, "550")
	for n := range uint64(runs) {
		l.probed = n << 8 // other texts, as another salt makes them
		flights := []observation.Preflight{counts(l, count, server.Count)}
		for k := range probes {
			flights = append(flights, counts(l.prober(k), count, server.Count))
		}
		if got, _ := templateOf(flights[:2]); got != nil {
			two++
		}
		if got, _ := templateOf(flights); got != nil {
			all++
		}
	}
	if two < runs/100 || all > 1 {
		t.Errorf("of %d runs %d would be deceived by two prompts and %d are by all; want some and at most one", runs, two, all)
	}
}

// counts is the preflight of a server with a tokenizer and a template of its own.
func counts(l *line, ours, theirs func(string) int) observation.Preflight {
	prompt := l.source.Request(l.preflightSeq(0)).Prompt
	return flight(ours(prompt), 30+theirs(prompt))
}

func TestAWorkersPromptsLeaveRoomForTheTemplateAndSayWhatTheServerCounts(t *testing.T) {
	l, count := exactLine(t, "uniform(5, 900)")
	around := l.source.Around(7)
	for n := range uint64(200) {
		asked, out := l.source.Lengths(n)
		if in, o := around.Lengths(n); in != asked || o != out {
			t.Fatalf("request %d: the template changes what is asked from %d, %d to %d, %d", n, asked, out, in, o)
		}
		r := around.Request(n)
		if got, want := count(r.Prompt), max(1, asked-7); got != want || r.InputTokens != asked {
			t.Fatalf("request %d has %d tokens and says %d, want %d and %d", n, got, r.InputTokens, want, asked)
		}
	}
}

func TestOnlyPromptsThatCanBeMadeToFitAreMeasuredFor(t *testing.T) {
	l, _ := exactLine(t, "550")
	if !l.wantsTemplate() {
		t.Error("exact prompts of a contract that says nothing are not measured for")
	}
	fixed := 0
	l.stream.Workload.TemplateTokens = &fixed
	if l.wantsTemplate() {
		t.Error("a template that the contract states is measured all the same")
	}
	words, err := workload.New(workload.Spec{InputTokens: workload.Length{Law: "constant", A: 9}, OutputTokens: workload.Length{Law: "constant", A: 9}}, 1, "main", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.source, l.stream.Workload.TemplateTokens = words, nil
	if l.wantsTemplate() {
		t.Error("words are measured for")
	}
}

func TestPromptsThatTheTemplateFillsAreRefused(t *testing.T) {
	l, _ := exactLine(t, "7")
	if err := fits(l.stream, 7); err == nil || !strings.Contains(err.Error(), "prompts of 7 tokens can't be had: the server adds 7 to each") {
		t.Errorf("fits = %v, want a refusal", err)
	}
	if err := fits(l.stream, 6); err != nil {
		t.Errorf("fits = %v, want none: one token is left", err)
	}
	drawn, _ := exactLine(t, "uniform(1, 9)")
	if err := fits(drawn.stream, 7); err != nil {
		t.Errorf("fits = %v, want none for lengths that are drawn", err)
	}
}

// A server that counts 300 tokens for a picture has a template of 7 all the
// same: the pictures are not taken off the words.
func TestWhatAPictureCountsAsIsNoTemplate(t *testing.T) {
	l, count := exactLine(t, "550")
	one, side := workload.Length{Law: "constant", A: 1}, workload.Length{Law: "constant", A: 64}
	l.stream.Workload.Images = workload.Images{Count: one, Width: side, Height: side, Format: workload.JPEG}
	var err error
	if l.source, err = newSource(l.stream, 1, machine(t), hub); err != nil {
		t.Fatal(err)
	}
	answer := func(l *line) observation.Preflight {
		r := l.source.Request(l.preflightSeq(0))
		words := count(r.Chat()[0].Content)
		return flight(words, words+7+300*r.Load().Images)
	}
	first := answer(l)
	var others []observation.Preflight
	lengths := map[int]bool{}
	for k := range l.eighths() {
		p := answer(l.prober(k))
		lengths[p.Counted] = true
		others = append(others, p)
	}
	tokens, why := templateOf(l.telling([]observation.Preflight{first}, others))
	if tokens == nil || *tokens != 7 || len(others) != 5 || !lengths[550] || len(lengths) != 5 {
		t.Errorf("template %v (%s) by prompts of %v, want 7 by five lengths, 550 among them", tokens, why, lengths)
	}
	if first.Counted != 550 || first.InputTokens != 857 {
		t.Errorf("the first request counts %d, the server %d: want its picture in it", first.Counted, first.InputTokens)
	}
	want := "stream main: beside words and template the server counts 300 tokens (pictures 1, recordings 0.0 s)"
	if got := mediaWords(l, first, 7); got != want {
		t.Errorf("it is told as %q, want %q", got, want)
	}
}

// A session begins with as many tokens as are asked for, and an agent with those
// of its first call. Probes are sessions of their own.
func TestSessionsAreProbedWithTheirFirstTurns(t *testing.T) {
	constant := func(n float64) workload.Length { return workload.Length{Law: "constant", A: n} }
	for name, c := range map[string]struct {
		sessions *workload.Sessions
		agent    []workload.Call
		first    int
		lengths  []int // of its probes: four to seven eighths
	}{
		"conversation": {&workload.Sessions{Turns: workload.Turns{Length: constant(3)}, InputTokens: constant(40)}, nil, 550, []int{275, 343, 412, 481}},
		"agent":        {nil, []workload.Call{{Name: "a", InputTokens: constant(400), OutputTokens: constant(90)}, {Name: "b", After: []string{"a"}, InputTokens: constant(9), OutputTokens: constant(9)}}, 400, []int{200, 250, 300, 350}},
	} {
		l, count := exactLine(t, "550")
		l.stream.Workload.Sessions, l.stream.Workload.Agent = c.sessions, c.agent
		var err error
		if l.source, err = newSource(l.stream, 1, machine(t), hub); err != nil {
			t.Fatal(err)
		}
		if l.talks, err = newTalks(l.stream, 1, l.source, l.dialect); err != nil {
			t.Fatal(err)
		}
		first := l.words(0)
		if n := count(first.Chat()[0].Content); n != c.first {
			t.Fatalf("%s: the first request has %d tokens, want %d", name, n, c.first)
		}
		texts := []string{first.Chat()[0].Content}
		for k := range probes {
			other := l.prober(k)
			r := other.words(0)
			want := c.lengths[k]
			text := r.Chat()[0].Content
			if n := count(text); n != want || other.source.Count(r) != want || r.OutputTokens != 1 {
				t.Errorf("%s: probe %d has %d tokens, says %d, and asks for %d; want %d and 1", name, k, n, other.source.Count(r), r.OutputTokens, want)
			}
			for _, before := range texts {
				if before[:40] == text[:40] {
					t.Errorf("%s: probe %d begins as another request", name, k)
				}
			}
			texts = append(texts, text)
		}
		// A template of 7 is taken off what the load begins with, and once.
		around := l.over(l.source.Around(7))
		talk, err := around.talks.Talk(5)
		if err != nil {
			t.Fatal(err)
		}
		r := talk.Request(0, nil)
		if n := count(r.Chat()[0].Content); n != c.first-7 || r.InputTokens != c.first {
			t.Errorf("%s: %d tokens for %d, want %d for %d", name, n, r.InputTokens, c.first-7, c.first)
		}
	}
}
