// What is wrong with a contract, where, and what to do about it. A secret that
// was written by mistake is masked: the terminal and the logs must not have it.

package contract

import (
	"errors"
	"fmt"
	"strings"

	"assay/internal/unit"
)

// An Error is one fault of a contract. Line is 0 where no line of the file is
// to blame: a setting that is missing, or one given by a flag.
type Error struct {
	File         string // as handed to Load; "" when the value came from a flag
	Line, Column int    // from 1; columns count characters
	Path         string // the setting: "traffic.rate", "streams[1].slo[0]"; "" for the file as a whole
	Msg          string
	Excerpt      string // the line with a caret below it; "" without a line
	Hint         string // what to do; "" when nothing can be foreseen
}

// Error is file:line:column: path: message, and the excerpt on the lines below.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.File != "" && e.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Column)
	case e.File != "":
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	if e.Path != "" {
		fmt.Fprintf(&b, "%s: ", e.Path)
	}
	b.WriteString(e.Msg)
	if e.Excerpt != "" {
		b.WriteString("\n" + e.Excerpt)
	}
	return b.String()
}

// A source is the text of the file.
type source struct {
	name  string
	lines []string
}

// A place is where a setting was written.
type place struct {
	line, column int
	flag         bool // by Set: there is no line
}

// fail builds the error of a place in the file; s may be nil.
func (s *source) fail(at place, path, msg, hint string) *Error {
	e := &Error{Path: path, Msg: msg, Hint: hint}
	if at.flag || s == nil {
		return e
	}
	e.File = s.name
	if at.line < 1 || at.line > len(s.lines) {
		return e
	}
	e.Line, e.Column = at.line, max(1, at.column)
	e.Excerpt = excerpt(s.lines, e.Line, e.Column)
	return e
}

// excerpt shows the line before, the line, and a caret below the column.
func excerpt(lines []string, line, column int) string {
	before := ""
	if line > 1 && strings.TrimSpace(lines[line-2]) != "" {
		before = fmt.Sprintf("  %*d | %s\n", len(fmt.Sprint(line)), line-1, cut(mask(lines[line-2]), widest))
	}
	return before + pointed(mask(lines[line-1]), line, column)
}

// widest is how much of a line an excerpt shows.
const widest = 160

// cut shortens a text to n characters.
func cut(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n-1]) + "…"
}

// pointed is one numbered line with a caret below the column. Of a long line
// it shows the stretch around the column.
func pointed(text string, line, column int) string {
	if r := []rune(text); len(r) > widest && column > widest/2 {
		skip := min(column-widest/2, len(r))
		text, column = "…"+string(r[skip:]), column-skip+1
	}
	text = cut(text, widest)
	// Tabs are repeated, so that the caret stands right whatever their width.
	var pad []rune
	for _, r := range text {
		if len(pad) == column-1 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		pad = append(pad, r)
	}
	for len(pad) < column-1 {
		pad = append(pad, ' ')
	}
	return fmt.Sprintf("> %d | %s\n  %*s | %s^", line, text, len(fmt.Sprint(line)), "", string(pad))
}

// fail is the error of a setting that was written, or of its nearest ancestor
// that was: a missing traffic.rate points at traffic.
func (c *Contract) fail(path, msg, hint string) *Error {
	for at := path; at != ""; at = parent(at) {
		if p, ok := c.written[at]; ok {
			return c.source.fail(p, path, msg, hint)
		}
	}
	return c.source.fail(place{}, path, msg, hint)
}

// parent cuts the last step off a path: "a.b[2]" → "a.b" → "a" → "".
func parent(path string) string {
	i := strings.LastIndexAny(path, ".[")
	if i < 0 {
		return ""
	}
	return path[:i]
}

// advice is the hint that another package's error carries.
func advice(err error) string {
	var u *unit.Error
	if errors.As(err, &u) {
		return u.Hint
	}
	return ""
}
