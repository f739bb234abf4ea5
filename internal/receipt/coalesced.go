package receipt

// coalesced: the share of content events that share a read with a later one,
// in reads that came late (1 ms or more after the stamp). Their true arrival
// lies somewhere before the stamp. Several events in a prompt read were
// written together and are only marked.

import "assay/internal/record"

func coalesced(e *Evidence, l Limits) Receipt {
	r := blank("coalesced", "fraction")
	r.bound(l.Coalesced)
	stamped := e.events - e.noStamp
	switch {
	case e.events == 0:
		r.Status, r.Note = NotApplicable, "no reply was streamed"
	case e.Clock == record.User || stamped == 0:
		r.Status, r.Note = NotApplicable, "stamps of user space"
	case e.Clock == record.Packet:
		r.Value = float64(e.late) / float64(stamped)
		r.Status, r.Note = Reported, "the clock stamps packets, whenever they are read"
	default:
		r.below(float64(e.late)/float64(stamped), l.Coalesced)
		others := float64(e.latest.othersLate) / float64(e.latest.others.Count())
		if r.Status == Broken && others < l.Coalesced.Value && e.latest.excused(l) {
			r.below(others, l.Coalesced)
			r.Note = e.latest.note()
		}
	}
	return r
}
