package receipt

// read_lag: read − t, p99, against half the median gap between reads that
// brought content: a reader that is later than that mixes events up. Bursts
// that a server writes at once are read microseconds apart; there the limit is
// that of a late read, below which events in one read were written together.

import "assay/internal/record"

func readLag(e *Evidence, l Limits) Receipt {
	r := blank("read_lag", "ms")
	r.Spread = spread(&e.readLag)
	switch {
	case e.events == 0 || e.readGap.Count() == 0:
		r.Status, r.Note = NotApplicable, "no stream brought content in two reads"
		return r
	case e.Clock == record.User:
		r.Spread, r.Note = noSpread, "stamps of user space are the reads themselves"
		return r
	case e.readLag.Count() == 0:
		r.Note = "no event has a stamp"
		return r
	}
	r.Value = r.Spread.P99
	if e.Clock == record.Packet {
		r.Status, r.Note = Reported, "the clock stamps packets, whenever they are read"
		return r
	}
	limit := max(ms(e.readGap.Percentile(0.5))/2, ms(lateRead))
	r.below(r.Spread.P99, Limit{Value: limit, Usual: limit})
	r.Note = "limit: half the median gap between reads, 1 ms at least; the kernel's stamp makes it saturate at one gap"
	if others := ms(e.latest.others.Percentile(0.99)); r.Status == Broken && others < limit && e.latest.excused(l) {
		r.below(others, Limit{Value: limit, Usual: limit})
		r.Note = join(r.Note, e.latest.note())
	}
	return r
}
