package sdks

// What is asked of every client of an API that writes text, and what each must
// make of the answer. The server counts words as tokens; a reply with a limit
// has as many as the limit.

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A speaker is a maker's client of one endpoint.
type speaker struct {
	client
	stop, length string // why a reply ends, in the API's words; stop is "" where every request has a limit
	cached       bool   // usage tells the tokens that the cache had
	unread       bool   // a whole reply does not tell the tokens of the prompt

	ask    func(context.Context, site, ask) (reply, error)
	stream func(context.Context, site, ask) (reply, error)
}

// speakers are those of all makers.
var speakers = []speaker{
	openAIChat, openAICompletions, openAIResponses,
	anthropicMessages,
	googleGemini,
	cohereChat,
	ollamaChat, ollamaGenerate,
	huggingGenerate,
}

// An ask is a request in no API's words.
type ask struct {
	model   string
	said    []string // in turns, the user's first
	limit   int      // 0: none
	retries int      // where the client can be told
}

// A reply is what a client made of an answer.
type reply struct {
	text   string
	events int // with text; 0 when the reply was no stream
	reason string

	input, output, cached int64
}

// talk has 8 words in three turns.
var talk = []string{"what was weighed", "the metal was", "and then"}

func few() ask { return ask{model: model, said: talk, limit: 10} }

// A way is how a reply is asked for.
type way struct {
	name   string
	stream bool
	ask    func(context.Context, site, ask) (reply, error)
}

func (s speaker) ways() []way { return []way{{"whole", false, s.ask}, {"streamed", true, s.stream}} }

// everyWay runs a test with every client, in both ways.
func everyWay(t *testing.T, test func(t *testing.T, ctx context.Context, s speaker, w way)) {
	for _, s := range speakers {
		for _, w := range s.ways() {
			t.Run(s.endpoint+"/"+w.name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				test(t, ctx, s, w)
			})
		}
	}
}

// wanted is a reply to few's prompt.
func (s speaker) wanted(w way, reason string, output int64, events int) reply {
	want := reply{reason: reason, input: 8, output: output}
	if w.stream {
		want.events = events
	}
	if s.unread && !w.stream {
		want.input = 0
	}
	return want
}

// fast is a server that loses no time.
func fast(t *testing.T, set ...string) site {
	flags := []string{"--preset", "fixed", "--set", "ttft=1ms", "--set", "itl=100us"}
	for _, s := range set {
		flags = append(flags, "--set", s)
	}
	return serve(t, flags...)
}

// check holds a reply against what it must be; its text is words.
func check(t *testing.T, got, want reply, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(got.text)
	if int64(len(words)) != want.output || strings.TrimPrefix(got.text, " ") != strings.Join(words, " ") {
		t.Errorf("the text is %q, want %d words with a space between", got.text, want.output)
	}
	got.text = ""
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(reply{})); diff != "" {
		t.Errorf("the reply is not what it must be (-want +got):\n%s", diff)
	}
}

func TestAReplyIsUnderstood(t *testing.T) {
	server := fast(t)
	everyWay(t, func(t *testing.T, ctx context.Context, s speaker, w way) {
		got, err := w.ask(ctx, server, few())
		check(t, got, s.wanted(w, s.length, 10, 10), err)
	})
}

func TestEventsOfSeveralTokensAreUnderstood(t *testing.T) {
	server := fast(t, "tokens_per_event=3")
	everyWay(t, func(t *testing.T, ctx context.Context, s speaker, w way) {
		got, err := w.ask(ctx, server, few())
		check(t, got, s.wanted(w, s.length, 10, 4), err) // 3, 3, 3 and 1
	})
}

func TestAReplyThatEndsOfItselfSaysSo(t *testing.T) {
	server := fast(t, "output_tokens=6")
	everyWay(t, func(t *testing.T, ctx context.Context, s speaker, w way) {
		if s.stop == "" {
			return // every request has a limit
		}
		unlimited := few()
		unlimited.limit = 0
		got, err := w.ask(ctx, server, unlimited)
		check(t, got, s.wanted(w, s.stop, 6, 6), err)
	})
}

func TestWhatTheCacheHadIsToldApart(t *testing.T) {
	server := serve(t, "--preset", "h100-8b", "--set", "template_tokens=0")
	everyWay(t, func(t *testing.T, ctx context.Context, s speaker, w way) {
		if !s.cached {
			return
		}
		// Others' prompts begin with another word. A block has 16 tokens: six
		// are whole before the end of 100.
		first := s.endpoint + w.name
		long := ask{model: model, said: []string{first + strings.Repeat(" word", 99)}, limit: 2}
		for i, cached := range []int64{0, 96} {
			got, err := w.ask(ctx, server, long)
			if err != nil {
				t.Fatal(err)
			}
			if got.input != 100 || got.cached != cached {
				t.Errorf("time %d: %d tokens, %d from the cache, want %d", i, got.input, got.cached, cached)
			}
		}
	})
}

func TestAReplyThatIsCutIsAnError(t *testing.T) {
	server := fast(t).faulty("cut,after=5")
	everyWay(t, func(t *testing.T, ctx context.Context, s speaker, w way) {
		got, err := w.ask(ctx, server, few())
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v, want that the reply was cut", err)
		}
		if w.stream && (got.events != 5 || len(strings.Fields(got.text)) != 5) {
			t.Errorf("%d events with %q before the cut, want 5 of a word each", got.events, got.text)
		}
	})
}
