// Single values, and the free-form ones of server: and extra:.

package contract

import (
	"math"
	"reflect"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// textOf is the text of a scalar as written, without its quotes.
func textOf(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// kindOf names what was found instead of what was wanted.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys and values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	}
	return "this"
}

// scalar decodes one value into a string, bool, number or any.
func (d *decoder) scalar(n ast.Node, into reflect.Value, path string) error {
	if into.Kind() == reflect.Interface {
		v, err := d.free(n, path)
		if err != nil {
			return err
		}
		into.Set(reflect.ValueOf(v))
		return nil
	}
	words, ok := textOf(n)
	if !ok {
		return d.fail(n, path, "want one value, not "+kindOf(n), "")
	}
	if msg, hint := setScalar(into, words); msg != "" {
		return d.fail(n, path, msg, hint)
	}
	return nil
}

// setScalar reads words into a string, bool or number; msg says what is wrong.
func setScalar(into reflect.Value, words string) (msg, hint string) {
	switch into.Kind() {
	case reflect.String:
		into.SetString(words)
	case reflect.Bool:
		if words != "true" && words != "false" {
			return strconv.Quote(words) + " is neither true nor false", "write true or false"
		}
		into.SetBool(words == "true")
	case reflect.Int:
		v, err := strconv.Atoi(words)
		if err != nil {
			return strconv.Quote(words) + " is not a whole number", "write digits alone, as in 8"
		}
		into.SetInt(int64(v))
	case reflect.Uint64:
		v, err := strconv.ParseUint(words, 10, 64)
		if err != nil {
			return strconv.Quote(words) + " is not a whole number of 0 or more", "write digits alone, as in 1"
		}
		into.SetUint(v)
	case reflect.Float64:
		v, err := strconv.ParseFloat(words, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return strconv.Quote(words) + " is not a number", "write it as in 2.49"
		}
		into.SetFloat(v)
	default:
		panic("internal error: contract has a field of kind " + into.Kind().String())
	}
	return "", ""
}

// floats are the numbers that the YAML library leaves as text: 1e3.
var floats = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// free turns a node into the value that encoding/json would have made of it,
// but that whole numbers stay whole.
func (d *decoder) free(n ast.Node, path string) (any, error) {
	if err := d.refuse(n, path); err != nil {
		return nil, err
	}
	if entries, ok := pairs(n); ok {
		m := map[string]any{}
		for _, e := range entries {
			key, err := d.key(e, path)
			if err != nil {
				return nil, err
			}
			sub := join(path, key)
			d.written[sub] = d.at(e.Value)
			if m[key], err = d.free(e.Value, sub); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	if s, ok := n.(*ast.SequenceNode); ok {
		list := make([]any, len(s.Values))
		for i, item := range s.Values {
			var err error
			if list[i], err = d.free(item, path); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	switch v := n.(type) {
	case *ast.BoolNode:
		return v.Value, nil
	case *ast.InfinityNode, *ast.NanNode:
		return nil, d.fail(n, path, "is not a finite number", "")
	}
	words, ok := textOf(n)
	if !ok {
		return nil, d.fail(n, path, "want a value, not "+kindOf(n), "")
	}
	if n.GetToken().Type == token.SingleQuoteType || n.GetToken().Type == token.DoubleQuoteType {
		return words, nil
	}
	if _, literal := n.(*ast.LiteralNode); literal {
		return words, nil
	}
	return freeWord(words), nil
}

// freeWord types a plain word: a whole number, a number, or a text.
func freeWord(words string) any {
	if v, err := strconv.ParseInt(words, 10, 64); err == nil {
		return v
	}
	if v, err := strconv.ParseUint(words, 10, 64); err == nil {
		return v
	}
	if floats.MatchString(words) {
		if v, err := strconv.ParseFloat(words, 64); err == nil && !math.IsInf(v, 0) {
			return v
		}
	}
	return words
}
