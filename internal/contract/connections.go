// Connections: how requests share them.

package contract

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/internal/unit"
)

// How requests share connections.
const (
	Pooled     = "pooled"
	PerRequest = "per_request"
	Sticky     = "sticky"
)

// Which of several addresses the turns of a session go to.
const (
	BySession  = "session"
	NoAffinity = "none"
)

// Whether proxies of the environment are followed.
const (
	FromEnvironment = "environment"
	NoProxy         = "none"
)

// What a run may wait for before it begins.
const (
	WaitModels = "models"
	WaitHealth = "health"
	WaitToken  = "token"
)

// The versions of HTTP.
const (
	HTTP1 = "1.1"
	HTTP2 = "2"
)

// maxMultiplex bounds the streams of a connection.
const maxMultiplex = 1000

// waitLimit is long enough to load a large model.
const waitLimit = unit.Duration(5 * time.Minute)

// maxWeight bounds a round among addresses.
const maxWeight = 1000

// resolveConnections fills in how a stream's requests travel, and refuses what
// can't be carried out.
func (c *Contract) resolveConnections(at string, s *Stream) error {
	t := &s.Target
	if err := c.oneOf(at+"connections", &t.Connections, Pooled, PerRequest, Sticky); err != nil {
		return err
	}
	if w := &s.Workload; t.Connections == Sticky && s.OpenLoop() && w.Sessions == nil && len(w.Agent) == 0 && w.File == "" {
		return c.fail(at+"connections", NobodySticks, StickyHint)
	}
	if err := c.oneOf(at+"proxy", &t.Proxy, FromEnvironment, NoProxy); err != nil {
		return err
	}
	if (t.CertFile == "") != (t.KeyFile == "") {
		missing := map[bool]string{true: "cert_file", false: "key_file"}[t.CertFile == ""]
		return c.fail(at+missing, "is missing: a certificate and its key go together", "write cert_file and key_file")
	}
	if err := c.resolveVersion(at, t); err != nil {
		return err
	}
	if err := c.resolveRound(at, t); err != nil {
		return err
	}
	return c.resolveWait(at, t)
}

// resolveVersion is how a connection is spoken on.
func (c *Contract) resolveVersion(at string, t *Target) error {
	if err := c.oneOf(at+"http", &t.HTTP, HTTP1, HTTP2); err != nil {
		return err
	}
	switch {
	case t.HTTP == HTTP1 && t.Multiplex != 0:
		return c.fail(at+"multiplex", "is of HTTP/2", "write http: 2, or drop multiplex")
	case t.Multiplex < 0 || t.Multiplex > maxMultiplex:
		return c.fail(at+"multiplex", fmt.Sprintf("%d requests can't share a connection", t.Multiplex), "write 1 to 1000; 1 is the default")
	case t.HTTP == HTTP2 && t.Multiplex == 0:
		t.Multiplex = 1
	}
	return nil
}

// resolveRound is how several addresses share the requests.
func (c *Contract) resolveRound(at string, t *Target) error {
	n := len(t.URL)
	switch {
	case len(t.Weights) > 0 && len(t.Weights) != n:
		return c.fail(at+"weights", fmt.Sprintf("has %d numbers for %d URLs", len(t.Weights), n), "write one for each URL, in their order")
	case t.Affinity != "" && n < 2:
		return c.fail(at+"affinity", "is of several URLs, and there are not", "write url: [one, another], or drop affinity")
	case n < 2:
		return nil
	}
	for i, w := range t.Weights {
		if w < 1 || w > maxWeight {
			return c.fail(fmt.Sprintf("%sweights[%d]", at, i), fmt.Sprintf("%d is no weight", w), "write 1 to 1000; drop the URL that is to have nothing")
		}
	}
	return c.oneOf(at+"affinity", &t.Affinity, BySession, NoAffinity)
}

func (c *Contract) resolveWait(at string, t *Target) error {
	if t.WaitFor == "" {
		if t.WaitLimit != 0 {
			return c.fail(at+"wait_limit", "is of a wait, and there is none", "write wait_for: models, health or token")
		}
		return nil
	}
	if t.WaitLimit == 0 {
		t.WaitLimit = waitLimit
	}
	return c.oneOf(at+"wait_for", &t.WaitFor, WaitModels, WaitHealth, WaitToken)
}

// What is said of sticky connections that nobody could hold. Whether a file of
// requests has sessions is known only when it is read.
const (
	NobodySticks = "sticky has nobody to stick to: in open loop each request is another user's"
	StickyHint   = "write sessions, or concurrency or users; or per_request, which is what such users do"
)

// oneOf wants a setting to be one of some words; the first is its default.
func (c *Contract) oneOf(path string, setting *string, words ...string) error {
	switch {
	case *setting == "":
		*setting = words[0]
	case !slices.Contains(words, *setting):
		hint := "known are " + strings.Join(words, ", ")
		if n := nearest(*setting, words); n != "" {
			hint = "did you mean " + n + "?"
		}
		return c.fail(path, fmt.Sprintf("%q is not known here", *setting), hint)
	}
	return nil
}
