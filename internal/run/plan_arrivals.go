package run

// When requests would be due, in columns over time: what a reader sees of an
// arrival shape before it is sent.

import "time"

// PlannedArrivals counts the requests that are due in each step of the warm-up
// and of the window. The steps of a phase are equal, but for nanoseconds of
// the last one, so that the window begins at the edge of one.
type PlannedArrivals struct {
	Warmup, Window PlannedPhase
}

// A PlannedPhase has no steps where the phase has no length.
type PlannedPhase struct {
	Length, Step time.Duration
	Counts       []int64
}

const (
	// columns is how many steps both phases have together, at the most.
	columns = 60
	// perColumn is how many requests a column should have: fewer look like
	// chance even where there is none.
	perColumn = 4
)

// arrivalsOver has empty columns for so many requests in these phases.
func arrivalsOver(warmup, window time.Duration, requests float64) PlannedArrivals {
	if window <= 0 {
		return PlannedArrivals{}
	}
	room := min(max(requests/perColumn, columns/4), columns) * (window.Seconds() / (warmup + window).Seconds())
	most := min(max(int(room), columns/4), columns)
	if warmup > 0 {
		most = min(most, columns-1)
	}
	a := PlannedArrivals{Window: phaseOf(window, roundest(window, most))}
	if warmup > 0 {
		n := int(float64(warmup)/float64(a.Window.Step) + 0.5)
		a.Warmup = phaseOf(warmup, min(max(n, 1), columns-len(a.Window.Counts)))
	}
	return a
}

func phaseOf(length time.Duration, steps int) PlannedPhase {
	step := (length + time.Duration(steps) - 1) / time.Duration(steps)
	return PlannedPhase{Length: length, Step: max(step, 1), Counts: make([]int64, steps)}
}

// roundest is the number of steps from two thirds of most up to it that makes
// the step the roundest number: 400 ms reads better than 333.333333 ms.
func roundest(length time.Duration, most int) int {
	best, zeros := most, -1
	for n := most; n > 0 && n >= most*2/3; n-- {
		if length%time.Duration(n) != 0 {
			continue
		}
		z := 0
		for step := length / time.Duration(n); step%10 == 0; step /= 10 {
			z++
		}
		if z > zeros {
			best, zeros = n, z
		}
	}
	return best
}

// add counts a request that is due at ns from the start of the warm-up.
func (a *PlannedArrivals) add(due int64, measured bool) {
	p := &a.Warmup
	if measured {
		p, due = &a.Window, due-int64(a.Warmup.Length)
	}
	if n := int64(len(p.Counts)); n > 0 {
		p.Counts[min(due/int64(p.Step), n-1)]++
	}
}

// Rates are requests per second in each step.
func (p PlannedPhase) Rates() []float64 {
	rates := make([]float64, len(p.Counts))
	for i, n := range p.Counts {
		length := min(p.Step, p.Length-time.Duration(i)*p.Step)
		if length > 0 {
			rates[i] = float64(n) / length.Seconds()
		}
	}
	return rates
}
