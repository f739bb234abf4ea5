// Rates that change: what is expected by when, and that the requests keep to it.

package arrival

import (
	"math"
	"slices"
	"testing"

	"assay/internal/unit"
)

// distance is the Kolmogorov–Smirnov statistic D√n over gaps of a thousandth
// of the mean and more: due times are whole nanoseconds, and of clustered gaps
// one in eight is shorter than that.
func distance(sample []float64, cdf func(float64) float64) float64 {
	x := slices.Sorted(slices.Values(sample))
	n, d := float64(len(x)), 0.0
	for i, v := range x {
		if v < 1e-3 {
			continue
		}
		f := cdf(v)
		d = max(d, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
	}
	return d * math.Sqrt(n)
}

// curves are the shapes whose rate changes in a stated way, with that rate in
// requests per second at t seconds from the window's start, written out anew.
func curves() map[string]struct {
	spec  Spec
	rate  func(t float64) float64
	knots []float64 // where the formula changes
} {
	type curve = struct {
		spec  Spec
		rate  func(t float64) float64
		knots []float64
	}
	ramp := func(form string, steps int, from, to float64) Spec {
		return Spec{Shape: Ramp, Parameters: Parameters{From: unit.Rate(from), To: unit.Rate(to), Over: seconds(6), Form: form, Steps: steps}}
	}
	series := func(form string) Spec {
		return Spec{Shape: Series, Parameters: Parameters{File: "f", Form: form}, Recorded: &Recorded{Times: []int64{0, sec, 4 * sec, 5 * sec}, Rates: []float64{50, 200, 0, 80}}}
	}
	between := func(t, a, b, from, to float64) float64 { return from + (to-from)*(t-a)/(b-a) }
	crowd := func(t float64) float64 { // a second up, two at the peak, half a second down
		switch {
		case t < 0 || t >= 3.5:
			return 100
		case t < 1:
			return between(t, 0, 1, 100, 1000)
		case t < 3:
			return 1000
		}
		return between(t, 3, 3.5, 1000, 100)
	}
	flash := Parameters{Peak: Peak{Times: 10}, Rise: seconds(1), Hold: seconds(2), Decay: seconds(0.5)}
	at, every := flash, flash
	at.At, every.Every = []unit.Duration{seconds(2), seconds(5.5)}, seconds(4)
	return map[string]curve{
		"flash at":    {Spec{Shape: Flash, Rate: 100, Parameters: at}, func(t float64) float64 { return max(crowd(t-2), crowd(t-5.5)) }, []float64{2, 3, 5, 5.5, 6.5, 8.5, 9}},
		"flash every": {Spec{Shape: Flash, Rate: 100, Parameters: every}, func(t float64) float64 { return max(crowd(t-4), crowd(t-8)) }, []float64{4, 5, 7, 7.5, 8, 9}},
		"ramp up":     {ramp("", 0, 0, 300), func(t float64) float64 { return min(300, max(0, 50*t)) }, []float64{6}},
		"ramp down":   {ramp(Linear, 0, 300, 0), func(t float64) float64 { return max(0, min(300, 300-50*t)) }, []float64{6}},
		"exponential": {ramp(Exponential, 0, 10, 640), func(t float64) float64 { return 10 * math.Pow(2, min(6, max(0, t))) }, []float64{6}},
		"steps":       {ramp(Steps, 3, 100, 300), func(t float64) float64 { return 100 * (1 + min(2, max(0, math.Floor(t/2)))) }, []float64{2, 4, 6}},
		"sine": {Spec{Shape: Sine, Rate: 200, Parameters: Parameters{Period: seconds(4), Amplitude: 1}},
			func(t float64) float64 { return 200 * (1 + math.Sin(2*math.Pi*max(0, t)/4)) }, []float64{4, 8}},
		"series, step": {series(Step), func(t float64) float64 {
			return map[bool]float64{true: 50}[t < 1] + map[bool]float64{true: 200}[t >= 1 && t < 4] + map[bool]float64{true: 80}[t >= 5]
		}, []float64{1, 4, 5}},
		"series, linear": {series(Linear), func(t float64) float64 {
			switch {
			case t < 0:
				return 50
			case t < 1:
				return between(t, 0, 1, 50, 200)
			case t < 4:
				return between(t, 1, 4, 200, 0)
			case t < 5:
				return between(t, 4, 5, 0, 80)
			}
			return 80
		}, []float64{1, 4, 5}},
	}
}

// integral is Simpson's, between the knots.
func integral(rate func(float64) float64, knots []float64, from, to float64) float64 {
	sum := 0.0
	edges := append([]float64{from}, knots...)
	edges = append(edges, to)
	for i := 1; i < len(edges); i++ {
		a, b := max(from, edges[i-1]), min(to, edges[i])
		if b <= a {
			continue
		}
		const n = 400
		h := (b - a) / n
		inside := func(x float64) float64 { return rate(min(max(x, a+h*1e-9), b-h*1e-9)) }
		for j := range n {
			x := a + float64(j)*h
			sum += h / 6 * (inside(x) + 4*inside(x+h/2) + inside(x+h))
		}
	}
	return sum
}

// The warm-up of two seconds has the first rate.
func TestCumulatedIsTheIntegralOfTheRate(t *testing.T) {
	const warmup = 2.0
	for name, c := range curves() {
		law := c.spec.Law(1, "main", 2*sec)
		knots := append([]float64{0}, c.knots...)
		for _, at := range []float64{9.9, 0.5, 2, 2.001, 3.7, 6, 7.25, 8.999, 11.5, 1} {
			want := integral(c.rate, knots, -warmup, at-warmup)
			if got := law.Cumulated(at * second); math.Abs(got-want) > 1e-6*(1+want) {
				t.Errorf("%s: %v requests expected before %v s, want %v", name, got, at, want)
			}
		}
	}
}

func TestWhenIsTheInverseOfArea(t *testing.T) {
	const length = 7e9
	for name, p := range map[string]piece{
		"flat": flat(length, 3e-8), "up": {length: length, to: 5e-8}, "down": {length: length, from: 5e-8},
		"nearly flat": {length: length, from: 3e-8, to: 3e-8 * (1 + 1e-12)},
		"growing":     {length: length, from: 1e-9, to: 1e-6, form: powers}, "hardly growing": {length: length, from: 1e-8, to: 1.0001e-8, form: powers},
		"wave": {length: length, from: 4e-8, to: 4e-8, form: wave, swing: 0.7}, "full wave": {length: length, from: 4e-8, to: 4e-8, form: wave, swing: 1},
	} {
		whole := p.area(length)
		last := -1.0
		for i := range 1001 {
			a := whole * float64(i) / 1000
			at := p.when(a)
			if back := p.area(at); math.Abs(back-a) > 1e-12*whole {
				t.Errorf("%s: area(when(%v)) = %v", name, a, back)
			}
			if at < last || at > length {
				t.Errorf("%s: when(%v) = %v after %v, in a piece of %v", name, a, at, last, float64(length))
			}
			last = at
		}
	}
}

// Counted in expected requests, the gaps of every curve are those of its base:
// Kolmogorov–Smirnov (P(D√n > 2.7) = 9e-7) and the lag-1 autocorrelation.
func TestTheChangeOfTimeLeavesTheGapsOfTheBase(t *testing.T) {
	bases := []Spec{{}, {CV: 2, Parameters: Parameters{Base: Gamma}}, {CV: 0.5, Parameters: Parameters{Base: Weibull}}}
	for name, spec := range examples(t, 400) {
		if !Takes(name, "base") {
			continue
		}
		for _, base := range bases {
			s := spec
			s.Base, s.CV = base.Base, base.CV
			s.Parameters.Every, s.Parameters.At = spec.Every, spec.At
			law := s.Law(7, "main", sec)
			var g []float64
			last, product := -1.0, 0.0
			for due := range Schedule(s, 7, "main", sec, 0, 100_000) {
				at := law.Cumulated(float64(due.At))
				if last >= 0 {
					g = append(g, at-last)
				}
				if n := len(g); n > 1 {
					product += (g[n-1] - 1) * (g[n-2] - 1)
				}
				last = at
			}
			n := float64(len(g))
			if d := distance(g, law.CDF); d > 2.7 {
				t.Errorf("%s, base %q: D√n = %.2f, want < 2.7", name, s.Base, d)
			}
			if got := product / n / (law.CV * law.CV) * math.Sqrt(n); math.Abs(got) > z {
				t.Errorf("%s, base %q: autocorrelation z = %.2f, want |z| < %v", name, s.Base, got, z)
			}
		}
	}
}

// A metronome along a curve is never more than one request from what is expected.
func TestAConstantBaseKeepsToTheCurve(t *testing.T) {
	for name, c := range curves() {
		s := c.spec
		s.Base = Constant
		law := s.Law(1, "main", sec)
		for due := range Schedule(s, 1, "main", sec, 9*sec, 0) {
			if got := law.Cumulated(float64(due.At)); math.Abs(got-float64(due.Seq)) > 1e-3 {
				t.Fatalf("%s: request %d is due when %v are expected", name, due.Seq, got)
			}
		}
	}
}

// A crowd of 10 times 100/s: a second of rise has 550 requests, two of hold
// 2000, half a second of decay 275; each second outside of it 100. Poisson
// counts are within 4.892·√mean + 3 of their mean but for 1e-6.
func TestACrowdComesInItsSecondsAndTheBaseIsOutside(t *testing.T) {
	s := curves()["flash at"].spec
	s.At = s.At[:1]
	const warmup = 2
	counts := make([]float64, 24) // half seconds
	for due := range Schedule(s, 3, "main", warmup*sec, 10*sec, 0) {
		counts[due.At/(sec/2)]++
	}
	sum := func(from, to int) (n float64) { // half seconds from the window's start
		for _, c := range counts[2*warmup+from : 2*warmup+to] {
			n += c
		}
		return n
	}
	for _, c := range []struct {
		name           string
		from, to, want int
	}{{"warm-up", -4, 0, 200}, {"before", 0, 4, 200}, {"rise", 4, 6, 550}, {"hold", 6, 10, 2000}, {"decay", 10, 11, 275}, {"after", 11, 20, 450}} {
		if got := sum(c.from, c.to); math.Abs(got-float64(c.want)) > z*math.Sqrt(float64(c.want))+3 {
			t.Errorf("%s: %v requests, want about %d", c.name, got, c.want)
		}
	}
	if got := s.PeakRate(); got != 1000 {
		t.Errorf("PeakRate() = %v, want 1000", got)
	}
}

// The variance of counts in a time w of a Poisson process with two rates is
// R·w + 2(a−b)²·p·q/σ²·(σw − 1 + e^(−σw)), with σ = 1/on + 1/off (Fischer and
// Meier-Hellstern, 1993). Here the rates are 120 and 13.33, p = 1/4.
func TestTheCountsOfMMPPHaveTheDispersionOfTheory(t *testing.T) {
	s := examples(t, 40)[MMPP]
	const runs, sigma, p = 20_000, 1/0.5 + 1/1.5, 0.25
	for _, w := range []float64{0.05, 0.5, 4} {
		difference := 120 - 40.0/3
		variance := 40*w + 2*difference*difference*p*(1-p)/(sigma*sigma)*(sigma*w-1+math.Exp(-sigma*w))
		testCounts(t, "mmpp", countsOf(s, runs, 40*w), 40*w, variance)
	}
}
