package measure

// Gaps and what failed requests owe of them: the only part of a summary that
// grows with events, so it is four bytes each.

import (
	"assay/internal/record"
	"assay/internal/stats"
)

// addGaps stores the gaps of the request, each by the position of the token
// that ended it. A request that failed owes the tokens that it did not bring.
func (s *Summary) addGaps(c *cell, r *record.Record) {
	if r.Status != record.OK && !bad(r.Status) {
		return
	}
	at := 1
	for i, e := range r.Events {
		if i > 0 {
			gap := e.Arrived - r.Events[i-1].Arrived
			if gap < 0 {
				s.Clamped++
			}
			c.gaps[s.position.bucket(at)].slices[s.Window.slice(e.Arrived)].add(stats.Code(gap))
		}
		at += e.Tokens()
	}
	if !bad(r.Status) {
		return
	}
	last := at // at least one token is owed
	if r.WantOutput != record.NoCount {
		last = max(last, r.WantOutput)
	}
	j := s.Window.slice(endOf(r))
	for at <= last { // one step per bucket, not per token
		b := s.position.bucket(at)
		upTo := last
		if b < len(s.position) {
			upTo = min(last, s.position[b])
		}
		c.gaps[b].owed[j] += int64(upTo - at + 1)
		at = upTo + 1
	}
}

// endOf is the last instant at which something is known of the request.
func endOf(r *record.Record) int64 {
	for _, t := range []int64{r.Ended, r.Last, r.Released, r.Free, r.Due} {
		if t != record.None {
			return t
		}
	}
	return 0
}
