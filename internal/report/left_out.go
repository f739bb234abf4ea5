package report

// Lines of files of requests that were not sent because they can't be used.

import "assay/internal/result"

// writeLeftOut says it with the first lines' numbers and reasons.
func writeLeftOut(p *page, files []result.File) {
	headed := false
	for _, f := range files {
		if f.Unusable == 0 {
			continue
		}
		if !headed {
			p.heading("left out")
			headed = true
		}
		p.line("  of " + oneLine(f.Name, 160) + " " + numbered(f.Unusable, "line") + " that can't be used, beside " + numbered(f.Requests, "request"))
		for _, reason := range f.Reasons {
			p.line("    " + oneLine(reason, 240))
		}
	}
}

func numbered(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return count(int64(n)) + " " + noun
}
