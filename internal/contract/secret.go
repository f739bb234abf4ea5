// Secrets: named, never stored. A contract is committed, mailed and copied
// into the folder of each run, so a secret in it is refused outright.

package contract

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// sayName is the hint of every refusal here.
const sayName = "name the environment variable that holds it: api_key_env: OPENAI_API_KEY, or ${NAME} in a header"

var (
	secretHeader = regexp.MustCompile(`(?i)authorization|cookie|api-?_?key|secret|password|credential|access-?key|token$`)
	secretField  = regexp.MustCompile(`(?i)^(authorization|.*api[-_]?key|.*secret|password|passwd|.*(access|auth|bearer)[-_]?token)$`)
	secretQuery  = regexp.MustCompile(`(?i)^(.*api[-_]?key|key|.*token|sig|signature|.*secret|password|x-amz-signature)$`)
	secretValue  = regexp.MustCompile(`(?i)^\s*(bearer|basic)\s+\S|^\s*(sk|pk|hf|ghp)[-_][A-Za-z0-9_-]{12,}`)
	headerName   = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
)

// ownHeaders are set by the exchange itself.
var ownHeaders = []string{"content-length", "transfer-encoding", "connection", "host", "accept-encoding", "content-type", "x-request-id"}

// checkSecrets refuses literal secrets in one target; prefix is "" or "streams[0].".
func (c *Contract) checkSecrets(prefix string, t *Target) error {
	at := prefix + "target."
	if t.APIKeyEnv != "" && !isEnvName(t.APIKeyEnv) {
		return c.secret(at+"api_key_env", "is not the name of an environment variable", "export the key as OPENAI_API_KEY and write api_key_env: OPENAI_API_KEY")
	}
	for _, name := range slices.Sorted(maps.Keys(t.Headers)) {
		if err := c.checkHeader(at+"headers."+name, name, t.Headers[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Query)) {
		if err := c.checkParameter(at+"query."+name, name, t.Query[name]); err != nil {
			return err
		}
	}
	for i, address := range t.URL {
		if err := c.checkAddressSecret(fmt.Sprintf("%surl[%d]", at, i), address); err != nil {
			return err
		}
	}
	if err := c.checkAddressSecret(at+"path", t.Path); err != nil {
		return err
	}
	return c.checkFreeSecret(at+"extra", t.Extra)
}

func (c *Contract) checkHeader(path, name, value string) error {
	switch {
	case !headerName.MatchString(name):
		return c.secret(path, "is not the name of a header", "")
	case strings.ContainsAny(value, "\r\n\x00"):
		return c.secret(path, "has a line break in its value", "a header is one line")
	case slices.Contains(ownHeaders, strings.ToLower(name)):
		return c.fail(path, "is set by assay itself", "leave it out")
	}
	if !secretHeader.MatchString(name) && !secretValue.MatchString(value) {
		return nil
	}
	// What surrounds a reference is a scheme or a name: "Bearer ${KEY}".
	rest := envReference.ReplaceAllString(value, "")
	if rest == value || len(rest) > 24 || secretValue.MatchString(rest) {
		return c.secret(path, "holds a secret", "write "+name+`: "Bearer ${NAME}" with the secret in the environment variable NAME, or use api_key_env`)
	}
	return nil
}

// checkParameter refuses a literal secret in a parameter of the address.
func (c *Contract) checkParameter(path, name, value string) error {
	if !secretQuery.MatchString(name) && !secretValue.MatchString(value) {
		return nil
	}
	if rest := envReference.ReplaceAllString(value, ""); rest == value || secretValue.MatchString(rest) {
		return c.secret(path, "holds a secret", "write "+name+": ${NAME} with the secret in the environment variable NAME, or use api_key_env with auth: query "+name)
	}
	return nil
}

func (c *Contract) checkAddressSecret(path, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		if strings.Contains(address, "@") {
			return c.secret(path, "is not a URL", "")
		}
		return nil // checkURL says it better
	}
	if u.User != nil {
		return c.secret(path, "holds a user or a password", sayName)
	}
	for name := range u.Query() {
		if secretQuery.MatchString(name) {
			return c.secret(path, fmt.Sprintf("holds a secret in its parameter %q", name), sayName)
		}
	}
	return nil
}

// checkFreeSecret looks through a free form for keys that name secrets.
func (c *Contract) checkFreeSecret(path string, m map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		sub := join(path, key)
		switch v := m[key].(type) {
		case map[string]any:
			if err := c.checkFreeSecret(sub, v); err != nil {
				return err
			}
		case string:
			if secretField.MatchString(key) || secretValue.MatchString(v) {
				return c.secret(sub, "holds a secret", sayName)
			}
		}
	}
	return nil
}

// secret is fail without the value in the excerpt, whatever it looks like.
func (c *Contract) secret(path, msg, hint string) *Error {
	e := c.fail(path, msg, hint)
	if e.Line == 0 {
		return e
	}
	line := []rune(c.source.lines[e.Line-1])
	kept := line[:min(len(line), e.Column-1)]
	e.Excerpt = pointed(mask(string(kept))+"***", e.Line, e.Column)
	return e
}
