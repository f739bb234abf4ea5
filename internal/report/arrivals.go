package report

import (
	"fmt"

	"assay/internal/result"
)

// writeArrivals says whether what was sent is what was asked. Of the checks
// only those are shown that did not hold: the others say nothing to a reader.
func writeArrivals(p *page, a result.Arrivals) {
	if a.Test == "" {
		return
	}
	look, evenness := doubt, ""
	if a.Holds != nil && *a.Holds || a.GapCV == nil {
		look = normal
	} else if a.Holds != nil {
		look = bad
	}
	if a.GapCV != nil {
		evenness = "  " + p.paint(faint, "gap CV "+number(a.GapCV)+", dispersion "+number(a.Dispersion))
	}
	p.line("  what was sent: " + p.paint(look, oneLine(a.Test, 400)) + evenness)
	t := table{align: "lrll"}
	for _, c := range a.Checks {
		if c.Holds {
			continue
		}
		name, chance := c.Name, ""
		if c.Stream != "" {
			name = c.Stream + ": " + name
		}
		if c.P != nil {
			chance = fmt.Sprintf("p = %.1g", *c.P)
		}
		t.row(cell{oneLine(name, 80), bad}, plain(number(c.Value)), plain("asked "+number(c.Asked)), cell{chance, faint})
	}
	t.write(p, "    ")
}
