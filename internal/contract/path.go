// Paths: the names of settings, from the types.

package contract

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// lookup returns the field at a path, or an error where there is none. A nil
// pointer on the way gives the zero Value.
func (c *Contract) lookup(path string) (reflect.Value, error) {
	v := reflect.ValueOf(c).Elem()
	for step, rest := range steps(path) {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, nil
			}
			v = v.Elem()
		}
		next, err := walk(v, step, path, rest)
		if err != nil {
			return reflect.Value{}, err
		}
		if next.Kind() == reflect.Map && rest != "" {
			return reflect.Value{}, nil // an entry is not a field
		}
		v = next
	}
	return v, nil
}

// reach returns the field that Set writes to, making the blocks on the way;
// for an entry of a table it returns the table and the entry's keys.
func (c *Contract) reach(path string) (v reflect.Value, keys []string, err error) {
	v = reflect.ValueOf(c).Elem()
	for step, rest := range steps(path) {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		if v, err = walk(v, step, path, rest); err != nil {
			return v, nil, err
		}
		if v.Kind() == reflect.Map && rest != "" {
			keys = strings.Split(rest, ".")
			if slices.Contains(keys, "") {
				return v, nil, &Error{Path: path, Msg: "has an empty key"}
			}
			return v, keys, nil
		}
	}
	return v, nil, nil
}

// steps yields the words of a path with what follows each: "a", "[0]", "b".
func steps(path string) func(yield func(step, rest string) bool) {
	return func(yield func(step, rest string) bool) {
		for path != "" {
			i := strings.IndexAny(path[1:], ".[")
			step, rest := path, ""
			if i >= 0 {
				step, rest = path[:i+1], path[i+1:]
			}
			rest = strings.TrimPrefix(rest, ".")
			if !yield(step, rest) {
				return
			}
			path = rest
		}
	}
}

// walk goes one step down.
func walk(v reflect.Value, step, path, rest string) (reflect.Value, error) {
	if index, ok := strings.CutPrefix(step, "["); ok {
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if v.Kind() != reflect.Slice || err != nil || i < 0 || i >= v.Len() {
			return v, &Error{Path: path, Msg: "there is no element " + step}
		}
		return v.Index(i), nil
	}
	if v.Kind() == reflect.Struct && !isText(v.Type()) {
		if i, ok := fieldsOf(v.Type())[step]; ok {
			return v.Field(i), nil
		}
		prefix := strings.TrimSuffix(strings.TrimSuffix(path, rest), ".")
		prefix = strings.TrimSuffix(prefix, step)
		return v, &Error{Path: path, Msg: "unknown setting " + strconv.Quote(step), Hint: meant(step, prefix, keysOf(v.Type()))}
	}
	return v, &Error{Path: path, Msg: "unknown setting: there is nothing below " + strings.TrimSuffix(strings.TrimSuffix(path, rest), "."+step+".")}
}

// Keys returns the path of every setting of a file, in the order of the types:
// "traffic.rate", "streams[].name".
func Keys() []string {
	return keysBelow(reflect.TypeFor[Contract](), "")
}

func keysBelow(t reflect.Type, prefix string) []string {
	var keys []string
	for i := range t.NumField() {
		name := keyOf(t.Field(i))
		if name == "" {
			continue
		}
		path := prefix + name
		keys = append(keys, path)
		ft := t.Field(i).Type
		for ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		switch {
		case ft.Kind() == reflect.Struct && !isText(ft):
			keys = append(keys, keysBelow(ft, path+".")...)
		case ft.Kind() == reflect.Slice && !isList(ft):
			keys = append(keys, keysBelow(ft.Elem(), path+"[].")...)
		}
	}
	return keys
}
