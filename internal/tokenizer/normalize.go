// How a text is rewritten before it is split.

package tokenizer

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A normalizing is a step as tokenizer.json has it: its type, and what any of
// the types has.
type normalizing struct {
	Type    string        `json:"type"`
	Steps   []normalizing `json:"normalizers"` // Sequence
	Prepend string        `json:"prepend"`     // Prepend
	Pattern pattern       `json:"pattern"`     // Replace
	Content string        `json:"content"`     // Replace
}

var forms = map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func (n *normalizing) steps() ([]normalizer, error) {
	if form, ok := forms[n.Type]; ok {
		return []normalizer{form.String}, nil
	}
	switch n.Type {
	case "Sequence":
		var steps []normalizer
		for i := range n.Steps {
			some, err := n.Steps[i].steps()
			if err != nil {
				return nil, err
			}
			steps = append(steps, some...)
		}
		return steps, nil
	case "Prepend":
		return []normalizer{func(s string) string {
			if s == "" {
				return s
			}
			return n.Prepend + s
		}}, nil
	case "Replace":
		if n.Pattern.String == nil || *n.Pattern.String == "" {
			return nil, errors.New("normalizer Replace: only a plain string is supported")
		}
		return []normalizer{func(s string) string { return strings.ReplaceAll(s, *n.Pattern.String, n.Content) }}, nil
	}
	return nil, fmt.Errorf("normalizer %q is not supported: Sequence, Prepend, Replace, NFC, NFD, NFKC and NFKD are", n.Type)
}
