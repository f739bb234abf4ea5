// Settings by path: flags and --set go through here, so that a flag and the
// file read the same words in the same way.

package contract

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
)

// Set writes the setting at a path: traffic.rate, slo, server.gpu,
// target.headers.X-Team, streams.chat.traffic.rate (by name or by [0]). It
// replaces what a file said, and removes what excludes it there; two Sets that
// exclude each other are an error. Lists and free forms are read as YAML:
// [ttft p50 < 500ms, itl p99 < 100ms]. Set is for before Resolve: what Resolve
// has filled in counts as said.
func (c *Contract) Set(path, value string) error {
	return c.set(path, []string{value})
}

// SetList is Set for a list whose elements come one by one, as those of a
// repeated flag do.
func (c *Contract) SetList(path string, values []string) error {
	return c.set(path, values)
}

func (c *Contract) set(path string, values []string) error {
	path, err := c.normal(path)
	if err != nil {
		return err
	}
	if c.derived {
		c.liftStream()
	}
	if err := c.displace(path); err != nil {
		return err
	}
	if c.written == nil {
		c.written = map[string]place{}
	}
	if err := c.assign(path, values); err != nil {
		return err
	}
	c.written[path] = place{flag: true}
	c.forgetArrivals()
	if strings.HasSuffix(path, "traffic.arrivals") && len(values) == 1 {
		c.shed(strings.TrimSuffix(path, "arrivals"), values[0])
	}
	switch path {
	case "slo":
		c.DefaultSLO = false
	default:
		if i, ok := strings.CutSuffix(path, ".slo"); ok {
			if v, err := c.lookup(i + ".default_slo"); err == nil {
				v.SetBool(false)
			}
		}
	}
	return nil
}

// normal turns streams.NAME.… into streams[i].…, and refuses what is not there.
func (c *Contract) normal(path string) (string, error) {
	if path = strings.TrimSpace(path); path == "" {
		return "", &Error{Msg: "no setting is named", Hint: "write its path, as in traffic.rate"}
	}
	rest, ok := strings.CutPrefix(path, "streams.")
	if !ok {
		return path, nil
	}
	name, rest, _ := strings.Cut(rest, ".")
	var names []string
	for i, s := range c.Streams {
		if c.derived {
			break
		}
		if s.Name == name {
			return strings.TrimSuffix(fmt.Sprintf("streams[%d].%s", i, rest), "."), nil
		}
		names = append(names, s.Name)
	}
	hint := "the contract has no streams: leave out streams." + name
	if len(names) > 0 {
		hint = "its streams are " + strings.Join(names, ", ")
	}
	return "", &Error{Path: path, Msg: fmt.Sprintf("no stream %q", name), Hint: hint}
}

// displace removes what the file said and path excludes.
func (c *Contract) displace(path string) error {
	prefix, setting := "", path
	if strings.HasPrefix(path, "streams[") {
		if i := strings.Index(path, "]."); i > 0 {
			prefix, setting = path[:i+2], path[i+2:]
		}
	}
	for _, other := range displaces[setting] {
		at := prefix + other
		if p, ok := c.written[at]; ok && p.flag {
			return &Error{Path: path, Msg: "excludes " + at + ", which is given too", Hint: "drop " + last(path) + " or " + last(at)}
		}
		if v, err := c.lookup(at); err == nil && v.IsValid() {
			v.SetZero()
		}
		maps.DeleteFunc(c.written, func(k string, _ place) bool {
			return k == at || strings.HasPrefix(k, at+"[") || strings.HasPrefix(k, at+".")
		})
	}
	return nil
}

// assign decodes the values into the setting at path.
func (c *Contract) assign(path string, values []string) error {
	v, key, err := c.reach(path)
	if err != nil {
		return err
	}
	if key != nil { // an entry of a table
		return c.assignEntry(v, key, path, values)
	}
	target := v
	if target.Kind() == reflect.Pointer {
		target = reflect.New(v.Type().Elem()).Elem()
	}
	switch {
	case target.Kind() == reflect.Slice && isList(target.Type()):
		err = c.assignList(target, path, values)
	case len(values) != 1:
		err = &Error{Path: path, Msg: "given " + strconv.Itoa(len(values)) + " times, and takes one value"}
	case isText(target.Type()):
		t := target.Addr().Interface().(encoding.TextUnmarshaler)
		if bad := setText(t, values[0], path); bad != nil {
			err = &Error{Path: path, Msg: bad.Error(), Hint: hintFor(t, values[0], bad)}
		}
	case target.Kind() == reflect.Struct || target.Kind() == reflect.Slice || target.Kind() == reflect.Map:
		err = c.assignYAML(target, path, values[0])
	default:
		if msg, hint := setScalar(target, values[0]); msg != "" {
			err = &Error{Path: path, Msg: msg, Hint: hint}
		}
	}
	if err != nil {
		return err
	}
	if v.Kind() == reflect.Pointer {
		v.Set(target.Addr())
	}
	return nil
}

// isList tells lists of words (url, slo, weights) from lists of blocks (streams).
func isList(t reflect.Type) bool {
	return t.Elem().Kind() != reflect.Struct || isText(t.Elem())
}

// assignList sets a list of words from words, or from one YAML list.
func (c *Contract) assignList(list reflect.Value, path string, values []string) error {
	if len(values) == 1 && strings.HasPrefix(strings.TrimSpace(values[0]), "[") {
		return c.assignYAML(list, path, values[0])
	}
	slice := reflect.MakeSlice(list.Type(), len(values), len(values))
	for i, words := range values {
		sub := fmt.Sprintf("%s[%d]", path, i)
		item := slice.Index(i)
		if !isText(item.Type()) {
			item.SetString(words)
			continue
		}
		t := item.Addr().Interface().(encoding.TextUnmarshaler)
		if err := setText(t, words, sub); err != nil {
			return &Error{Path: path, Msg: err.Error(), Hint: hintFor(t, words, err)}
		}
	}
	list.Set(slice)
	return nil
}

// assignYAML decodes one text as YAML.
func (c *Contract) assignYAML(into reflect.Value, path, text string) error {
	s := &source{lines: []string{text}}
	body, err := s.parse([]byte(text))
	if err == nil && body == nil {
		err = &Error{Msg: "has no value"}
	}
	if err == nil {
		d := decoder{source: s, written: c.written, flag: true}
		err = d.decode(body, into, path)
	}
	if e, ok := err.(*Error); ok {
		return &Error{Path: path, Msg: e.Msg, Hint: e.Hint}
	}
	return err
}

// assignEntry sets one entry of headers, extra, server or simulate_set.
func (c *Contract) assignEntry(table reflect.Value, keys []string, path string, values []string) error {
	if len(values) != 1 {
		return &Error{Path: path, Msg: "given " + strconv.Itoa(len(values)) + " times, and takes one value"}
	}
	if table.IsNil() {
		table.Set(reflect.MakeMap(table.Type()))
	}
	if table.Type().Elem().Kind() == reflect.String {
		table.SetMapIndex(reflect.ValueOf(strings.Join(keys, ".")), reflect.ValueOf(values[0]))
		return nil
	}
	var value any
	if err := c.assignYAML(reflect.ValueOf(&value).Elem(), path, values[0]); err != nil {
		return err
	}
	m := table.Interface().(map[string]any)
	for _, k := range keys[:len(keys)-1] {
		inner, ok := m[k].(map[string]any)
		if !ok {
			inner = map[string]any{}
			m[k] = inner
		}
		m = inner
	}
	m[keys[len(keys)-1]] = value
	return nil
}
