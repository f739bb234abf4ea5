// Connections: how requests share them.

package contract

import (
	"fmt"
	"slices"
	"strings"
)

// How requests share connections.
const (
	Pooled     = "pooled"
	PerRequest = "per_request"
	Sticky     = "sticky"
)

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
	return nil
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
