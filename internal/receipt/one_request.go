package receipt

// In a short run the events of one request are more than a hundredth of all,
// and one read that came late would decide a p99. What one late sending may do
// (send_lag) one late reader may do too: its request is left out, if none of
// its events was read later than send_lag allows a request to leave. Its error
// is then below what the objectives were told to tolerate.

import (
	"fmt"

	"assay/internal/record"
	"assay/internal/stats"
)

// A latest is the request whose events were read latest, and the others'.
type latest struct {
	lag  int64 // its longest read lag, ns
	lags []uint32
	late int64 // its events that were coalesced in a late read

	others     stats.Tally // read lags of all other requests
	othersLate int64
}

// add takes the stamped events of one request in.
func (a *latest) add(r *record.Record) {
	var longest, late int64
	stamped := 0
	for i := range r.Events {
		ev := &r.Events[i]
		if !ev.Stamped() {
			continue
		}
		stamped++
		longest = max(longest, int64(ev.ReadLag))
		if lateEvent(r, i) {
			late++
		}
	}
	if stamped == 0 {
		return
	}
	if a.lags != nil && longest <= a.lag {
		a.pass(r)
		a.othersLate += late
		return
	}
	for _, lag := range a.lags {
		a.others.Add(int64(lag))
	}
	a.othersLate += a.late
	a.lag, a.late, a.lags = longest, late, make([]uint32, 0, stamped)
	for i := range r.Events {
		if r.Events[i].Stamped() {
			a.lags = append(a.lags, r.Events[i].ReadLag)
		}
	}
}

// pass counts the events of a request that is not the latest.
func (a *latest) pass(r *record.Record) {
	for i := range r.Events {
		if r.Events[i].Stamped() {
			a.others.Add(int64(r.Events[i].ReadLag))
		}
	}
}

// excused tells whether the latest request may be left out.
func (a *latest) excused(l Limits) bool {
	n := int64(len(a.lags))
	return a.others.Count() > 0 && n*100 >= n+a.others.Count() && ms(a.lag) < l.SendLag.Value
}

func (a *latest) note() string {
	return fmt.Sprintf("without one request, whose events were read up to %.3g ms late", ms(a.lag))
}

// lateEvent tells whether event i shares a read that came late with a later one.
func lateEvent(r *record.Record, i int) bool {
	return r.Events[i].ReadLag >= lateRead && r.SharesRead(i)
}
