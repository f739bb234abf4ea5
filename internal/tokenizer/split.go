// How a text is split into pieces, across which nothing is merged.

package tokenizer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// gpt2 is the pattern that ByteLevel means when it is to use one.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// A preTokenizer is a step as tokenizer.json has it: its type, and what any of
// the types has.
type preTokenizer struct {
	Type             string         `json:"type"`
	Steps            []preTokenizer `json:"pretokenizers"`     // Sequence
	Pattern          pattern        `json:"pattern"`           // Split
	Behavior         string         `json:"behavior"`          // Split
	Invert           bool           `json:"invert"`            // Split
	AddPrefixSpace   *bool          `json:"add_prefix_space"`  // ByteLevel; Metaspace of old files
	UseRegex         *bool          `json:"use_regex"`         // ByteLevel
	Replacement      string         `json:"replacement"`       // Metaspace
	PrependScheme    string         `json:"prepend_scheme"`    // Metaspace
	Split            *bool          `json:"split"`             // Metaspace
	IndividualDigits bool           `json:"individual_digits"` // Digits
}

// A pattern is a regular expression or a plain string.
type pattern struct {
	Regex  *string `json:"Regex"`
	String *string `json:"String"`
}

// steps are the splitters of a step; byBytes tells that the pieces' bytes are
// what the vocabulary is made of.
func (p *preTokenizer) steps() (steps []splitter, byBytes bool, err error) {
	switch p.Type {
	case "Sequence":
		for i := range p.Steps {
			if byBytes {
				return nil, false, fmt.Errorf("pre_tokenizer: %s after ByteLevel is not supported", p.Steps[i].Type)
			}
			some, bytes, err := p.Steps[i].steps()
			if err != nil {
				return nil, false, err
			}
			steps, byBytes = append(steps, some...), bytes
		}
		return steps, byBytes, nil
	case "ByteLevel":
		if p.AddPrefixSpace == nil || *p.AddPrefixSpace {
			steps = append(steps, func(dst []string, piece string, _ bool) []string {
				if !strings.HasPrefix(piece, " ") {
					piece = " " + piece
				}
				return append(dst, piece)
			})
		}
		if p.UseRegex == nil || *p.UseRegex {
			steps = append(steps, splitAt(expression(regexp2.MustCompile(gpt2, options...)), isolated))
		}
		return steps, true, nil
	case "Split":
		s, err := p.splitter()
		return []splitter{s}, false, err
	case "Digits":
		b := contiguous
		if p.IndividualDigits {
			b = isolated
		}
		return []splitter{splitAt(digits, b)}, false, nil
	case "Metaspace":
		return p.metaspace()
	case "WhitespaceSplit":
		return []splitter{splitAt(whites, removed)}, false, nil
	}
	return nil, false, fmt.Errorf("pre_tokenizer %q is not supported: Sequence, Split, ByteLevel, Metaspace, WhitespaceSplit and Digits are", p.Type)
}

// options make the expressions those of Ruby's syntax, in which they are
// written: ^ and $ are at lines. The stack is not limited, for an expression
// that gives up would give other ids.
var options = []regexp2.CompileOption{regexp2.Multiline, regexp2.OptionMaxBacktrackingStackSize(-1)}

// ambiguous is what Ruby and this engine both read, and read differently: an
// intersection of classes, and a bounded repetition that is repeated.
var ambiguous = regexp.MustCompile(`&&|\{\d*,?\d*\}\+`)

func (p *preTokenizer) splitter() (splitter, error) {
	behave, ok := behaviors[p.Behavior]
	if !ok {
		return nil, fmt.Errorf("pre_tokenizer Split: behavior %q is not supported", p.Behavior)
	}
	var find finder
	switch {
	case p.Pattern.String != nil && *p.Pattern.String != "":
		find = literal(*p.Pattern.String)
	case p.Pattern.Regex != nil:
		source := *p.Pattern.Regex
		if other := ambiguous.FindString(source); other != "" {
			return nil, fmt.Errorf("pre_tokenizer Split: %s in the pattern %q is not supported", other, source)
		}
		re, err := regexp2.Compile(source, options...)
		if err != nil {
			return nil, fmt.Errorf("pre_tokenizer Split: pattern %q: %w", source, err)
		}
		find = expression(re)
	default:
		return nil, fmt.Errorf("pre_tokenizer Split has no pattern")
	}
	if p.Invert {
		plain := behave
		behave = func(dst []string, piece string, spans []span) []string {
			inverted := slices.Clone(spans)
			for i := range inverted {
				inverted[i].match = !inverted[i].match
			}
			return plain(dst, piece, inverted)
		}
	}
	return splitAt(find, behave), nil
}

// metaspace writes spaces as the replacement and begins a piece at each.
func (p *preTokenizer) metaspace() ([]splitter, bool, error) {
	mark, size := utf8.DecodeRuneInString(p.Replacement)
	if size == 0 || size != len(p.Replacement) || mark == utf8.RuneError {
		return nil, false, fmt.Errorf("pre_tokenizer Metaspace: replacement %q is not one character", p.Replacement)
	}
	scheme := p.PrependScheme
	switch {
	case scheme == "" && (p.AddPrefixSpace == nil || *p.AddPrefixSpace):
		scheme = "always"
	case scheme == "":
		scheme = "never"
	}
	if scheme != "always" && scheme != "first" && scheme != "never" {
		return nil, false, fmt.Errorf("pre_tokenizer Metaspace: prepend_scheme %q is not supported", scheme)
	}
	steps := []splitter{func(dst []string, piece string, first bool) []string {
		piece = strings.ReplaceAll(piece, " ", p.Replacement)
		if (scheme == "always" || scheme == "first" && first) && !strings.HasPrefix(piece, p.Replacement) {
			piece = p.Replacement + piece
		}
		return append(dst, piece)
	}}
	if p.Split == nil || *p.Split {
		steps = append(steps, splitAt(literal(p.Replacement), mergedWithNext))
	}
	return steps, false, nil
}

// A span is a stretch of a piece, from the end of the one before: a match or
// what is between two.
type span struct {
	end   int
	match bool
}

// A finder appends the spans of a piece, all of it.
type finder func(dst []span, piece string) []span

func splitAt(find finder, behave behavior) splitter {
	return func(dst []string, piece string, _ bool) []string {
		var room [64]span
		return behave(dst, piece, find(room[:0], piece))
	}
}

// note appends a match and what is between it and the span before.
func note(dst []span, start, end int) []span {
	last := 0
	if len(dst) > 0 {
		last = dst[len(dst)-1].end
	}
	if start > last {
		dst = append(dst, span{end: start})
	}
	return append(dst, span{end: end, match: true})
}

func finish(dst []span, piece string) []span {
	if len(dst) == 0 || dst[len(dst)-1].end < len(piece) {
		dst = append(dst, span{end: len(piece)})
	}
	return dst
}

func literal(s string) finder {
	return func(dst []span, piece string) []span {
		for at := 0; ; {
			i := strings.Index(piece[at:], s)
			if i < 0 {
				return finish(dst, piece)
			}
			dst = note(dst, at+i, at+i+len(s))
			at += i + len(s)
		}
	}
}

func whites(dst []span, piece string) []span {
	for i, r := range piece {
		if unicode.IsSpace(r) {
			dst = note(dst, i, i+utf8.RuneLen(r))
		}
	}
	return finish(dst, piece)
}

func digits(dst []span, piece string) []span {
	for i, r := range piece {
		if unicode.IsNumber(r) {
			dst = note(dst, i, i+utf8.RuneLen(r))
		}
	}
	return finish(dst, piece)
}

// expression finds the matches of a regular expression. The engine counts in
// characters: bytes are counted along.
func expression(re *regexp2.Regexp) finder {
	return func(dst []span, piece string) []span {
		at, runes := 0, 0 // the same place in both counts
		advance := func(to int) int {
			for ; runes < to; runes++ {
				_, size := utf8.DecodeRuneInString(piece[at:])
				at += size
			}
			return at
		}
		err := re.FindRunesMatches([]rune(piece), -1, func(m regexp2.MatchView) bool {
			index, length, _ := m.GroupRange(0)
			if length > 0 {
				start := advance(index)
				dst = note(dst, start, advance(index+length))
			}
			return true
		})
		if err != nil {
			panic("internal error: a pattern without a limit gave up: " + err.Error())
		}
		return finish(dst, piece)
	}
}
