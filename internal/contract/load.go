// Reading the file: text to tree to Contract, strictly.

package contract

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// What a contract never has, and what would keep the YAML parser busy for
// minutes: it takes quadratic time in both.
const (
	MaxSize = 64 << 10     // bytes that somebody wrote
	maxFull = 16 * MaxSize // bytes of its canonical form, with every default of every stream
	maxNest = 50           // open brackets
)

// New returns a contract in which nothing is written yet.
func New() *Contract { return &Contract{written: map[string]place{}} }

// Load reads a contract. It refuses unknown keys, wrong types and units, two
// settings that exclude each other, and secrets; the error is an *Error with
// the place. It fills in no default: Resolve does, after the flags were Set.
func Load(name string, data []byte) (*Contract, error) { return read(name, data, MaxSize) }

// Reload reads a contract in its canonical form, as a run's folder has it.
func Reload(name string, data []byte) (*Contract, error) { return read(name, data, maxFull) }

func read(name string, data []byte, most int) (*Contract, error) {
	c := New()
	c.source = &source{name: name, lines: strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")}
	if len(data) > most {
		return nil, c.source.fail(place{}, "", fmt.Sprintf("%d bytes are too many for a contract", len(data)), "is this the right file?")
	}
	body, err := c.source.parse(data)
	if err != nil {
		return nil, err
	}
	if body != nil {
		d := decoder{source: c.source, written: c.written}
		if err := d.decode(body, reflect.ValueOf(c).Elem(), ""); err != nil {
			return nil, err
		}
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// parse returns the tree of the one document in data; nil if it is empty.
func (s *source) parse(data []byte) (body ast.Node, err error) {
	// The parser is a third party's and the file a stranger's: what makes it
	// panic is a file that can't be read, not a reason to die.
	defer func() {
		if r := recover(); r != nil {
			body, err = nil, s.fail(place{}, "", fmt.Sprintf("not YAML: %v", r), "")
		}
	}()
	if at, deep := s.nesting(); deep {
		return nil, s.fail(at, "", fmt.Sprintf("more than %d brackets are open", maxNest), "close them")
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, s.syntax(err)
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if _, comment := doc.Body.(*ast.CommentGroupNode); comment {
			continue
		}
		if body != nil {
			return nil, s.fail(placeOf(doc.Body), "", "a second document", "one file is one contract: remove the --- line and what follows")
		}
		body = doc.Body
	}
	return body, nil
}

// nesting finds where too many brackets are open. It counts those in quotes
// and comments too: no text of a contract has so many.
func (s *source) nesting() (place, bool) {
	depth := 0
	for i, line := range s.lines {
		column := 0
		for _, r := range line {
			column++
			switch r {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxNest {
				return place{line: i + 1, column: column}, true
			}
		}
	}
	return place{}, false
}

// syntax turns the parser's error into ours.
func (s *source) syntax(err error) *Error {
	var y yaml.Error
	if !errors.As(err, &y) {
		return s.fail(place{}, "", "not YAML: "+err.Error(), "")
	}
	var at place
	if t := y.GetToken(); t != nil && t.Position != nil {
		at = place{line: t.Position.Line, column: t.Position.Column}
	}
	msg, hint := cut(y.GetMessage(), 120), ""
	switch {
	case strings.Contains(msg, "already defined"):
		hint = "a key may stand only once: drop one of the two"
	case strings.Contains(msg, "'\t'"):
		msg, hint = "a tab at the start of a line", "YAML is indented by spaces"
	case strings.Contains(msg, "mapping value is not allowed"):
		hint = "put a value with a colon in it between quotes"
	case strings.Contains(msg, "end token"):
		hint = "put a value with brackets in it between quotes, or close the bracket"
	}
	return s.fail(at, "", msg, hint)
}

func placeOf(n ast.Node) place {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return place{}
	}
	p := n.GetToken().Position
	// A block mapping's token is its first colon; people look at its first key.
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return placeOf(m.Values[0].Key)
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return placeOf(v.Key)
	}
	return place{line: p.Line, column: p.Column}
}
