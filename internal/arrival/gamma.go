// Requests that come in clusters (cv above 1) or more evenly than chance.

package arrival

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// gammaShape is the shape parameter a of the law: 1/cv², which others call
// burstiness.
func gammaShape(s Spec) float64 {
	if s.Burstiness > 0 {
		return s.Burstiness
	}
	return 1 / times(s.CV, s.CV)
}

func gammaCV(s Spec) float64 {
	if s.Burstiness > 0 {
		return 1 / math.Sqrt(s.Burstiness)
	}
	return s.CV
}

// gammaGaps draws gaps of mean 1. In the steady state the time to the first
// request is a uniform part of a gap as long as the one that an instant taken
// at random falls into; of such gaps the shape parameter is a+1.
func gammaGaps(s Spec, r *rand.Rand) func() float64 {
	a, first := gammaShape(s), true
	n := normal{r: r}
	return func() float64 {
		if first {
			first = false
			long := n.gamma(a + 1)
			return times(r.Float64(), long/a)
		}
		return n.gamma(a) / a
	}
}

func gammaCDF(s Spec) func(float64) float64 {
	a := gammaShape(s)
	return func(gap float64) float64 { return mathext.GammaIncReg(a, a*max(0, gap)) }
}

// A normal draws normal deviates by Marsaglia's polar method, which needs
// nothing but uniform ones, a logarithm and a root: it can be written again in
// any language, and is the same under every version of Go.
type normal struct {
	r     *rand.Rand
	spare float64
	has   bool
}

func (n *normal) draw() float64 {
	if n.has {
		n.has = false
		return n.spare
	}
	for {
		u, v := 2*n.r.Float64()-1, 2*n.r.Float64()-1
		q := times(u, u) + times(v, v)
		if q >= 1 || q == 0 {
			continue
		}
		f := math.Sqrt(-2 * ln(q) / q)
		n.spare, n.has = times(v, f), true
		return times(u, f)
	}
}

// gamma draws from the gamma law with scale 1 (Marsaglia and Tsang, 2000);
// below 1 the shape parameter is raised by 1 and the draw multiplied by U^(1/a).
func (n *normal) gamma(a float64) float64 {
	if a < 1 {
		return times(n.gamma(a+1), exp(ln(1-n.r.Float64())/a))
	}
	d := a - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := n.draw()
		v := 1 + times(c, x)
		if v <= 0 {
			continue
		}
		v = times(times(v, v), v)
		u := 1 - n.r.Float64() // above 0
		if ln(u) < times(0.5*x, x)+times(d, 1-v+ln(v)) {
			return times(d, v)
		}
	}
}
