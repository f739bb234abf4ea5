package receipt

// headroom: what this machine carried in its calibration with as many
// processes, or the nearest smaller number, ÷ what this run carried: of events
// that arrived and of requests that ended, whichever leaves less. Nothing is
// interpolated. Below the limit it warns, and no more: a calibration shares
// its machine with a server, so that the true ceiling may be higher.

import (
	"fmt"
	"math"

	"assay/internal/observation"
)

// leastHeadroom is how many times the run's own load the ceiling should be.
const leastHeadroom = 2

func headroom(e *Evidence, _ Limits) Receipt {
	r := blank("headroom", "ratio")
	r.bound(Limit{Value: leastHeadroom, Usual: leastHeadroom})
	ceiling, when, why := e.ceiling()
	seconds := float64(e.To-e.From) / 1e9
	switch {
	case why != "":
		r.Note = why
		return r
	case e.ended+e.arrived == 0 || seconds <= 0:
		r.Note = "nothing arrived in the window"
		return r
	}
	events, requests := float64(e.arrived)/seconds, float64(e.ended)/seconds
	what, rate, most := "events", events, ceiling.Events
	r.Value = ratio(most, rate)
	if v := ratio(ceiling.Requests, requests); v < r.Value {
		what, rate, most, r.Value = "requests", requests, ceiling.Requests, v
	}
	r.Note = fmt.Sprintf("%s carried %.4g %s/s in the calibration of %s, this run %.4g/s", fleet(ceiling.Processes), most, what, when, rate)
	if r.Status = Holds; r.Value <= leastHeadroom {
		r.Status, r.Warns = Reported, true
		r.Note = "near this client's own ceiling: " + r.Note
	}
	return r
}

func fleet(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// ratio of a ceiling that is not touched is endless.
func ratio(ceiling, rate float64) float64 {
	if rate == 0 {
		return math.Inf(1)
	}
	return ceiling / rate
}

// ceiling is the calibrated one for this fleet; why says that there is none.
func (e *Evidence) ceiling() (best observation.Ceiling, when, why string) {
	const remedy = "`assay calibrate` makes one"
	processes := 0
	why = "no calibration: " + remedy
	for i := range e.Observations {
		switch o := &e.Observations[i]; o.Kind {
		case observation.KindEpoch:
			processes = o.Epoch.Processes
		case observation.KindCalibration:
			c := o.Calibration
			if c.Unavailable != "" {
				why = c.Unavailable
				continue
			}
			best, when, why = observation.Ceiling{}, c.Taken, "the calibration has none for so few processes: "+remedy
			for _, one := range c.Ceilings {
				if one.Processes <= processes && one.Processes > best.Processes {
					best, why = one, ""
				}
			}
		}
	}
	return best, when, why
}
