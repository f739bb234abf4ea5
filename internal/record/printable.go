package record

// What strangers wrote, made safe to show.

import (
	"fmt"
	"strings"
	"unicode"
)

// Printable makes a text fit for a terminal: control characters, and those
// that turn the direction of writing, are shown as escapes. Line breaks and
// tabs stay.
func Printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden tells the characters that a terminal obeys instead of showing.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}
