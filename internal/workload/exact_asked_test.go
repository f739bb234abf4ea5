// What a server counts is asked once and is exact from then on: every prompt is
// counted again by the tokenizer that the server would have.
package workload

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assay/internal/tokenizer"
)

// asking is a Counter by a count, which adds up how many texts it counted.
func asking(count func(string) int, asked *int) Counter {
	return func(texts []string) ([]int, error) {
		var n []int
		for _, text := range texts {
			n = append(n, count(text))
		}
		*asked += len(texts)
		return n, nil
	}
}

func TestPromptsByAServersCountsAreExactForEveryFamily(t *testing.T) {
	for name, count := range families(t) {
		asked := 0
		counts, err := Measure(asking(count, &asked))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if asked > MostAsked || asked < askedPieces {
			t.Errorf("%s: %d texts were counted, want %d at the most", name, asked, MostAsked)
		}
		handed, err := json.Marshal(counts) // as workers get them
		if err != nil {
			t.Fatal(err)
		}
		var taken Counts
		if err := json.Unmarshal(handed, &taken); err != nil {
			t.Fatal(err)
		}
		for length, requests := range map[string]uint64{"uniform(1, 900)": 40, "5000": 1} { // more than the stretch
			spec := Spec{Tokenizer: "server", OutputTokens: Length{Law: "constant", A: 1}}
			if err := spec.InputTokens.UnmarshalText([]byte(length)); err != nil {
				t.Fatal(err)
			}
			s, err := NewCounted(spec, 1, "main", nil, &taken)
			if err != nil {
				t.Fatal(err)
			}
			if !s.Exact() {
				t.Errorf("%s: the source is not exact", name)
			}
			for n := range requests {
				want, _ := s.Lengths(n)
				r := s.Request(n)
				if got := count(r.Prompt); got != want || r.InputTokens != want || s.Count(r) != want {
					t.Fatalf("%s: request %d has %d tokens, says %d and counts %d, want %d: %q", name, n, got, r.InputTokens, s.Count(r), want, r.Prompt)
				}
			}
		}
	}
}

func TestAServerWhoseTokensReachAcrossSpacesIsRefused(t *testing.T) {
	plain := tokenizer.Words
	for what, c := range map[string]struct {
		count func(string) int
		want  string
	}{
		"bytes by threes":       {func(s string) int { return (len(s) + 2) / 3 }, "its tokens reach across the space"},
		"no token at all":       {func(string) int { return 0 }, "of 128 common words it has 0 that are one token"},
		"a token over two":      {func(s string) int { return plain(s) - strings.Count(s, "the ") }, "its tokens reach across the space"},
		"a count that tires":    {func(s string) int { return min(plain(s), 400) }, "a text that should have"},
		"a mark in each answer": {func(s string) int { return plain(s) + 1 }, "of 128 common words it has 0 that are one token"},
	} {
		counts, err := Measure(asking(c.count, new(int)))
		if err == nil || counts != nil && len(counts.Pieces) == 0 || !strings.Contains(err.Error(), "prompts of an exact length can't be made") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Measure = %v, want an error with %q", what, err, c.want)
		}
	}
}

func TestAServerThatCannotBeAskedIsToldOfAsItIs(t *testing.T) {
	gone := errors.New("connection refused")
	asked := 0
	for after := range 2 {
		calls := 0
		_, err := Measure(func(texts []string) ([]int, error) {
			if calls++; calls > after {
				return nil, gone
			}
			return asking(tokenizer.Words, &asked)(texts)
		})
		if !errors.Is(err, gone) {
			t.Errorf("gone at call %d: %v, want the reason", after+1, err)
		}
	}
	if _, err := Measure(func([]string) ([]int, error) { return []int{1}, nil }); err == nil || !strings.Contains(err.Error(), "1 counts of") {
		t.Errorf("too few counts: %v", err)
	}
}

func TestCountsOfAnotherReleaseAreRefused(t *testing.T) {
	good, err := Measure(asking(tokenizer.Words, new(int)))
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]Counts{
		"no pieces":     {Words: good.Words},
		"fewer pieces":  {Words: good.Words, Pieces: good.Pieces[1:]},
		"no words":      {Pieces: good.Pieces},
		"unknown words": {Words: []int{0, 1, len(words)}, Pieces: good.Pieces},
		"below zero":    {Words: []int{0, -1}, Pieces: good.Pieces},
	} {
		if _, err := NewCounted(Spec{}, 1, "main", nil, &c); err == nil || !strings.Contains(err.Error(), "another release") {
			t.Errorf("%s: %v, want a refusal", what, err)
		}
	}
}
