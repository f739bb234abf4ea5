package run

// How a target is let in: the headers and parameters that every request
// carries, and the secrets among them, which are never shown.

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"assay/internal/contract"
	"assay/internal/dialect"
)

// An access is what every request to a target carries beside its content.
type access struct {
	headers [][2]string
	query   [][2]string
	secrets []string // values that must never be shown
}

// accessFor fills references to the environment in.
func accessFor(t contract.Target, d dialect.Dialect, env func(string) string) (access, error) {
	var a access
	if err := a.key(t, d, env); err != nil {
		return access{}, err
	}
	own := map[string]bool{}
	for _, name := range sortedKeys(t.Headers) {
		value, err := a.fill(t.Headers[name], "target.headers."+name, env)
		if err != nil {
			return access{}, err
		}
		own[strings.ToLower(name)] = true
		a.headers = append(a.headers, [2]string{name, value})
	}
	for _, h := range d.Headers {
		if !own[strings.ToLower(h[0])] {
			a.headers = append(a.headers, h)
		}
	}
	for _, name := range sortedKeys(t.Query) {
		value, err := a.fill(t.Query[name], "target.query."+name, env)
		if err != nil {
			return access{}, err
		}
		a.query = append(a.query, [2]string{name, value})
	}
	return a, nil
}

// key adds the caller's key, where the contract says or else the API wants it.
func (a *access) key(t contract.Target, d dialect.Dialect, env func(string) string) error {
	if t.APIKeyEnv == "" {
		return nil
	}
	value := env(t.APIKeyEnv)
	if value == "" {
		return usage(fmt.Errorf("the environment variable %s (target.api_key_env) is not set", t.APIKeyEnv),
			"export it, or put it into .env in the working folder")
	}
	how := d.Key
	if t.Auth != "" {
		var err error
		if how, err = dialect.ParseKey(t.Auth); err != nil {
			return usage(fmt.Errorf("target.auth: %w", err), "")
		}
	}
	a.secrets = append(a.secrets, value)
	switch how.In {
	case dialect.Bearer:
		a.headers = append(a.headers, [2]string{"Authorization", "Bearer " + value})
	case dialect.Header:
		a.headers = append(a.headers, [2]string{how.Name, value})
	case dialect.InQuery:
		a.query = append(a.query, [2]string{how.Name, value})
		if escaped := url.QueryEscape(value); escaped != value {
			a.secrets = append(a.secrets, escaped) // as a request shows it
		}
	}
	return nil
}

// fill replaces ${NAME}; where says what of the contract it stands in.
func (a *access) fill(value, where string, env func(string) string) (string, error) {
	missing := ""
	filled := os.Expand(value, func(ref string) string {
		v := env(ref)
		if v == "" {
			missing = ref
			return ""
		}
		a.secrets = append(a.secrets, v)
		if escaped := url.QueryEscape(v); escaped != v {
			a.secrets = append(a.secrets, escaped)
		}
		return v
	})
	if missing != "" {
		return "", usage(fmt.Errorf("the environment variable %s (%s) is not set", missing, where),
			"export it, or put it into .env in the working folder")
	}
	return filled, nil
}

// address adds the parameters to an address, and the model's name where it
// stands for it.
func (a *access) address(u *url.URL, model string) *url.URL {
	full := *u
	full.Path, full.RawPath = dialect.WithModel(u.Path, model), ""
	for _, p := range a.query {
		addQuery(&full, url.QueryEscape(p[0])+"="+url.QueryEscape(p[1]))
	}
	return &full
}

// mask puts stars in the place of secrets.
func (a *access) mask(text string) string {
	for _, s := range a.secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}

// shown is an address as it may be shown: without its parameters, which may be keys.
func shown(u *url.URL) string {
	bare := *u
	bare.User, bare.RawQuery = nil, ""
	return bare.String()
}
