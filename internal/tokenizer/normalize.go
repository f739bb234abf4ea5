// How a text is rewritten before it is split.

package tokenizer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

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
	Left    *bool         `json:"strip_left"`  // Strip
	Right   *bool         `json:"strip_right"` // Strip
	Table   []byte        `json:"precompiled_charsmap"`
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
		step, err := n.replace()
		return []normalizer{step}, err
	case "Strip":
		return []normalizer{n.strip}, nil
	case "Precompiled":
		p, err := newPrecompiled(n.Table)
		if err != nil {
			return nil, err
		}
		return []normalizer{p.rewrite}, nil
	}
	return nil, fmt.Errorf("normalizer %q is not supported: Sequence, Prepend, Replace, Strip, Precompiled, NFC, NFD, NFKC and NFKD are", n.Type)
}

// replace puts the content in the place of a plain string, or of spaces in a
// row, the one expression that converters of SentencePiece's models write.
func (n *normalizing) replace() (normalizer, error) {
	switch {
	case n.Pattern.String != nil && *n.Pattern.String != "":
		return func(s string) string { return strings.ReplaceAll(s, *n.Pattern.String, n.Content) }, nil
	case n.Pattern.Regex != nil && *n.Pattern.Regex == " {2,}":
		return func(s string) string { return manySpaces.ReplaceAllLiteralString(s, n.Content) }, nil
	}
	return nil, errors.New("normalizer Replace: only a plain string and the expression \" {2,}\" are supported")
}

var manySpaces = regexp.MustCompile(" {2,}")

// strip takes white space off the ends.
func (n *normalizing) strip(s string) string {
	if n.Left == nil || *n.Left {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if n.Right == nil || *n.Right {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}
