package report

import (
	"io"
	"path/filepath"
	"strings"

	"assay/internal/record"
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
	writeSessions(p, r)
	writeRates(p, r)
	writeTokens(p, r)
	writeLengths(p, r.Lengths)
	writeMedia(p, r)
	writeErrors(p, r)
	writeLeftOut(p, r.Files)
	writeConnections(p, r)
	writeAttempts(p, r.Attempts)
	writeReceipts(p, r)
	writeProof(p, r.Client)
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
	writeThrottled(p, r.Throttled)
}

// oneLine makes a server's words safe for a terminal: no line break, no
// control character, bounded.
func oneLine(s string, limit int) string {
	r := []rune(record.Printable(breaks.Replace(s)))
	if len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return string(r)
}

var breaks = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")
