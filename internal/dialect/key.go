package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// A Key is how a caller's key is sent to an API. The zero value is the bearer
// token that most of them take.
type Key struct {
	In   Place
	Name string // of the header or parameter
}

// A Place is where in a request a key stands.
type Place uint8

const (
	Bearer  Place = iota // Authorization: Bearer KEY
	Header               // a header of its own
	InQuery              // a parameter of the address
	NoKey                // nowhere
)

var keyName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// ParseKey reads what a contract says of it: bearer, header NAME, query NAME
// or none.
func ParseKey(text string) (Key, error) {
	place, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	name = strings.TrimSpace(name)
	named := keyName.MatchString(name)
	switch {
	case place == "bearer" && name == "":
		return Key{In: Bearer}, nil
	case place == "none" && name == "":
		return Key{In: NoKey}, nil
	case place == "header" && named:
		return Key{In: Header, Name: name}, nil
	case place == "query" && named:
		return Key{In: InQuery, Name: name}, nil
	}
	return Key{}, fmt.Errorf("%q is no way to send a key", text)
}

func (k Key) String() string {
	switch k.In {
	case Header:
		return "header " + k.Name
	case InQuery:
		return "query " + k.Name
	case NoKey:
		return "none"
	}
	return "bearer"
}
