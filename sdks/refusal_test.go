package sdks

// What every client must make of a request that is refused.

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A client is what all clients of an endpoint have.
type client struct {
	endpoint  string
	modelless bool           // requests name no model
	kinds     map[int]string // of refusals by their status; nil where the API or its client has none
	waits     bool           // the client waits as Retry-After has it, and must show that header
	cannot    refusal        // a request that must be refused
	failure   func(error) failure
}

// A failure is what a client's error tells.
type failure struct {
	status                    int
	kind, message, retryAfter string
}

// A refusal is a request that a server must refuse, and what it then says.
type refusal struct {
	spoil   func(*ask)
	message string
}

var (
	negative = refusal{func(a *ask) { a.limit = -1 }, "got -1"}
	nameless = refusal{func(a *ask) { a.model = "" }, "model is required"}
	silent   = refusal{func(a *ask) { a.said = []string{} }, "the list is empty"}
	unclear  = refusal{silent.spoil, ""} // several APIs share the path: which was meant is not known
)

// A caller is a client, and a way to ask whose answer does not matter.
type caller struct {
	client
	way string
	ask func(context.Context, site, ask) error
}

func callers() []caller {
	var all []caller
	for _, s := range speakers {
		for _, w := range s.ways() {
			all = append(all, caller{s.client, w.name, func(ctx context.Context, at site, a ask) error {
				_, err := w.ask(ctx, at, a)
				return err
			}})
		}
	}
	for _, v := range valuers {
		all = append(all, caller{v.client, "whole", func(ctx context.Context, at site, a ask) error {
			_, err := v.ask(ctx, at, a)
			return err
		}})
	}
	return all
}

// everyCaller runs a test with every client, in both ways where there are two.
func everyCaller(t *testing.T, test func(t *testing.T, ctx context.Context, c caller)) {
	for _, c := range callers() {
		t.Run(c.endpoint+"/"+c.way, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			test(t, ctx, c)
		})
	}
}

// told holds an error against what it must tell, as far as the client does.
func (c client) told(t *testing.T, err error, want failure) {
	t.Helper()
	if err == nil {
		t.Fatal("there is no error")
	}
	got := c.failure(err)
	// Ollama's client drops what is said of a key.
	if !strings.Contains(got.message, want.message) && (got.message != "" || want.status != 401) {
		t.Errorf("the message is %q, want %q in it", got.message, want.message)
	}
	want.message, got.message = "", ""
	if want.kind = c.kinds[want.status]; want.kind == "" {
		got.kind = ""
	}
	if got.retryAfter == "" && !c.waits {
		want.retryAfter = ""
	}
	if got != want {
		t.Errorf("%v tells %+v, want %+v", err, got, want)
	}
}

func TestARefusalIsUnderstood(t *testing.T) {
	server := fast(t)
	stranger := server
	stranger.key = "wrong"
	for name, refused := range map[string]struct {
		site site
		want failure
	}{
		"too many":     {server.faulty("reject,for=7s"), failure{429, "", "turned away on purpose", "7"}},
		"server error": {server.faulty("error"), failure{500, "", "fails on purpose", ""}},
		"wrong key":    {stranger, failure{401, "", "token is needed", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			everyCaller(t, func(t *testing.T, ctx context.Context, c caller) {
				c.told(t, c.ask(ctx, refused.site, few()), refused.want)
			})
		})
	}
}

func TestAnUnknownModelIsRefused(t *testing.T) {
	server := serve(t, "--models", "large-9")
	everyCaller(t, func(t *testing.T, ctx context.Context, c caller) {
		if c.modelless {
			return
		}
		c.told(t, c.ask(ctx, server, few()), failure{404, "", model, ""})
	})
}

func TestARequestThatCannotBeIsRefused(t *testing.T) {
	server := fast(t)
	everyCaller(t, func(t *testing.T, ctx context.Context, c caller) {
		a := few()
		c.cannot.spoil(&a)
		c.told(t, c.ask(ctx, server, a), failure{400, "", c.cannot.message, ""})
	})
}

func TestWhoIsTurnedAwayComesAgainWhenTheServerSays(t *testing.T) {
	server := fast(t)
	everyCaller(t, func(t *testing.T, ctx context.Context, c caller) {
		if !c.waits {
			return
		}
		// Without the header these clients wait half a second.
		turned, again := server.faultyOnce("reject,for=1s"), few()
		again.retries = 1
		from := time.Now()
		if err := c.ask(ctx, turned, again); err != nil {
			t.Fatal(err)
		}
		if waited, sent := time.Since(from), turned.wire.sent.Load(); waited < time.Second || sent != 2 {
			t.Errorf("%d requests in %v, want 2 with a second between", sent, waited)
		}
	})
}
