package receipt

// What the receipts are computed from, gathered record by record.

import (
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/stats"
)

// Evidence is what records and observations say of the client.
type Evidence struct {
	Observations []observation.Observation
	From, To     int64 // the window, ns since the epoch
	ProofAsked   bool  // the contract wants the doubling check

	Clock record.Clock // of all events

	scheduled  int64 // requests of the window that were due by a schedule
	atDue      int64 // records of the window that a schedule released
	heldBack   int64 // of them, those that a ceiling never let go
	otherwise  int64 // and others
	released   int64
	sent       int64
	fresh      int64 // of sent, those that waited for a new connection
	local      int64 // in any phase
	events     int64 // content-bearing, of streamed replies
	noStamp    int64 // of them, without a stamp of the kernel
	late       int64 // of them, coalesced in a late read
	arrived    int64 // content-bearing events in the window, whosever
	ended      int64 // requests that ended in it, whosever
	sendLag    stats.Tally
	writeLag   stats.Tally
	ttft       stats.Tally // of streamed replies
	readLag    stats.Tally
	readGap    stats.Tally
	latest     latest
	localFault string // the first one's words
}

// lateRead is the lag from which several events in one read are the reader's
// doing; in a prompt read they were written together.
const lateRead = 1_000_000

// NewEvidence begins with what is known beside the records: the observations,
// the window, and how many of its requests were due by a schedule. Those that
// no schedule knows (closed loop) are counted by their records.
func NewEvidence(obs []observation.Observation, from, to, scheduled int64) *Evidence {
	return &Evidence{Observations: obs, From: from, To: to, scheduled: scheduled}
}

// due is how many requests of the window were due, and the contract let go:
// what its ceiling held back to the end is not the client's doing.
func (e *Evidence) due() int64 { return max(e.scheduled, e.atDue) + e.otherwise - e.heldBack }

// Add takes one record in.
func (e *Evidence) Add(r *record.Record) {
	if r.Status == record.Local {
		e.local++
		if e.localFault == "" || r.ErrorMessage != "" && r.ErrorMessage < e.localFault {
			e.localFault = r.ErrorMessage
		}
	}
	if r.Phase == record.Measured {
		switch r.Release {
		case record.AtDue, record.Ceiling:
			e.atDue++
		default:
			e.otherwise++
		}
		if r.Release == record.Ceiling && r.Released == record.None {
			e.heldBack++
		}
		e.request(r)
	}
	e.carried(r)
}

// carried counts what this client carried in the window, the ends of the
// warm-up's requests included: what is compared with its ceiling.
func (e *Evidence) carried(r *record.Record) {
	if e.inside(r.Ended) {
		e.ended++
	}
	if !r.Streamed {
		return
	}
	for i := range r.Events {
		if e.inside(r.Events[i].Arrived) {
			e.arrived++
		}
	}
}

func (e *Evidence) inside(t int64) bool { return t >= e.From && t <= e.To }

func (e *Evidence) request(r *record.Record) {
	if r.Released != record.None {
		e.released++
		lag := r.Released - r.Free
		if r.Free == record.None {
			lag = 0
		}
		if r.Sent != record.None && r.Ready != record.None {
			lag += r.Sent - r.Ready
		}
		e.sendLag.Add(lag)
	}
	if r.Handover != record.None {
		e.writeLag.Add(r.Handover)
	}
	if r.Sent != record.None {
		e.sent++
		if !r.Reused {
			e.fresh++
		}
	}
	e.join(r.Clock)
	if r.Streamed {
		e.stream(r)
	}
}

// join finds the clock of the run.
func (e *Evidence) join(c record.Clock) {
	switch {
	case c == record.NoClock || c == e.Clock:
	case e.Clock == record.NoClock:
		e.Clock = c
	default:
		e.Clock = record.Mixed
	}
}

func (e *Evidence) stream(r *record.Record) {
	if r.First > r.Sent && r.Sent != record.None {
		e.ttft.Add(r.First - r.Sent)
	}
	for i := range r.Events {
		ev := &r.Events[i]
		e.events++
		if !ev.Stamped() {
			e.noStamp++
			continue
		}
		e.readLag.Add(int64(ev.ReadLag))
		if lateEvent(r, i) {
			e.late++
		}
	}
	e.latest.add(r)
	for i := 1; i < len(r.Events); i++ {
		if gap := r.Events[i].Read() - r.Events[i-1].Read(); gap > 0 {
			e.readGap.Add(gap)
		}
	}
}

func spread(t *stats.Tally) Spread {
	if t.Count() == 0 {
		return noSpread
	}
	return Spread{ms(t.Percentile(0.5)), ms(t.Percentile(0.99)), ms(t.Max())}
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }

// inWindow keeps what was sampled during the window; all of it when the run
// was too short for a sample inside.
func (e *Evidence) inWindow(kind observation.Kind, interval func(*observation.Observation) int64) []*observation.Observation {
	var inside, all []*observation.Observation
	for i := range e.Observations {
		o := &e.Observations[i]
		if o.Kind != kind {
			continue
		}
		all = append(all, o)
		if o.T > e.From && o.T-interval(o) < e.To {
			inside = append(inside, o)
		}
	}
	if len(inside) == 0 {
		return all
	}
	return inside
}
