package sdks

// What is asked of every client of an API whose answers are vectors, scores or
// labels.

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"
)

// A valuer is a client of one such endpoint. An ask's texts are what is judged;
// of a ranking the first is what the others are compared with.
type valuer struct {
	client
	gives  string // "vectors", "one vector" for all texts, "ranks" or "verdicts"
	counts bool   // the answer tells its tokens
	ask    func(context.Context, site, ask) (values, error)
}

// valuers are those of all makers.
var valuers = []valuer{
	openAIEmbeddings, openAIModerations,
	nvidiaEmbeddings, vllmChatEmbeddings,
	cohereEmbed, cohereRerank, cohereRerankOfJina,
	huggingEmbed,
}

// Values are what a client made of an answer.
type values struct {
	vectors  [][]float64
	order    []int     // of documents, the best first
	scores   []float64 // in that order, or of what is judged
	verdicts []bool
	input    int64
}

func everyValuer(t *testing.T, gives string, test func(t *testing.T, ctx context.Context, v valuer)) {
	for _, v := range valuers {
		if v.gives != gives {
			continue
		}
		t.Run(v.endpoint, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			test(t, ctx, v)
		})
	}
}

func length(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

func TestVectorsAreUnderstood(t *testing.T) {
	server := fast(t)
	test := func(n int) func(t *testing.T, ctx context.Context, v valuer) {
		return func(t *testing.T, ctx context.Context, v valuer) {
			got, err := v.ask(ctx, server, few())
			if err != nil {
				t.Fatal(err)
			}
			if len(got.vectors) != n {
				t.Fatalf("%d vectors, want %d", len(got.vectors), n)
			}
			for i, x := range got.vectors {
				if len(x) != 384 || math.Abs(length(x)-1) > 1e-5 {
					t.Errorf("vector %d has %d numbers and the length %g, want 384 and 1", i, len(x), length(x))
				}
				if i > 0 && slices.Equal(x, got.vectors[0]) {
					t.Errorf("vector %d is that of another text", i)
				}
			}
			if v.counts && got.input != 8 {
				t.Errorf("%d tokens, want 8", got.input)
			}
			again, err := v.ask(ctx, server, few())
			if err != nil || !slices.EqualFunc(again.vectors, got.vectors, slices.Equal) {
				t.Errorf("the same texts have other vectors, or none: %v", err)
			}
		}
	}
	everyValuer(t, "vectors", test(3))
	everyValuer(t, "one vector", test(1))
}

func TestRanksAreUnderstood(t *testing.T) {
	server := fast(t)
	everyValuer(t, "ranks", func(t *testing.T, ctx context.Context, v valuer) {
		documents := ask{model: model, said: []string{"what", "gold", "silver", "tin", "lead", "zinc"}}
		got, err := v.ask(ctx, server, documents)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(got.scores, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			t.Errorf("the scores are %v, want the best first", got.scores)
		}
		if sorted := slices.Sorted(slices.Values(got.order)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4}) {
			t.Errorf("the documents are %v, want each of five once", got.order)
		}
		documents.limit = 2
		best, err := v.ask(ctx, server, documents)
		if err != nil || !slices.Equal(best.order, got.order[:2]) {
			t.Errorf("the best two are %v, %v, want %v", best.order, err, got.order[:2])
		}
	})
}

func TestVerdictsAreUnderstood(t *testing.T) {
	server := fast(t)
	everyValuer(t, "verdicts", func(t *testing.T, ctx context.Context, v valuer) {
		got, err := v.ask(ctx, server, few())
		if err != nil {
			t.Fatal(err)
		}
		if len(got.verdicts) != 3 || len(got.scores) != 3 {
			t.Fatalf("%d verdicts and %d scores, want 3", len(got.verdicts), len(got.scores))
		}
		for i, flagged := range got.verdicts {
			if score := got.scores[i]; score <= 0 || score >= 1 || flagged != (score > 0.5) {
				t.Errorf("text %d has the score %g and is flagged: %t", i, score, flagged)
			}
		}
	})
}
