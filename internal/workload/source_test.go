// Request n is a function of (spec, seed, stream, salt, n) and of nothing else:
// a fleet of any size must agree on it, and a plan of today must hold for ever.
package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func synthetic(t testing.TB, input, output, stream, salt string, master uint64) *Source {
	t.Helper()
	spec := Spec{Salt: salt}
	if err := spec.InputTokens.UnmarshalText([]byte(input)); err != nil {
		t.Fatal(err)
	}
	if err := spec.OutputTokens.UnmarshalText([]byte(output)); err != nil {
		t.Fatal(err)
	}
	s, err := New(spec, master, stream, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The wanted values come from a separate program in another language (streams,
// Lemire's bounded draw, the normal ziggurat with tables from its definition).
func TestSyntheticRequestsAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	s := synthetic(t, "normal(550, 150)", "normal(256, 64)", "main", "", 1)
	var in, out []int
	for n := range uint64(6) {
		i, o := s.Lengths(n)
		in, out = append(in, i), append(out, o)
	}
	if diff := cmp.Diff([]int{476, 458, 461, 452, 502, 676}, in); diff != "" {
		t.Errorf("input tokens (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{63, 374, 337, 327, 217, 323}, out); diff != "" {
		t.Errorf("output tokens (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		n    uint64
		salt string
		want string
	}{
		{0, "", "package rival restrict dress male winner"},
		{7, "", "corner per label cable range nod"},
		{7, "s1", "climb episode tape lens edition spell"},
	} {
		if got := synthetic(t, "6", "1", "main", c.salt, 1).Request(c.n).Prompt; got != c.want {
			t.Errorf("request %d with salt %q = %q, want %q", c.n, c.salt, got, c.want)
		}
	}
}

func TestTheWordsAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	if got, want := hex.EncodeToString(sum[:]), "346b95b69b113874c0366bf7e65a905df939b87872565592306a8a104f702d71"; got != want {
		t.Errorf("sum of the words = %s, want %s", got, want)
	}
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w] || !regexp.MustCompile(`^[a-z]+$`).MatchString(w) {
			t.Errorf("word %q is there twice or is not lower case", w)
		}
		seen[w] = true
	}
}

func TestTheTextHasAsManyWordsAsTheLengthSays(t *testing.T) {
	s := synthetic(t, "uniform(1, 700)", "lognormal(100, 80)", "main", "x", 3)
	for n := range uint64(500) {
		in, out := s.Lengths(n)
		r := s.Request(n)
		if got := len(strings.Fields(r.Prompt)); got != in || r.InputTokens != in || r.OutputTokens != out {
			t.Fatalf("request %d has %d words and says (%d, %d), want (%d, %d)",
				n, got, r.InputTokens, r.OutputTokens, in, out)
		}
	}
}

func TestRequestNIsTheSameInAnyOrderAndFromAnyGoroutine(t *testing.T) {
	const n = 200
	s := synthetic(t, "normal(50, 20)", "uniform(1, 9)", "main", "", 4)
	var want [n]Request
	for i := range uint64(n) {
		want[i] = s.Request(i)
	}
	var got [n]Request
	var done sync.WaitGroup
	for g := range 4 {
		done.Go(func() {
			for i := n - 1 - g; i >= 0; i -= 4 {
				got[i] = s.Request(uint64(i))
			}
		})
	}
	done.Wait()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestTheSaltChangesEveryTextAndNoLength(t *testing.T) {
	a := synthetic(t, "normal(50, 20)", "normal(50, 20)", "main", "", 4)
	b := synthetic(t, "normal(50, 20)", "normal(50, 20)", "main", "pepper", 4)
	for n := range uint64(300) {
		x, y := a.Request(n), b.Request(n)
		if x.InputTokens != y.InputTokens || x.OutputTokens != y.OutputTokens {
			t.Fatalf("request %d: lengths (%d, %d) and (%d, %d)", n, x.InputTokens, x.OutputTokens, y.InputTokens, y.OutputTokens)
		}
		if x.InputTokens > 3 && x.Prompt == y.Prompt {
			t.Fatalf("request %d: the salt changed nothing: %q", n, x.Prompt)
		}
	}
}

func TestChangingOneLawChangesNothingElse(t *testing.T) {
	a := synthetic(t, "normal(50, 20)", "normal(50, 20)", "main", "", 4)
	b := synthetic(t, "normal(50, 20)", "uniform(1, 5)", "main", "", 4)
	for n := range uint64(100) {
		if x, y := a.Request(n).Prompt, b.Request(n).Prompt; x != y {
			t.Fatalf("request %d: another output law, another prompt: %q and %q", n, x, y)
		}
	}
}

func TestStreamsAndSeedsShareNoText(t *testing.T) {
	texts := map[string]string{}
	for _, c := range []struct {
		stream, salt string
		master       uint64
	}{{"main", "", 1}, {"main", "", 2}, {"other", "", 1}, {"main", "x", 1}} {
		for n := range uint64(100) {
			text := synthetic(t, "8", "1", c.stream, c.salt, c.master).Request(n).Prompt
			if where, twice := texts[text]; twice {
				t.Fatalf("%q is in %s and in %s", text, where, c.stream)
			}
			texts[text] = c.stream
		}
	}
}

func TestARequestIsAChatOrATextAsTheDialectNeedsIt(t *testing.T) {
	text := Request{Prompt: "hello"}
	if diff := cmp.Diff([]Message{{Role: "user", Content: "hello"}}, text.Chat()); diff != "" {
		t.Errorf("a text as a chat (-want +got):\n%s", diff)
	}
	chat := Request{Messages: []Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "hello"}}}
	if diff := cmp.Diff(chat.Messages, chat.Chat()); diff != "" {
		t.Errorf("a chat as a chat (-want +got):\n%s", diff)
	}
	if got, want := chat.Text(), "be brief\n\nhello"; got != want {
		t.Errorf("a chat as a text = %q, want %q", got, want)
	}
	if got := text.Text(); got != "hello" {
		t.Errorf("a text as a text = %q, want it unchanged", got)
	}
}

func TestASpecThatCannotBeHonouredIsRefused(t *testing.T) {

	for want, spec := range map[string]Spec{
		"input_tokens":    {OutputTokens: ten},
		"output_tokens":   {InputTokens: ten},
		`order "shuffled`: {InputTokens: ten, OutputTokens: ten, Order: "shuffled"},
	} {
		if _, err := New(spec, 1, "main", nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%+v) error = %v, want one that says %s", spec, err, want)
		}
	}
}

func BenchmarkRequestOf550Tokens(b *testing.B) {
	s := synthetic(b, "550", "normal(256, 64)", "main", "", 1)
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		s.Request(n)
	}
}

func BenchmarkLengths(b *testing.B) {
	s := synthetic(b, "normal(550, 150)", "lognormal(256, 64)", "main", "", 1)
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		s.Lengths(n)
	}
}
