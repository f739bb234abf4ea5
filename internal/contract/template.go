// Contracts to start from, with comments: one file a kind of traffic.

package contract

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed templates/*.yaml
var templates embed.FS

// Templates returns the kinds that Template knows, the usual one first.
func Templates() []string { return []string{"chat", "agents", "batch"} }

// Template returns a commented contract for a kind of traffic. It loads and
// runs as it is, against the embedded server.
func Template(kind string) ([]byte, error) {
	for _, k := range Templates() {
		if k == kind {
			return templates.ReadFile(path.Join("templates", kind+".yaml"))
		}
	}
	hint := "known are " + strings.Join(Templates(), ", ")
	if n := nearest(kind, Templates()); n != "" {
		hint = "did you mean " + n + "?"
	}
	return nil, &Error{Msg: fmt.Sprintf("no contract for %q", kind), Hint: hint}
}
