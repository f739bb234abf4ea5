package report

import "assay/internal/result"

// itemRates are the rates of answers that are no text.
func itemRates(t *table, items []result.Items) {
	for _, i := range items {
		if i.Rate != nil {
			t.text(itemName(i, items), amount(i.Rate, "1/s"))
		}
	}
}

// writeItems is a line for each stream whose answers are no text.
func writeItems(p *page, items []result.Items) {
	for _, i := range items {
		line := "  " + itemName(i, items) + ": " + count(i.Count)
		if i.Mean != nil {
			line += ", " + number(i.Mean) + " a request"
		}
		p.line(line)
	}
}

func itemName(i result.Items, all []result.Items) string {
	if len(all) == 1 {
		return oneLine(i.Measure, 40)
	}
	return oneLine(i.Stream, 40) + " " + oneLine(i.Measure, 40)
}
