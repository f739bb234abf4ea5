package receipt

// doubling: the same traffic once more with twice the processes. Where an
// interval of the one run does not overlap that of the other, the numbers
// changed with the client, so that they were the client's. Intervals of long
// runs are narrower than the instrument's own error, and twice the processes
// wake up twice as often: a difference below that error is none.

import (
	"fmt"
	"math"
	"strings"

	"assay/internal/observation"
)

func doubling(e *Evidence, _ Limits) Receipt {
	r := blank("doubling", "count")
	var p *observation.Proof
	for i := range e.Observations {
		if o := &e.Observations[i]; o.Kind == observation.KindProof {
			p = o.Proof
		}
	}
	switch {
	case p == nil && !e.ProofAsked:
		r.Status, r.Note = NotApplicable, "it was not asked for"
		return r
	case p == nil:
		r.Note = "the run with twice the processes was not made"
		return r
	}
	r.bound(Limit{})
	moves := 0
	for _, c := range p.Compared {
		if apart(c) {
			moves++
			r.Note = join(r.Note, fmt.Sprintf("%s %s by %d processes", c.Name, moved(c), p.Processes))
		}
	}
	r.Value = float64(moves)
	switch {
	case spoiled(p):
		r.Status = Broken
		r.Note = join(fmt.Sprintf("the run by %d processes was invalid%s", p.Processes, because(p)), r.Note)
	case moves > 0:
		r.Status = Broken
		r.Note += ": the ceiling was the client's"
	case len(p.Compared) == 0:
		r.Value, r.Note = math.NaN(), "the two runs have no number in common"
	default:
		r.Status, r.Note = Holds, fmt.Sprintf("%d numbers agree with those of %d processes", len(p.Compared), p.Processes)
	}
	return r
}

// ProofHolds tells whether the doubling check stood: the other run was valid,
// and no number moved.
func ProofHolds(p *observation.Proof) bool {
	for _, c := range p.Compared {
		if apart(c) {
			return false
		}
	}
	return len(p.Compared) > 0 && !spoiled(p)
}

// spoiled tells whether the other run says nothing, since its client was the limit.
func spoiled(p *observation.Proof) bool { return p.Status == "invalid" }

// The differences that are the instrument's own: 2 % of the value, or 0.25 ms.
const (
	sameShare = 0.02
	sameMS    = 0.25
)

// apart tells whether a number moved with the client.
func apart(c observation.Comparison) bool {
	if Overlaps(c) {
		return false
	}
	if c.This == nil || c.Other == nil {
		return true
	}
	difference := math.Abs(*c.This - *c.Other)
	if strings.Contains(c.Name, "_ms ") && difference <= sameMS {
		return false
	}
	return difference > sameShare*math.Abs(*c.This)
}

// Overlaps tells whether the intervals of both runs have a point in common;
// an open end has no end. A number that only one of the runs has is no overlap.
func Overlaps(c observation.Comparison) bool {
	if c.This == nil || c.Other == nil {
		return c.This == nil && c.Other == nil
	}
	return endsAfter(c.CI[1], c.OtherCI[0]) && endsAfter(c.OtherCI[1], c.CI[0])
}

func endsAfter(high, low *float64) bool { return high == nil || low == nil || *high >= *low }

func moved(c observation.Comparison) string {
	if c.This == nil || c.Other == nil {
		return "is only in one run"
	}
	return fmt.Sprintf("went from %.4g to %.4g", *c.This, *c.Other)
}

func because(p *observation.Proof) string {
	if len(p.Reasons) == 0 {
		return ""
	}
	return " (" + p.Reasons[0].Text + ")"
}
