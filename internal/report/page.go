package report

import (
	"io"
	"strings"

	"assay/internal/result"
)

// A style is how a piece of text stands out on a terminal.
type style int

const (
	normal style = iota
	bold
	good
	bad
	doubt
	faint
)

var escapes = map[style]string{
	bold: "\x1b[1m", good: "\x1b[1;32m", bad: "\x1b[1;31m", doubt: "\x1b[1;33m", faint: "\x1b[2m",
}

// A page collects the lines of a report; it is written in one go, so that a
// report is never half on the screen when its writer fails.
type page struct {
	b     strings.Builder
	color bool
}

func (p *page) line(s string) { p.b.WriteString(s + "\n") }

// heading starts a section.
func (p *page) heading(s string) {
	p.line("")
	p.line(p.paint(bold, s))
}

func (p *page) paint(s style, text string) string {
	if !p.color || s == normal || text == "" {
		return text
	}
	return escapes[s] + text + "\x1b[0m"
}

func (p *page) flush(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

// statusStyle is the colour of a verdict, an objective or a receipt.
func statusStyle(status string) style {
	switch status {
	case result.Pass, result.Holds:
		return good
	case result.Fail, result.Broken, result.Invalid:
		return bad
	case result.Inconclusive, result.Unproven, result.Unavailable:
		return doubt
	}
	return faint
}
