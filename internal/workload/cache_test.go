// The expected hits are held against a cache that looks at words one by one.
package workload

import (
	"strings"
	"testing"
	"testing/fstest"

	"assay/internal/tokenizer"
)

// spelled is a prefix cache of words: what is in it, it knows by the text.
type spelled map[string]bool

func (c spelled) send(text string) (known int) {
	tokens := strings.Fields(text)
	begin := ""
	for i, w := range tokens {
		begin += w + " "
		if c[begin] && known == i {
			known = i + 1
		}
		c[begin] = true
	}
	return known
}

// A one-token coincidence of words that are a prompt's own is no part of what
// is expected: 1 token of a prompt is let go.
func TestWhatACacheKnowsOfAPromptIsWhatItsWordsSay(t *testing.T) {
	s := prefixed(t, Prefix{Shared: 20, Pool: Pool{Count: 10, Tokens: 50, Law: Popularity{1}}, User: Pool{Count: 7, Tokens: 33}}, Length{"uniform", 110, 150}, "s")
	var cache Cache
	oracle := spelled{}
	hits := 0
	for n := range uint64(200) {
		r := s.Request(n)
		got, want := cache.Send(s.Spans(nil, n), r.InputTokens), oracle.send(r.Prompt)
		if want != got.Tokens && want != got.Tokens+1 || got.Whole {
			t.Fatalf("request %d: knows %+v, want %d", n, got, want)
		}
		hits += got.Tokens
	}
	if hits == 0 {
		t.Error("nothing was ever known")
	}
}

func TestPromptsOfAFileAreKnownAsFarAsTheirWordsAre(t *testing.T) {
	lines := []string{
		`{"text": "you are kind help me with my garden"}`,
		`{"text": "you are kind help me with my house"}`,
		`{"text": "you are kind"}`,
		`{"text": "you are kinder than most"}`,
		`{"text": "what else"}`,
		`{"text": "you are kind help me"}`,
		`{"text": "you are kind help me with my garden"}`,
		`{"text": "you are kind help me with my garden and house"}`,
		`{"messages": [{"role": "system", "content": "be brief and kind"}, {"role": "user", "content": "tell me more"}]}`,
		`{"messages": [{"role": "system", "content": "be brief and kind"}, {"role": "user", "content": "tell me less"}]}`,
		`{"messages": [{"role": "user", "content": "be brief and kind"}]}`,
		`{"text": "why"}`,
	}
	files := fstest.MapFS{"p.jsonl": {Data: []byte(strings.Join(lines, "\n"))}}
	for _, order := range []string{Sequential, Sampled} {
		s, err := New(Spec{Prompts: "p.jsonl", Order: order, OutputTokens: Length{"constant", 1, 0}}, 5, "main", files, tokenizer.Words)
		if err != nil {
			t.Fatal(err)
		}
		var cache Cache
		oracle := spelled{}
		for n := range uint64(40) {
			r := s.Request(n)
			text := r.Prompt
			for _, m := range r.Messages { // a word cannot be of two roles
				for w := range strings.FieldsSeq(m.Content) {
					text += " " + m.Role + ":" + w
				}
			}
			got, want := cache.Send(s.Spans(nil, n), r.InputTokens), oracle.send(text)
			if whole := want == len(strings.Fields(text)); got.Tokens != want || got.Whole != whole {
				t.Errorf("%s, request %d %q: knows %+v, want %d tokens, whole %v", order, n, text, got, want, whole)
			}
		}
	}
}

func TestTheLastTokenOfAPromptIsNeverFound(t *testing.T) {
	for _, c := range []struct{ known, length, found, blocks int }{
		{0, 100, 0, 0}, {15, 100, 15, 0}, {16, 100, 16, 16}, {99, 100, 99, 96}, {100, 100, 99, 96}, {96, 96, 95, 80}, {97, 97, 96, 96}, {5, 0, 0, 0},
	} {
		if got := Found(c.known, c.length); got != c.found {
			t.Errorf("Found(%d, %d) = %d, want %d", c.known, c.length, got, c.found)
		}
		if got := FoundInBlocks(c.known, c.length); got != c.blocks {
			t.Errorf("FoundInBlocks(%d, %d) = %d, want %d", c.known, c.length, got, c.blocks)
		}
	}
}

func TestPromptsWithoutAPrefixAreNeverKnown(t *testing.T) {
	s := synthetic(t, "50", "1", "main", "", 1)
	var cache Cache
	for n := range uint64(100) {
		if hit := cache.Send(s.Spans(nil, n), 50); hit != (Hit{}) {
			t.Fatalf("request %d: knows %+v, want nothing", n, hit)
		}
	}
	if s.Shares() {
		t.Error("prompts without a prefix are said to share one")
	}
}

func BenchmarkExpectedHits(b *testing.B) {
	s := prefixed(b, Prefix{Shared: 200, Pool: Pool{Count: 10, Tokens: 1000, Law: Popularity{1}}, User: Pool{Count: 100, Tokens: 300}}, Length{"lognormal", 4000, 800}, "")
	var cache Cache
	var room [3]Span
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		in, _ := s.Lengths(n)
		cache.Send(s.Spans(room[:0], n), in)
	}
}
