package dialect_test

import (
	"testing"

	"assay/internal/dialect"
)

func TestAnAddressIsABaseOrHasTheVersionOrIsTheFullPath(t *testing.T) {
	openai := dialect.Dialect{Path: "/v1/chat/completions"}
	inModel := dialect.Dialect{Path: "/v1beta/models/{model}:generate", StreamPath: "/v1beta/models/{model}:stream"}
	two := dialect.Dialect{Path: "/generate", StreamPath: "/generate_stream"}
	v2 := dialect.Dialect{Path: "/v2/chat"}
	for _, c := range []struct {
		d              dialect.Dialect
		base           string
		streamed, path string
		below          string
	}{
		{openai, "", "/v1/chat/completions", "/v1/chat/completions", ""},
		{openai, "/api/v1/", "/api/v1/chat/completions", "/api/v1/chat/completions", "/api"},
		{openai, "/v4/chat/completions", "/v4/chat/completions", "/v4/chat/completions", "/v4"},
		{inModel, "", "/v1beta/models/{model}:stream", "/v1beta/models/{model}:generate", ""},
		{inModel, "/g/v1beta", "/g/v1beta/models/{model}:stream", "/g/v1beta/models/{model}:generate", "/g"},
		{inModel, "/v1/p/a/models/m-1:stream", "/v1/p/a/models/m-1:stream", "/v1/p/a/models/m-1:generate", "/v1/p/a"},
		{inModel, "/v1beta/models/m-1:generate", "/v1beta/models/m-1:stream", "/v1beta/models/m-1:generate", ""},
		{inModel, "/v1beta/models/:generate", "/v1beta/models/:generate/v1beta/models/{model}:stream", "/v1beta/models/:generate/v1beta/models/{model}:generate", "/v1beta/models/:generate"},
		{two, "/x", "/x/generate_stream", "/x/generate", "/x"},
		{two, "/generate", "/generate_stream", "/generate", ""},
		{two, "/x/generate_stream/", "/x/generate_stream", "/x/generate", "/x"},
		{v2, "/v2", "/v2/chat", "/v2/chat", ""},
		{v2, "/my/chat", "/my/chat/v2/chat", "/my/chat/v2/chat", "/my/chat"},
	} {
		if got := c.d.Below(c.base, true); got != c.streamed {
			t.Errorf("%s below %q, streamed = %q, want %q", c.d.Path, c.base, got, c.streamed)
		}
		if got := c.d.Below(c.base, false); got != c.path {
			t.Errorf("%s below %q = %q, want %q", c.d.Path, c.base, got, c.path)
		}
		if got := c.d.Base(c.base); got != c.below {
			t.Errorf("%s: the base of %q = %q, want %q", c.d.Path, c.base, got, c.below)
		}
	}
	if got := dialect.WithModel("/models/{model}:x", "a"); got != "/models/a:x" {
		t.Errorf("WithModel = %q", got)
	}
}

func TestTheWaysToSendAKey(t *testing.T) {
	for text, want := range map[string]dialect.Key{
		"bearer": {}, "none": {In: dialect.NoKey}, "header x-api-key": {In: dialect.Header, Name: "x-api-key"},
		"query  key ": {In: dialect.InQuery, Name: "key"},
	} {
		if got, err := dialect.ParseKey(text); err != nil || got != want {
			t.Errorf("ParseKey(%q) = %v, %v, want %v", text, got, err, want)
		}
		if again, err := dialect.ParseKey(want.String()); err != nil || again != want {
			t.Errorf("%v reads back as %v, %v", want, again, err)
		}
	}
	for _, text := range []string{"", "header", "header a b", "query", "basic", "bearer x", "header a:b", "none x"} {
		if got, err := dialect.ParseKey(text); err == nil {
			t.Errorf("ParseKey(%q) = %v, want an error", text, got)
		}
	}
}
