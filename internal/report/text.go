package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/internal/result"
)

// Text is the form for people: the verdict and its objectives first, then
// what was measured, then whether the client may be believed, then where the
// files are and the one thing to do next.
func Text(w io.Writer, r *result.Result, o Options) error {
	p := &page{color: o.Color}
	writeVerdict(p, r)
	writeLatencies(p, r, o.Verbose)
	writeBy(p, r, o.Verbose)
	writeRates(p, r)
	writeTokens(p, r)
	writeErrors(p, r)
	writeReceipts(p, r)
	writeFiles(p, o)
	p.heading("next")
	p.line("  " + Next(r))
	return p.flush(w)
}

func writeFiles(p *page, o Options) {
	if o.Dir == "" {
		return
	}
	p.heading("files")
	p.line("  " + o.Dir + string(filepath.Separator) + "  " + strings.Join(o.Files, " "))
}

func writeErrors(p *page, r *result.Result) {
	if len(r.Errors) == 0 {
		return
	}
	p.heading("errors")
	t := table{align: "lrl"}
	for _, e := range r.Errors {
		t.row(cell{e.Kind, bad}, plain(count(e.Count)), plain(oneLine(e.Example, 160)))
	}
	t.write(p, "  ")
}

// oneLine makes a server's words safe for a terminal: no line break, no
// control character, bounded.
func oneLine(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, c := range s {
		switch {
		case c == '\n' || c == '\r' || c == '\t':
			c = ' '
		case c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0):
			fmt.Fprintf(&b, `\x%02x`, c)
			n += 4
			continue
		}
		if n >= limit {
			return b.String() + "…"
		}
		b.WriteRune(c)
		n++
	}
	return b.String()
}
