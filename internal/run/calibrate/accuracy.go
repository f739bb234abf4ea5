package calibrate

// How far the client's times lie from the server's truth.
//
// An event left the server at some instant w between the two looks that it
// took at its clock, B before the write and A after it. Both sides read the
// same CLOCK_MONOTONIC, so a stamp of the client, brought there by the run's
// epoch, can be held against [B, A]: its error is the distance to it, 0 inside.
//
//	TTFT  t[1] − sent against w[1] − sent: the distance of t[1] from [B1, A1]
//	ITL   t[i] − t[i−1]: its distance from [Bi − A(i−1), Ai − B(i−1)]
//
// t is the kernel's stamp for one clock and read for the other. What the
// client's own `sent` is off by, the server can't see: between nothing and
// accepted − sent, which stands beside.

import (
	"iter"

	"assay/internal/record"
	"assay/internal/run"
	"assay/internal/stats"
)

// errors of one clock, in ns.
type errorTally struct{ ttft, itl stats.Tally }

// An Account gathers records and what the server says of them.
type Account struct {
	kernel, user   errorTally
	sending, looks stats.Tally
	count          int
	requests       int
	compared       int
}

// Compare holds the measured, streamed and successful requests against the truth.
func Compare(records iter.Seq2[*record.Record, error], epoch int64, known map[string]Truth) (*Account, error) {
	a := &Account{}
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		if r.Phase != record.Measured || r.Status != record.OK || !r.Streamed {
			continue
		}
		a.requests++
		if t, ok := known[r.RequestID]; ok && len(t.Writes) == len(r.Events) && len(r.Events) > 0 {
			a.add(r, epoch, t)
		}
	}
	return a, nil
}

func (a *Account) add(r *record.Record, epoch int64, t Truth) {
	a.compared++
	a.sending.Add(max(0, t.Accepted-(r.Sent+epoch)))
	for i, e := range r.Events {
		a.count++
		a.looks.Add(t.Writes[i].After - t.Writes[i].Before)
		var before *record.Event
		if i > 0 {
			before = &r.Events[i-1]
		}
		a.user.add(t.Writes, i, epoch+e.Read(), before, record.Event.Read, epoch)
		if r.Clock != record.User && e.Stamped() && (before == nil || before.Stamped()) {
			a.kernel.add(t.Writes, i, epoch+e.Arrived, before, arrived, epoch)
		}
	}
}

func arrived(e record.Event) int64 { return e.Arrived }

// add takes event i in, which one clock has at that instant; before is the
// event in front of it, if there is one.
func (c *errorTally) add(w []Write, i int, at int64, before *record.Event, clock func(record.Event) int64, epoch int64) {
	if before == nil {
		c.ttft.Add(distance(at, w[0].Before, w[0].After))
		return
	}
	gap := at - (clock(*before) + epoch)
	c.itl.Add(distance(gap, w[i].Before-w[i-1].After, w[i].After-w[i-1].Before))
}

// distance is how far v is outside of [low, high].
func distance(v, low, high int64) int64 { return max(low-v, v-high, 0) }

// Accuracy is the account in ms.
func (a *Account) Accuracy() run.CalibratedAccuracy {
	return run.CalibratedAccuracy{
		TTFT:    run.ClockErrors{Kernel: spread(&a.kernel.ttft), User: spread(&a.user.ttft)},
		ITL:     run.ClockErrors{Kernel: spread(&a.kernel.itl), User: spread(&a.user.itl)},
		Sending: spread(&a.sending), Looks: spread(&a.looks),
		Count: a.count, Requests: a.requests, Compared: a.compared,
	}
}

func spread(t *stats.Tally) *run.ErrorSpread {
	if t.Count() == 0 {
		return nil
	}
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	return &run.ErrorSpread{P50: ms(t.Percentile(0.5)), P99: ms(t.Percentile(0.99)), Max: ms(t.Max())}
}
