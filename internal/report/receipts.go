package report

// The client's account of itself: a line for each receipt.

import (
	"strings"

	"assay/internal/result"
)

func writeReceipts(p *page, r *result.Result) {
	if len(r.Client.Receipts) == 0 {
		return
	}
	p.heading("receipts of this client")
	t := table{align: "lrll"}
	for _, c := range r.Client.Receipts {
		status := cell{strings.ReplaceAll(c.Status, "_", " "), statusStyle(c.Status)}
		if c.Warns {
			status = cell{"warns", doubt}
		}
		t.row(plain(c.Name), plain(amount(c.Value, c.Unit)), plain(limit(c)), status, cell{oneLine(c.Note, 200), faint})
	}
	t.write(p, "  ")
	writeNetwork(p, r.Client.Network)
}

// limit is what a receipt must keep. One that the contract loosened or
// tightened says so wherever it is shown, and what would be usual.
func limit(c result.Receipt) string {
	if c.Limit == nil {
		return ""
	}
	text := "limit " + amount(c.Limit, c.Unit)
	if c.Name == "delivered" || c.Name == "headroom" {
		text = "above " + amount(c.Limit, c.Unit)
	}
	switch {
	case !c.Changed:
		return text
	case c.Usual != nil && *c.Usual != *c.Limit:
		return text + " (changed from " + amount(c.Usual, c.Unit) + ")"
	}
	return text + " (changed by the contract)" // a second limit, which the note tells
}
