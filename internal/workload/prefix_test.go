// What prompts begin with is a function of seed, salt and n, and is in their
// words what the plan says of it in numbers.
package workload

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func prefixed(t testing.TB, p Prefix, input Length, salt string) *Source {
	t.Helper()
	s, err := New(Spec{InputTokens: input, OutputTokens: Length{"constant", 1, 0}, Prefix: p, Salt: salt}, 7, "main", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The wanted members come from a separate program in another language.
func TestMembersOfAPoolAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	s := prefixed(t, Prefix{Shared: 3, Pool: Pool{Count: 8, Tokens: 4}, User: Pool{Count: 100, Tokens: 5, Law: Popularity{1}}}, Length{"constant", 20, 0}, "")
	pool, user := []uint64{2, 1, 6, 4, 7, 3, 5, 7}, []uint64{0, 16, 36, 7, 0, 0, 5, 4}
	for n := range uint64(8) {
		want := []Span{{sharedPart << partShift, 3}, {poolPart<<partShift | pool[n], 4}, {userPart<<partShift | user[n], 5}}
		if diff := cmp.Diff(want, s.Spans(nil, n)); diff != "" {
			t.Errorf("request %d begins with (-want +got):\n%s", n, diff)
		}
	}
}

// Prompts have their whole length, and two of them begin alike exactly as far
// as their spans are the same; the words behind are their own.
func TestPromptsBeginAlikeExactlyAsFarAsTheirSpansDo(t *testing.T) {
	p := Prefix{Shared: 6, Pool: Pool{Count: 3, Tokens: 9, Law: Popularity{1}}, User: Pool{Count: 2, Tokens: 7}}
	s := prefixed(t, p, Length{"uniform", 23, 60}, "x")
	const n = 60
	var texts [n][]string
	for i := range uint64(n) {
		r := s.Request(i)
		texts[i] = strings.Split(r.Prompt, " ")
		if in, _ := s.Lengths(i); len(texts[i]) != in || r.InputTokens != in {
			t.Fatalf("request %d has %d words and says %d, want %d", i, len(texts[i]), r.InputTokens, in)
		}
	}
	for i := range n {
		for k := range i {
			want := 0
			a, b := s.Spans(nil, uint64(i)), s.Spans(nil, uint64(k))
			for j := 0; j < len(a) && a[j] == b[j]; j++ {
				want += a[j].Tokens
			}
			got := 0
			for got < min(len(texts[i]), len(texts[k])) && texts[i][got] == texts[k][got] {
				got++
			}
			// Of words of their own the first is the same in one pair of some
			// 1,400: a second one behind it is not seen among so few.
			if got != want && got != want+1 {
				t.Fatalf("requests %d and %d begin with %d words in common, want %d", i, k, got, want)
			}
		}
	}
}

func TestASaltChangesEveryWordOfAPrefixAndNoLength(t *testing.T) {
	p := Prefix{Shared: 10, Pool: Pool{Count: 3, Tokens: 10}}
	a, b := prefixed(t, p, Length{"normal", 50, 5}, "a"), prefixed(t, p, Length{"normal", 50, 5}, "b")
	same := prefixed(t, p, Length{"normal", 50, 5}, "a")
	for n := range uint64(10) {
		if a.Request(n).Prompt != same.Request(n).Prompt {
			t.Errorf("request %d differs from itself", n)
		}
		if diff := cmp.Diff(a.Spans(nil, n), b.Spans(nil, n)); diff != "" {
			t.Errorf("request %d takes other members with another salt:\n%s", n, diff)
		}
		x, y := strings.Fields(a.Request(n).Prompt), strings.Fields(b.Request(n).Prompt)
		if len(x) != len(y) {
			t.Errorf("request %d has %d words with one salt and %d with another", n, len(x), len(y))
		}
		if cmp.Equal(x[:4], y[:4]) { // by chance once in 10^12
			t.Errorf("request %d begins alike with two salts: %q", n, x[:4])
		}
	}
}

func TestAPrefixThatDoesNotFitIntoThePromptsIsRefused(t *testing.T) {
	for _, c := range []struct {
		input Length
		fits  bool
	}{
		{Length{"constant", 301, 0}, true}, {Length{"constant", 300, 0}, false},
		{Length{"uniform", 301, 400}, true}, {Length{"uniform", 250, 400}, false},
		{Length{"normal", 550, 100}, true},  // 0.6 % are too short
		{Length{"normal", 550, 150}, false}, // 4.8 %
	} {
		_, err := New(Spec{InputTokens: c.input, OutputTokens: Length{"constant", 1, 0}, Prefix: Prefix{Shared: 100, User: Pool{Count: 5, Tokens: 200}}}, 1, "main", nil, nil)
		if (err == nil) != c.fits {
			t.Errorf("300 tokens before prompts of %s: %v, fits: want %v", c.input, err, c.fits)
		}
	}
	s := prefixed(t, Prefix{Shared: 300}, Length{"normal", 550, 100}, "")
	if got := s.Lengthened(); math.Abs(got-0.0063) > 0.0002 { // Φ(−2.495) = 0.0063
		t.Errorf("Lengthened() = %v, want 0.0063", got)
	}
	for n := range uint64(2000) {
		if in, _ := s.Lengths(n); in < 301 {
			t.Fatalf("request %d has %d tokens, and begins with 300 that are not its own", n, in)
		}
	}
}

func TestAPopularityIsReadAndWrittenInItsCanonicalForm(t *testing.T) {
	for text, want := range map[string]string{"uniform": "uniform", " zipf ": "zipf", "zipf(1)": "zipf", "zipf( 1.2 )": "zipf(1.2)"} {
		var p Popularity
		if err := p.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("UnmarshalText(%q): %v", text, err)
			continue
		}
		if got, _ := p.MarshalText(); string(got) != want {
			t.Errorf("UnmarshalText(%q) = %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "pareto", "zipf(", "zipf(0)", "zipf(x)", "zipf(1", "zipf(99)", "zipf(1, 2)", "zipf(NaN)"} {
		if err := new(Popularity).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("UnmarshalText(%q): no error", text)
		}
	}
}

// By a model's tokenizer the whole is exact, each part is, and no two prompts
// begin alike beyond the parts that they share.
func TestAPromptWithAPrefixHasExactlyItsTokensForEveryFamily(t *testing.T) {
	p := Prefix{Shared: 37, Pool: Pool{Count: 4, Tokens: 101}, User: Pool{Count: 3, Tokens: 53}}
	for name, count := range families(t) {
		s, err := New(Spec{InputTokens: Length{"uniform", 192, 500}, OutputTokens: Length{"constant", 1, 0}, Prefix: p, Tokenizer: "test", Salt: "x"}, 1, "main", nil, count)
		if err != nil {
			t.Fatal(name, err)
		}
		var texts []string
		for n := range uint64(25) {
			r := s.Request(n)
			if in, _ := s.Lengths(n); count(r.Prompt) != in || r.InputTokens != in {
				t.Fatalf("%s: request %d has %d tokens and says %d, want %d", name, n, count(r.Prompt), r.InputTokens, in)
			}
			texts = append(texts, r.Prompt)
		}
		for i := range texts {
			for k := range i {
				want := 0
				a, b := s.Spans(nil, uint64(i)), s.Spans(nil, uint64(k))
				for j := 0; j < len(a) && a[j] == b[j]; j++ {
					want += a[j].Tokens
				}
				same := 0
				for same < min(len(texts[i]), len(texts[k])) && texts[i][same] == texts[k][same] {
					same++
				}
				same = strings.LastIndexByte(texts[i][:same], ' ') // whole words
				// The small vocabularies have few words of one token: two
				// prompts share some of those by chance.
				if got := count(texts[i][:max(0, same)]); got < want || got > want+6 {
					t.Errorf("%s: requests %d and %d begin with %d tokens in common, want %d", name, i, k, got, want)
				}
			}
		}
	}
}
