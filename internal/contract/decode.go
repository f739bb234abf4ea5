// The strict decoder: a tree onto the types of types.go, by their yaml tags.
// It is ours because it must remember where each setting was written, which a
// library's decoder forgets, and because that is what an error points at.

package contract

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"assay/internal/slo"
)

type decoder struct {
	source  *source
	written map[string]place
	flag    bool // the value came from a flag: places are not of the file
}

func (d *decoder) fail(n ast.Node, path, msg, hint string) error {
	return d.source.fail(d.at(n), path, msg, hint)
}

func (d *decoder) at(n ast.Node) place {
	p := placeOf(n)
	p.flag = d.flag
	return p
}

// decode sets into from the node; path names the setting.
func (d *decoder) decode(n ast.Node, into reflect.Value, path string) error {
	if err := d.refuse(n, path); err != nil {
		return err
	}
	if into.Kind() == reflect.Pointer {
		v := reflect.New(into.Type().Elem())
		if err := d.decode(n, v.Elem(), path); err != nil {
			return err
		}
		into.Set(v)
		return nil
	}
	if into.CanAddr() {
		if t, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
			return d.text(n, t, path)
		}
	}
	switch into.Kind() {
	case reflect.Struct:
		return d.block(n, into, path)
	case reflect.Slice:
		return d.list(n, into, path)
	case reflect.Map:
		return d.table(n, into, path)
	}
	return d.scalar(n, into, path)
}

// refuse turns away what YAML has and a contract has not.
func (d *decoder) refuse(n ast.Node, path string) error {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return d.fail(n, path, "anchors, aliases and merge keys are not read", "write the value out: what was run must stand in the file")
	case *ast.TagNode:
		return d.fail(n, path, "tags are not read", "write the value without "+n.GetToken().Value)
	case *ast.NullNode:
		return d.fail(n, path, "has no value", "write one, or leave the key out for the default")
	}
	return nil
}

// pairs returns the entries of a mapping.
func pairs(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}

// block decodes a mapping into a struct.
func (d *decoder) block(n ast.Node, into reflect.Value, path string) error {
	entries, ok := pairs(n)
	if !ok {
		hint := ""
		if names := keysOf(into.Type()); len(names) > 0 {
			hint = "write " + names[0] + ": and a value; known here: " + strings.Join(names, ", ")
		}
		return d.fail(n, path, "want keys and values, not "+kindOf(n), hint)
	}
	fields := fieldsOf(into.Type())
	for _, e := range entries {
		key, err := d.key(e, path)
		if err != nil {
			return err
		}
		index, known := fields[key]
		if !known {
			prefix := ""
			if path != "" {
				prefix = path + "."
			}
			where := "at the top level"
			if path != "" {
				where = "under " + path
			}
			return d.source.fail(d.at(e.Key), "", fmt.Sprintf("unknown key %q %s", key, where), meant(key, prefix, keysOf(into.Type())))
		}
		sub := join(path, key)
		d.written[sub] = d.at(e.Value)
		if err := d.decode(e.Value, into.Field(index), sub); err != nil {
			return err
		}
	}
	return nil
}

// key is the text of an entry's key.
func (d *decoder) key(e *ast.MappingValueNode, path string) (string, error) {
	switch e.Key.(type) {
	case *ast.MergeKeyNode:
		return "", d.refuse(e.Key, path)
	case *ast.MappingKeyNode:
		return "", d.fail(e.Key, path, "a key with a question mark is not read", "write key: value")
	}
	text, ok := textOf(e.Key)
	if !ok {
		return "", d.fail(e.Key, path, "a key must be a word, not "+kindOf(e.Key), "")
	}
	return text, nil
}

// list decodes a sequence; a single value is a list of one.
func (d *decoder) list(n ast.Node, into reflect.Value, path string) error {
	items := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		items = s.Values
	} else if word, ok := textOf(n); ok && hasWord(into.Type().Elem()) {
		into.Set(reflect.MakeSlice(into.Type(), 1, 1))
		into.Index(0).Addr().Interface().(worded).SetWord(word)
		return nil
	} else if into.Type().Elem().Kind() == reflect.Struct && !isText(into.Type().Elem()) {
		return d.fail(n, path, "want a list, not "+kindOf(n), "begin each element with a dash: - name: chat")
	}
	slice := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		sub := fmt.Sprintf("%s[%d]", path, i)
		d.written[sub] = d.at(item)
		if err := d.decode(item, slice.Index(i), sub); err != nil {
			return err
		}
	}
	into.Set(slice)
	return nil
}

// worded are blocks that one word may stand for, in place of a list of them.
type worded interface{ SetWord(word string) }

func hasWord(t reflect.Type) bool { return reflect.PointerTo(t).Implements(reflect.TypeFor[worded]()) }

// table decodes a mapping whose keys are free: headers, extra, server.
func (d *decoder) table(n ast.Node, into reflect.Value, path string) error {
	entries, ok := pairs(n)
	if !ok {
		return d.fail(n, path, "want keys and values, not "+kindOf(n), "write one key: value a line, indented")
	}
	m := reflect.MakeMap(into.Type())
	for _, e := range entries {
		key, err := d.key(e, path)
		if err != nil {
			return err
		}
		sub := join(path, key)
		d.written[sub] = d.at(e.Value)
		v := reflect.New(into.Type().Elem()).Elem()
		if err := d.decode(e.Value, v, sub); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(key), v)
	}
	into.Set(m)
	return nil
}

// text hands the words of a scalar to the type that reads them.
func (d *decoder) text(n ast.Node, t encoding.TextUnmarshaler, path string) error {
	words, ok := textOf(n)
	if !ok {
		hint := ""
		if _, isObjective := t.(*slo.Objective); isObjective {
			hint = "write one objective a line, as in - ttft p50 < 500ms"
		}
		return d.fail(n, path, "want one value, not "+kindOf(n), hint)
	}
	if err := setText(t, words, path); err != nil {
		return d.fail(n, path, err.Error(), hintFor(t, words, err))
	}
	return nil
}

// setText reads words into t. An objective's place decides its grammar.
func setText(t encoding.TextUnmarshaler, words, path string) (err error) {
	if o, ok := t.(*slo.Objective); ok {
		parse := slo.Parse
		if list := parent(path); list == "good" || strings.HasSuffix(list, ".good") {
			parse = slo.ParseGood
		}
		*o, err = parse(words)
		return err
	}
	return t.UnmarshalText([]byte(words))
}

// fieldsOf maps the keys of a struct to its fields.
func fieldsOf(t reflect.Type) map[string]int {
	fields := map[string]int{}
	for i := range t.NumField() {
		if name := keyOf(t.Field(i)); name != "" {
			fields[name] = i
		}
	}
	return fields
}

// keysOf returns the keys of a struct in the order of its fields.
func keysOf(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if name := keyOf(t.Field(i)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// keyOf is the name by which the file knows a field; "" for unexported ones.
func keyOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}

var textType = reflect.TypeFor[encoding.TextUnmarshaler]()

// isText tells whether values of the type are read from words.
func isText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textType) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
