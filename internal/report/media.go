package report

import (
	"strconv"

	"assay/internal/result"
)

// writeMedia is one line for pictures and recordings, and one for what the
// server made of prompts that have some.
func writeMedia(p *page, r *result.Result) {
	m := r.Media
	if m == nil {
		return
	}
	line := "  media: " + count(m.Requests) + " requests with "
	if m.Images > 0 {
		line += count(m.Images) + " pictures (" + amount(m.ImageRate, "1/s") + ")"
	}
	if m.AudioSeconds > 0 {
		if m.Images > 0 {
			line += " and "
		}
		line += strconv.FormatFloat(m.AudioSeconds, 'f', 1, 64) + " s of recordings (" + amount(m.AudioRate, "1/s") + ")"
	}
	p.line(line + "; " + count(m.Bytes) + " bytes, a third more in base64")
	if l := r.Lengths.WithMedia; l != nil && l.Requested != nil && l.Seen != nil {
		p.line("  their prompts: words asked " + spread(l.Requested) + "; the server counted " + spread(l.Seen) + " with what stands beside them")
	}
}
