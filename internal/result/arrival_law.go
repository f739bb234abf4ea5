package result

// What left the client against the law of the contract.

import (
	"math"
	"slices"
	"time"

	"assay/internal/arrival"
	"assay/internal/measure"
	"assay/internal/stats"
)

const (
	leastOfLaw  = 100  // requests below which no law is called kept
	leastMean   = 5    // requests that a window of a dispersion must expect
	leastCounts = 10   // windows of a dispersion
	evenEnough  = 0.25 // variation of gaps and dispersion that a constant rate may show
	slack       = 1e-3 // share by which its rate may be off, as delivered allows
	lags        = 8    // distances between gaps whose correlation is looked at
	resolved    = 1e-6 // s; gaps of a thousand ns have a length
	tailOfUnit  = 36   // longest gap that a CDF of float64 can tell from infinity
)

// instants are the times at which requests left, in order. What left within
// the limit of send_lag counts as due: a late client must not look like a
// wrong law. But when more than one in a hundred is later, what left counts.
func instants(sent []measure.Departure, late float64) []float64 {
	tardy := 0
	for _, d := range sent {
		if math.Abs(float64(d.Left-d.Due)) > late {
			tardy++
		}
	}
	at := make([]float64, len(sent))
	for i, d := range sent {
		if at[i] = float64(d.Due); tardy*100 > len(sent) {
			at[i] = float64(d.Left)
		}
	}
	if tardy*100 > len(sent) {
		slices.Sort(at)
	}
	return at
}

// A process is what was sent in the time in which its law expects one request
// a unit.
type process struct {
	gaps    []float64
	end     float64 // of what was looked at; the first gap begins at 0
	fixed   bool    // end was given and not the number of gaps
	perUnit float64 // seconds of the window per unit, on average

	shortest float64 // gaps below it are not told apart
}

// stretch brings instants into that time. A process without memory can be
// looked at from the start of the window; of another the gap that the start
// cuts has a law of its own, and the first request is the beginning.
func stretch(law arrival.Law, at []float64, w measure.Window, byNumber bool) process {
	p := process{fixed: !byNumber && (law.CV == 1 || law.CV == 0)}
	start, end := float64(w.Start), at[len(at)-1]
	if !p.fixed || law.CV == 0 {
		start, at = at[0], at[1:]
	}
	if p.fixed {
		end = float64(w.End)
	}
	p.gaps = make([]float64, len(at))
	first := law.Cumulated(start)
	before := first
	for i, t := range at {
		now := law.Cumulated(t)
		p.gaps[i], before = now-before, now
	}
	if p.fixed {
		p.end = law.Cumulated(end) - first
	} else {
		to := scaleOf(law, (before-first)/(end-start)*1e9)
		p.shortest = to.shortest
		for i, g := range p.gaps {
			p.gaps[i] = to.unit(g)
			p.end += p.gaps[i]
		}
	}
	p.perUnit = (end - start) / 1e9 / p.end
	return p
}

// scale brings a gap that Cumulated has counted to the one that is as unlikely
// among exponential gaps of mean 1. Of a law without chance, and of one that is
// exponential already, it is the gap itself.
type scale struct {
	law arrival.Law
	// Laws of clusters have many gaps that a nanosecond can't tell apart, in a
	// gamma law of CV 3 at 50/s one in eight. A gap below short counts as
	// their mean, and the distribution is compared beyond shortest.
	short, shortest, mean float64
}

func scaleOf(law arrival.Law, perSecond float64) scale {
	s := scale{law: law, short: perSecond * resolved}
	if f := law.CDF(s.short); !s.same() && f > 1e-6 { // below it their mean is as good as 0
		s.shortest = -math.Log1p(-f)
		s.mean = 1 - (1-f)*s.shortest/f
	}
	return s
}

func (s scale) same() bool { return s.law.CV == 0 || s.law.CV == 1 }

func (s scale) unit(gap float64) float64 {
	switch {
	case s.same():
		return gap
	case gap < s.short:
		return s.mean
	}
	return min(tailOfUnit, -math.Log1p(-s.law.CDF(gap)))
}

// againstLaw is every check of the law, none where the requests are too few.
func againstLaw(law arrival.Law, at []float64, w measure.Window, byNumber bool) []ArrivalCheck {
	if len(at) < leastOfLaw {
		return nil
	}
	p := stretch(law, at, w, byNumber)
	if !(p.end > 0 && p.perUnit > 0) {
		return nil // all at one instant: the plan tells
	}
	if law.CV == 0 {
		return p.even()
	}
	widths := p.widths()
	if len(widths) == 0 {
		return nil
	}
	checks := []ArrivalCheck{p.rate()}
	for _, width := range widths {
		value, chance := stats.Dispersion(stats.Counts(p.gaps, width.Seconds()/p.perUnit, p.end))
		checks = append(checks, check("dispersion "+width.String(), value, 1, chance))
	}
	r, chance := stats.Autocorrelation(p.gaps, lags)
	checks = append(checks, check("autocorrelation", r, 0, chance))
	cv, chance := stats.Variation(p.gaps)
	checks = append(checks, check("cv", cv, 1, chance))
	d, chance := stats.ExponentialDistance(p.gaps, p.shortest) // the last: it sorts them
	return append(checks, check("gaps", d, 0, chance))
}

func (p process) rate() ArrivalCheck {
	n := len(p.gaps)
	chance := stats.WaitP(n, p.end)
	if p.fixed {
		chance = stats.CountP(n, p.end)
	}
	return check("rate", float64(n)/p.end/p.perUnit, 1/p.perUnit, chance)
}

// widths are the windows that counts are made in: the shortest of 0.1, 0.2,
// 0.5, 1, … s that expects enough requests, then 1 s and 10 s. Shorter ones
// would see the pauses that send_lag allows.
func (p process) widths() []time.Duration {
	enough := func(w time.Duration) bool { return w.Seconds()/p.perUnit >= leastMean }
	shortest := 100 * time.Millisecond
	for i := 0; !enough(shortest) && shortest < time.Hour; i++ {
		if shortest *= 2; i%3 == 1 {
			shortest = shortest / 4 * 5
		}
	}
	var list []time.Duration
	for _, w := range []time.Duration{shortest, time.Second, 10 * time.Second} {
		if enough(w) && p.end*p.perUnit/w.Seconds() >= leastCounts && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// even are the checks of a rate without chance: nothing has a law that could
// be called unlikely, so each has a limit.
func (p process) even() []ArrivalCheck {
	within := func(c ArrivalCheck, most float64) ArrivalCheck {
		c.Holds = math.Abs(*c.Value-*c.Asked) <= most
		return c
	}
	none := math.NaN()
	n := float64(len(p.gaps)) // the first request is where p begins
	expected := 1 / p.perUnit
	checks := []ArrivalCheck{within(check("rate", n/p.end*expected, expected, none), expected*(1/p.end+slack))}
	for _, width := range p.widths() {
		d, _ := stats.Dispersion(stats.Counts(p.gaps, width.Seconds()/p.perUnit, p.end))
		checks = append(checks, within(check("dispersion "+width.String(), d, 0, none), evenEnough))
	}
	cv, _ := stats.Variation(p.gaps)
	return append(checks, within(check("cv", cv, 0, none), evenEnough))
}
