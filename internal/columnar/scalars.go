// Columns that hold one value of a record.
package columnar

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// These are how values lie in the file: times as differences, words and
// enumerations in a dictionary.
func int64Node() parquet.Node { return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked) }
func wordNode() parquet.Node  { return parquet.Encoded(parquet.String(), &parquet.RLEDictionary) }
func textNode() parquet.Node  { return parquet.Encoded(parquet.String(), &parquet.DeltaLengthByteArray) }

func unsigned(name string, at func(*record.Record) *uint64) column {
	return column{
		name: name, node: parquet.Encoded(parquet.Uint(64), &parquet.DeltaBinaryPacked),
		put: func(b *builder, r *record.Record) { b.required(parquet.Int64Value(int64(*at(r)))) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = uint64(v[0].Int64())
			return nil
		},
	}
}

func number(name string, at func(*record.Record) *int) column {
	return column{
		name: name, node: int64Node(),
		put: func(b *builder, r *record.Record) { b.required(parquet.Int64Value(int64(*at(r)))) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = int(v[0].Int64())
			return nil
		},
	}
}

// optionalNumber is null where the field has the value that means "missing".
func optionalNumber(name string, missing int, at func(*record.Record) *int) column {
	return column{
		name: name, node: parquet.Optional(int64Node()),
		put: func(b *builder, r *record.Record) { b.optional(parquet.Int64Value(int64(*at(r))), *at(r) != missing) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = missing
			if !v[0].IsNull() {
				*at(r) = int(v[0].Int64())
			}
			return nil
		},
	}
}

func stamp(name string, at func(*record.Record) *int64) column {
	return column{
		name: name, node: parquet.Optional(int64Node()),
		put: func(b *builder, r *record.Record) { b.optional(parquet.Int64Value(*at(r)), *at(r) != record.None) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = record.None
			if !v[0].IsNull() {
				*at(r) = v[0].Int64()
			}
			return nil
		},
	}
}

func flag(name string, at func(*record.Record) *bool) column {
	return column{
		name: name, node: parquet.Leaf(parquet.BooleanType),
		put: func(b *builder, r *record.Record) { b.required(parquet.BooleanValue(*at(r))) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = v[0].Boolean()
			return nil
		},
	}
}

// word is a text that many records share.
func word(name string, at func(*record.Record) *string) column {
	return column{
		name: name, node: wordNode(),
		put: func(b *builder, r *record.Record) { b.required(textValue(*at(r))) },
		take: func(s *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = s.word(v[0].ByteArray())
			return nil
		},
	}
}

func optionalWord(name string, at func(*record.Record) *string) column {
	c := optionalText(name, at)
	c.node = parquet.Optional(wordNode())
	return c
}

// optionalText is null where the text is empty.
func optionalText(name string, at func(*record.Record) *string) column {
	return column{
		name: name, node: parquet.Optional(textNode()),
		put: func(b *builder, r *record.Record) { b.optional(textValue(*at(r)), *at(r) != "") },
		take: func(s *scanner, r *record.Record, v []parquet.Value) error {
			*at(r) = ""
			if !v[0].IsNull() {
				*at(r) = s.word(v[0].ByteArray())
			}
			return nil
		},
	}
}

// textValue is valid UTF-8 whatever a server said: other readers refuse a
// whole file for one bad byte.
func textValue(s string) parquet.Value {
	return parquet.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\uFFFD")))
}

// checksum is the body's SHA-256, null where it is all zeros.
func checksum(name string) column {
	return column{
		name: name, node: parquet.Optional(parquet.Leaf(parquet.FixedLenByteArrayType(32))),
		put: func(b *builder, r *record.Record) {
			b.optional(parquet.FixedLenByteArrayValue(r.BodySHA256[:]), r.BodySHA256 != [32]byte{})
		},
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			r.BodySHA256 = [32]byte{}
			if !v[0].IsNull() {
				copy(r.BodySHA256[:], v[0].ByteArray())
			}
			return nil
		},
	}
}

// An enumeration is a small number that has a name; the file has the name.
type enumeration interface {
	~uint8
	String() string
}

func enum[E enumeration](name string, at func(*record.Record) *E) column {
	return column{
		name: name, node: wordNode(),
		put: func(b *builder, r *record.Record) { b.required(parquet.ByteArrayValue([]byte((*at(r)).String()))) },
		take: func(_ *scanner, r *record.Record, v []parquet.Value) error {
			return parse(name, v[0].ByteArray(), at(r))
		},
	}
}

// maxEnum is beyond every enumeration of a record.
const maxEnum = 32

// parse finds the value whose name is given.
func parse[E enumeration](column string, name []byte, into *E) error {
	for e := E(0); e < maxEnum; e++ {
		if e.String() == string(name) {
			*into = e
			return nil
		}
	}
	return fmt.Errorf("%s %q is unknown", column, name)
}
