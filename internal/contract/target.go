// The server: what its address must be, and what is asked of its endpoint.

package contract

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"assay/internal/dialect"
)

// simulatedRate is that of traffic to the embedded server for which nothing
// else is said: a first look needs no decision.
const simulatedRate = 10

// resolveTarget fills in and checks the server of one stream.
func (c *Contract) resolveTarget(prefix string, t *Target) error {
	at := prefix + "target."
	if len(t.URL) == 0 && t.Simulate == "" {
		return c.fail(at+"url", "is missing", "write target: {url: http://127.0.0.1:8000}, or {simulate: fixed} for the embedded server (--url, --simulate)")
	}
	for i, address := range t.URL {
		if err := c.checkURL(fmt.Sprintf("%surl[%d]", at, i), address); err != nil {
			return err
		}
	}
	if t.Simulate == "" && len(t.SimulateSet) > 0 {
		return c.fail(at+"simulate_set", "has no embedded server to set", "write simulate: and the name of a preset")
	}
	if t.Endpoint == "" {
		t.Endpoint = dialect.Table()[0].Name
	}
	d, ok := dialect.Find(t.Endpoint)
	if !ok {
		return c.unknownEndpoint(at+"endpoint", t.Endpoint)
	}
	t.Endpoint = d.Name // a contract may have another tool's name for it
	for i, address := range t.URL {
		if other := pathOf(address, d); other != d.Name {
			return c.fail(fmt.Sprintf("%surl[%d]", at, i), fmt.Sprintf("is the full path of %s, and the endpoint is %s", other, d.Name), "write endpoint: "+other+", or the base of the URL alone")
		}
	}
	switch {
	case t.Stream == nil:
		stream := d.Streams
		t.Stream = &stream
	case *t.Stream && !d.Streams:
		return c.fail(at+"stream", "the endpoint "+d.Name+" does not stream", "drop it, or write stream: false")
	}
	if t.BodyLimit == "" {
		t.BodyLimit = d.LimitField
	} else if !slices.Contains(d.LimitFields, t.BodyLimit) {
		return c.fail(at+"body_limit", fmt.Sprintf("%q is no output limit of %s", t.BodyLimit, d.Name), "it has "+strings.Join(d.LimitFields, ", "))
	}
	if t.IdleLimit == 0 {
		t.IdleLimit = idleLimit
	}
	if t.RequestLimit == 0 {
		t.RequestLimit = requestLimit
	}
	if t.Auth != "" {
		key, err := dialect.ParseKey(t.Auth)
		if err != nil {
			return c.fail(at+"auth", err.Error(), "write bearer, header NAME, query NAME or none")
		}
		t.Auth = key.String()
	}
	return c.checkExtra(at+"extra", t.Extra, d)
}

// pathOf is the endpoint whose full path ends the URL; want when that is one of
// them, or none does. The longest wins: /chat/completions is not the path of
// completions.
func pathOf(address string, want dialect.Dialect) string {
	u, err := url.Parse(address)
	if err != nil {
		return want.Name
	}
	name, longest := want.Name, want.Full(u.Path)
	for _, d := range dialect.Table() {
		if n := d.Full(u.Path); n > longest {
			name, longest = d.Name, n
		}
	}
	return name
}

func (c *Contract) unknownEndpoint(path, name string) error {
	known := dialect.Names()
	hint := "known are " + strings.Join(known, ", ")
	if n := nearest(name, known); n != "" {
		hint = "did you mean " + n + "?"
	}
	return c.fail(path, fmt.Sprintf("unknown endpoint %q", name), hint)
}

func (c *Contract) checkURL(path, address string) error {
	u, err := url.Parse(address)
	switch {
	case strings.HasPrefix(address, "unix:"):
		return c.checkSocket(path, address)
	case !strings.Contains(address, "://"):
		return c.fail(path, fmt.Sprintf("%q has no scheme", address), "write http://"+address+" or https://"+address)
	case err != nil:
		return c.fail(path, fmt.Sprintf("%q is not a URL", address), "write it as in http://127.0.0.1:8000")
	case u.Scheme != "http" && u.Scheme != "https":
		return c.fail(path, fmt.Sprintf("unknown scheme %q", u.Scheme), "http and https are spoken")
	case u.Hostname() == "":
		return c.fail(path, fmt.Sprintf("%q has no host", address), "write it as in http://127.0.0.1:8000")
	case u.Fragment != "":
		return c.fail(path, "has a fragment, which no server sees", "drop #"+u.Fragment)
	}
	return nil
}

// checkSocket wants the absolute path of a socket, and behind a colon, if any,
// that of the API.
func (c *Contract) checkSocket(path, address string) error {
	socket, base, _ := strings.Cut(strings.TrimPrefix(address, "unix:"), ":")
	if !strings.HasPrefix(socket, "/") || strings.HasPrefix(socket, "//") || base != "" && !strings.HasPrefix(base, "/") {
		return c.fail(path, fmt.Sprintf("%q is no address of a socket", address), "write unix:/run/server.sock, or unix:/run/server.sock:/base")
	}
	return nil
}

// ownFields are what the client writes into each body itself, and the setting
// that decides it.
var ownFields = map[string]string{
	"model": "target.model", "messages": "workload", "prompt": "workload", "stream": "target.stream",
	"stream_options": "target.stream", "max_tokens": "workload.output_tokens", "max_completion_tokens": "workload.output_tokens",
}

func (c *Contract) checkExtra(path string, extra map[string]any, d dialect.Dialect) error {
	own := maps.Clone(ownFields)
	for _, field := range d.Owns {
		own[field] = "workload"
	}
	for _, field := range d.LimitFields {
		own[field] = "workload.output_tokens"
	}
	for _, field := range slices.Sorted(maps.Keys(own)) {
		if has(extra, field) {
			return c.fail(join(path, field), "is written by assay itself", "use "+own[field]+map[bool]string{true: " (and body_limit: max_tokens for old servers)"}[field == "max_tokens"])
		}
	}
	return nil
}

// has tells whether a field, or one inside of others, is set.
func has(m map[string]any, field string) bool {
	outer, inner, nested := strings.Cut(field, ".")
	v, ok := m[outer]
	if !nested {
		return ok
	}
	in, _ := v.(map[string]any)
	return has(in, inner)
}
