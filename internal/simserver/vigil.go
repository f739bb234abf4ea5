package simserver

import "runtime"

// A core that sleeps takes some 100 to 200 µs to wake, and a timer can't help
// that. So the driver has itself woken early and watches the clock until the
// instant has come. Watching burns a core, so it is rationed: a twentieth of
// the time. What is beyond the ration happens often enough that cores stay awake.
const (
	early     = 250_000    // ns before the instant
	ration    = 20         // one part in so many
	maxCredit = 20 * early // saved up at most
)

// A vigil is the ration. It is used by the driver's loop only.
type vigil struct {
	credit int64
	since  int64 // credit was last counted
	off    bool  // a single core has better things to do
}

func newVigil(now int64) vigil {
	return vigil{credit: maxCredit, since: now, off: runtime.GOMAXPROCS(0) < 2}
}

// lead is how long before an instant to wake.
func (v *vigil) lead(now int64) int64 {
	v.credit = min(maxCredit, v.credit+(now-v.since)/ration)
	v.since = now
	if v.off || v.credit < early {
		return 0
	}
	return early
}

// spent takes what a watch has cost.
func (v *vigil) spent(ns int64) { v.credit -= ns }
