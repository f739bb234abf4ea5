// The canonical form: the contract as it was run, every default written, one
// text for one meaning. The writer is ours because a digest rests on its
// bytes: a library's next version may quote or order otherwise.

package contract

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/internal/workload"
)

// Canonical returns the contract as YAML. A resolved one has every default in
// it, and Load and Resolve of these bytes give the same contract and the same
// bytes again. The one-stream form stays the one-stream form; a list of one
// stream that is named main becomes it, because the two mean the same.
func (c *Contract) Canonical() ([]byte, error) {
	out := *c
	switch {
	case len(c.Streams) == 0:
	case len(c.Streams) == 1 && c.Streams[0].Name == onlyStream:
		out.liftStream()
	default:
		// Each stream has all that it took from the top level.
		out.Target, out.Traffic, out.Workload = Target{}, Traffic{}, workload.Spec{}
	}
	var b bytes.Buffer
	if err := writeBlock(&b, reflect.ValueOf(out), 0); err != nil {
		return nil, fmt.Errorf("write the canonical contract: %w", err)
	}
	return b.Bytes(), nil
}

// Digest identifies what was asked: "sha256:…" of the canonical form without
// the salts, which are drawn anew for each run and change no length.
func (c *Contract) Digest() string {
	bare := *c
	bare.Workload.Salt = "" // of a contract that is not resolved
	bare.Streams = slices.Clone(c.Streams)
	for i := range bare.Streams {
		bare.Streams[i].Workload.Salt = ""
	}
	text, err := bare.Canonical()
	if err != nil {
		panic("internal error: digest: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// liftStream makes the one-stream form of a list of one.
func (c *Contract) liftStream() {
	s := c.Streams[0]
	c.Target, c.SLO, c.DefaultSLO, c.Good, c.Traffic, c.Workload = s.Target, s.SLO, s.DefaultSLO, s.Good, s.Traffic, s.Workload
	c.Streams, c.derived = nil, false
}

// writeBlock writes the fields of a struct, one a line.
func writeBlock(b *bytes.Buffer, v reflect.Value, depth int) error {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "" || options == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		if err := writeEntry(b, name, v.Field(i), depth); err != nil {
			return err
		}
	}
	return nil
}

// writeEntry writes key: value, the value on lines of its own if it has parts.
func writeEntry(b *bytes.Buffer, key string, v reflect.Value, depth int) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	indent := strings.Repeat("  ", depth)
	text, scalar, err := scalarText(v)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", key, err)
	case scalar:
		fmt.Fprintf(b, "%s%s: %s\n", indent, plain(key), text)
		return nil
	case v.Kind() == reflect.Struct:
		fmt.Fprintf(b, "%s%s:\n", indent, plain(key))
		return writeBlock(b, v, depth+1)
	case v.Len() == 0 && v.Kind() == reflect.Map:
		fmt.Fprintf(b, "%s%s: {}\n", indent, plain(key))
		return nil
	case v.Len() == 0:
		fmt.Fprintf(b, "%s%s: []\n", indent, plain(key))
		return nil
	}
	fmt.Fprintf(b, "%s%s:\n", indent, plain(key))
	if v.Kind() == reflect.Map {
		return writeMap(b, v, depth+1)
	}
	return writeList(b, v, depth+1)
}

func writeMap(b *bytes.Buffer, v reflect.Value, depth int) error {
	entries := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		entries[k.String()] = v.MapIndex(k)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if err := writeEntry(b, key, entries[key], depth); err != nil {
			return err
		}
	}
	return nil
}

func writeList(b *bytes.Buffer, v reflect.Value, depth int) error {
	indent := strings.Repeat("  ", depth)
	for i := range v.Len() {
		item := v.Index(i)
		for item.Kind() == reflect.Interface {
			item = item.Elem()
		}
		text, scalar, err := scalarText(item)
		if err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
		if scalar {
			fmt.Fprintf(b, "%s- %s\n", indent, text)
			continue
		}
		var inner bytes.Buffer
		switch {
		case item.Kind() == reflect.Struct:
			err = writeBlock(&inner, item, depth+1)
		case item.Len() == 0 && item.Kind() == reflect.Map:
			inner.WriteString(indent + "  {}\n")
		case item.Len() == 0:
			inner.WriteString(indent + "  []\n")
		case item.Kind() == reflect.Map:
			err = writeMap(&inner, item, depth+1)
		default:
			err = writeList(&inner, item, depth+1)
		}
		if err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
		// The first line of the element takes the dash in place of two spaces.
		fmt.Fprintf(b, "%s- %s", indent, inner.String()[len(indent)+2:])
	}
	return nil
}

// scalarText writes a single value; ok is false for one with parts.
func scalarText(v reflect.Value) (text string, ok bool, err error) {
	if !v.IsValid() {
		return "", false, fmt.Errorf("a value is missing")
	}
	if m, is := v.Interface().(encoding.TextMarshaler); is {
		t, err := m.MarshalText()
		return words(string(t)), true, err
	}
	switch v.Kind() {
	case reflect.String:
		return plain(v.String()), true, nil
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true, nil
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true, nil
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), true, nil
	case reflect.Float64:
		if v.Float() == 0 {
			return "0", true, nil // a negative zero reads back as a whole one
		}
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), true, nil
	case reflect.Struct, reflect.Map, reflect.Slice:
		return "", false, nil
	}
	return "", false, fmt.Errorf("a %s can't be written", v.Type())
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*( [A-Za-z0-9_./-]+)*$`)
	plainText = regexp.MustCompile(`^[A-Za-z0-9][]A-Za-z0-9_./%<>=()[ ,-]*$`)
)

// plain writes a text without quotes where every reader of YAML sees the same
// text in it, else as JSON, which YAML contains.
func plain(text string) string {
	if plainWord.MatchString(text) && !reserved[strings.ToLower(text)] {
		return text
	}
	return quoted(text)
}

// words writes what a type of ours reads back from its text, whether YAML
// takes it for a number or not.
func words(text string) string {
	if plainText.MatchString(text) && !strings.HasSuffix(text, " ") {
		return text
	}
	return quoted(text)
}

var reserved = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("internal error: quote: " + err.Error())
	}
	return strings.TrimRight(b.String(), "\n")
}
