package run

import (
	"errors"
	"strings"
	"testing"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/observation"
	"assay/internal/record"
)

func chatLine(t testing.TB, field string) *line {
	t.Helper()
	d, ok := dialect.Find("chat")
	if !ok {
		t.Fatal("no dialect chat")
	}
	return &line{stream: &contract.Stream{Target: contract.Target{Model: "m"}}, dialect: d, options: dialect.Options{LimitField: field}}
}

func TestAServerThatDoesNotKeepTheOutputLimitIsRefused(t *testing.T) {
	for _, c := range []struct {
		field     string
		want, got int
		hint      string // "" when it is let through
	}{
		{"", 40, 40, ""},
		{"", 40, 12, ""},
		{"", 40, 96, ""}, // a count by another tokenizer
		{"", 40, 97, "max_tokens"},
		{"", 40, 20480, "max_tokens"},
		{"max_tokens", 40, 20480, "max_completion_tokens"},
	} {
		r := record.New("main", 0)
		r.WantOutput, r.Output = c.want, c.got
		err := chatLine(t, c.field).keptItsLimit(&r)
		var h *HintError
		if c.hint == "" {
			if err != nil {
				t.Errorf("%d tokens for %d: %v, want none", c.got, c.want, err)
			}
			continue
		}
		if !errors.As(err, &h) || h.Code != ExitCannot || !strings.HasSuffix(h.Hint, "target.body_limit="+c.hint) {
			t.Errorf("%d tokens for %d by %q: %v (%+v), want exit 5 and a hint at %s", c.got, c.want, c.field, err, h, c.hint)
		}
	}
}

func TestAServerThatClosesItsConnectionsIsToldBeforeTheLoad(t *testing.T) {
	for _, c := range []struct {
		closes bool
		policy string
		want   bool
	}{{true, "", true}, {true, contract.Sticky, true}, {true, contract.PerRequest, false}, {false, "", false}} {
		if got := closing(&observation.Preflight{Closes: c.closes}, c.policy); (got != "") != c.want {
			t.Errorf("closes %t, connections %q: %q", c.closes, c.policy, got)
		}
	}
}

func TestAFailedPreflightSaysTheNextStep(t *testing.T) {
	for kind, want := range map[string]string{
		record.ErrConnect:     "is the server up",
		record.ErrDNS:         "name right",
		record.HTTPError(401): "--api-key-env",
		record.HTTPError(404): "(m)",
		record.HTTPError(422): "body_limit=max_tokens",
		record.ErrContentType: "stream: false",
		record.ErrTruncated:   "assay try",
	} {
		r := record.New("main", 0)
		r.ErrorKind, r.ErrorMessage = kind, "the server's words"
		var h *HintError
		if err := refusal(chatLine(t, ""), &r); !errors.As(err, &h) || h.Code != ExitCannot ||
			!strings.Contains(h.Hint, want) || !strings.Contains(h.Error(), "the server's words") {
			t.Errorf("%s: %+v, want exit 5, the words, and a hint with %q", kind, h, want)
		}
	}
}
