package run

import (
	"testing"

	"assay/internal/contract"
	"assay/internal/dialect"
)

func TestAURLIsABaseOrAFullPath(t *testing.T) {
	chat, _ := dialect.Find("chat")
	for _, c := range []struct{ base, path, want, models string }{
		{"http://h:1", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"},
		{"http://h:1/", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"},
		{"http://h:1/v1", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"},
		{"http://h:1/v1/", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"},
		{"http://h:1/v1/chat/completions", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"},
		{"https://h/openai", "", "https://h/openai/v1/chat/completions", "https://h/openai/v1/models"},
		{"https://h/d/x/chat/completions?api-version=3", "", "https://h/d/x/chat/completions?api-version=3", "https://h/d/x/v1/models?api-version=3"},
		{"http://h", "/generate", "http://h/generate", "http://h/v1/models"},
		{"http://h/base/", "generate", "http://h/base/generate", "http://h/base/v1/models"},
		{"http://[::1]:80", "", "http://[::1]:80/v1/chat/completions", "http://[::1]:80/v1/models"},
	} {
		got, err := endpointURL(c.base, &contract.Target{Path: c.path}, chat)
		if err != nil || got.String() != c.want {
			t.Errorf("endpointURL(%q, %q) = %v, %v, want %s", c.base, c.path, got, err, c.want)
		}
		models, err := modelsURL(c.base, chat)
		if err != nil || models.String() != c.models {
			t.Errorf("modelsURL(%q) = %v, %v, want %s", c.base, models, err, c.models)
		}
	}
}

func TestAnAddressThatIsNoneIsAUsageError(t *testing.T) {
	chat, _ := dialect.Find("chat")
	for _, base := range []string{"", "localhost:8000", "ftp://h", "http://", "http://h:port"} {
		_, err := endpointURL(base, &contract.Target{}, chat)
		hint, ok := err.(*HintError)
		if !ok || hint.Code != ExitUsage || hint.Hint == "" {
			t.Errorf("endpointURL(%q) = %#v, want a usage error with a hint", base, err)
		}
	}
}

func TestOnlyPublicAddressesAreStrangers(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": false, "::1": false, "10.1.2.3": false, "192.168.1.1": false, "172.16.0.9": false,
		"fe80::1": false, "fd00::1": false, "::ffff:10.0.0.1": false, "0.0.0.0": false, "localhost": false,
		"8.8.8.8": true, "2001:4860:4860::8888": true, "172.32.0.1": true,
	} {
		if got := isStranger(t.Context(), host); got != want {
			t.Errorf("isStranger(%s) = %v, want %v", host, got, want)
		}
	}
}
