package run

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/contract"
	"assay/internal/dialect"
)

// variables has a key that looks otherwise in an address.
func variables(name string) string {
	return map[string]string{"KEY": "a b/c", "TEAM": "blue"}[name]
}

func TestTheKeyGoesWhereTheApiOrTheContractWantsIt(t *testing.T) {
	anthropic := dialect.Dialect{Key: dialect.Key{In: dialect.Header, Name: "x-api-key"}, Headers: [][2]string{{"Anthropic-Version", "1"}}}
	for name, c := range map[string]struct {
		target contract.Target
		d      dialect.Dialect
		want   [][2]string
		url    string
	}{
		"no key":            {contract.Target{}, dialect.Dialect{}, nil, "http://h/m/x"},
		"a bearer":          {contract.Target{APIKeyEnv: "KEY"}, dialect.Dialect{}, [][2]string{{"Authorization", "Bearer a b/c"}}, "http://h/m/x"},
		"the API's own way": {contract.Target{APIKeyEnv: "KEY"}, anthropic, [][2]string{{"x-api-key", "a b/c"}, {"Anthropic-Version", "1"}}, "http://h/m/x"},
		"another":           {contract.Target{APIKeyEnv: "KEY", Auth: "header api-key"}, dialect.Dialect{}, [][2]string{{"api-key", "a b/c"}}, "http://h/m/x"},
		"in the address":    {contract.Target{APIKeyEnv: "KEY", Auth: "query key", Query: map[string]string{"v": "1 2", "a": "${TEAM}"}}, dialect.Dialect{}, nil, "http://h/m/x?key=a+b%2Fc&a=blue&v=1+2"},
		"nowhere":           {contract.Target{APIKeyEnv: "KEY", Auth: "none"}, dialect.Dialect{}, nil, "http://h/m/x"},
		"a header of its own is the contract's": {contract.Target{Headers: map[string]string{"anthropic-version": "2", "X-Team": "${TEAM}"}}, anthropic,
			[][2]string{{"X-Team", "blue"}, {"anthropic-version", "2"}}, "http://h/m/x"},
	} {
		a, err := accessFor(c.target, c.d, variables)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, a.headers); diff != "" {
			t.Errorf("%s: headers (-want +got):\n%s", name, diff)
		}
		u := a.address(&url.URL{Scheme: "http", Host: "h", Path: "/{model}/x"}, "m").String()
		if u != c.url {
			t.Errorf("%s: the address is %s, want %s", name, u, c.url)
		}
		if c.target.APIKeyEnv != "" && (a.mask("a b/c") != "***" || c.target.Auth == "query key" && a.mask("key=a+b%2Fc") != "key=***") {
			t.Errorf("%s: the key is shown", name)
		}
	}
}

func TestAParameterThatStandsInTheAddressStays(t *testing.T) {
	a, err := accessFor(contract.Target{Query: map[string]string{"api-version": "2", "b": "3"}}, dialect.Dialect{}, variables)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse("http://user@h/x?api-version=1")
	if err != nil {
		t.Fatal(err)
	}
	if got := a.address(u, "").String(); got != "http://user@h/x?api-version=1&b=3" {
		t.Errorf("the address is %s", got)
	}
	if got := shown(u); got != "http://h/x" {
		t.Errorf("it is shown as %s", got)
	}
}

func TestAVariableThatIsNotSetIsNamed(t *testing.T) {
	for _, target := range []contract.Target{{APIKeyEnv: "NONE"}, {Headers: map[string]string{"a": "${NONE}"}}, {Query: map[string]string{"a": "${NONE}"}}} {
		_, err := accessFor(target, dialect.Dialect{}, variables)
		hint, ok := err.(*HintError)
		if !ok || hint.Code != ExitUsage {
			t.Errorf("%+v: %v, want a usage error", target, err)
		}
	}
}

func TestModelsAreListedInSeveralForms(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"list","data":[{"id":"a"},{"id":"b"}]}`:   "a",
		`{"models":[{"name":"tiny:latest","model":"tiny"}]}`: "tiny:latest",
		`{"models":[{"name":"models/gemini-2.5-flash"}]}`:    "gemini-2.5-flash",
		`{"models":[]}`: "", `{"data":[]}`: "", `nonsense`: "",
	} {
		if got := firstOf([]byte(body)); got != want {
			t.Errorf("firstOf(%s) = %q, want %q", body, got, want)
		}
	}
}
