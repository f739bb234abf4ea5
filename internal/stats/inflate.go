package stats

// How many independent values a dependent sample is worth: batch means over
// time, with Student's t for the number of batches.

import (
	"gonum.org/v1/gonum/stat/distuv"
)

// leastBatches is the number of batches below which they are not merged
// further: a variance from fewer says little.
const leastBatches = 16

// total is a sum over one batch and the number of values in it.
type total struct{ x, n float64 }

// inflation is by how much dependence, and the few degrees of freedom of its
// estimate, inflate the variance of a ratio Σx/Σn over that of independent
// values: max(1, V/v) · (t/z)², where V is the variance of the ratio by batch
// means and v is spread/Σn. It is the largest over the batches as they are and
// merged in pairs: batches shorter than the memory of the queue look less
// dependent than they are. Negative dependence earns nothing.
func inflation(batches []total, spread float64) float64 {
	worst := 1.0
	for {
		k := float64(len(batches))
		if k < 2 {
			return worst
		}
		v, n := ratioVariance(batches)
		f := 1.0
		if spread > 0 {
			f = max(1, v/(spread/n))
		}
		worst = max(worst, f*widening(k-1))
		if len(batches)/2 < leastBatches {
			return worst
		}
		batches = merge(batches)
	}
}

// ratioVariance is the variance of Σx/Σn by batch means, and Σn.
func ratioVariance(batches []total) (v, n float64) {
	var x float64
	for _, b := range batches {
		x += b.x
		n += b.n
	}
	r, ss, k := x/n, 0.0, float64(len(batches))
	for _, b := range batches {
		d := b.x - r*b.n
		ss += d * d
	}
	return k / (k - 1) * ss / (n * n), n
}

// merge joins neighbours in pairs; an odd one out joins the last pair.
func merge(batches []total) []total {
	out := make([]total, len(batches)/2)
	for i, b := range batches {
		j := min(i/2, len(out)-1)
		out[j].x += b.x
		out[j].n += b.n
	}
	return out
}

// z is the quantile 1 − alpha of the normal distribution.
const z = 1.959963984540054

// widening is (t/z)² with df degrees of freedom: what an interval from few
// batches must be wider than one from a known variance.
func widening(df float64) float64 {
	t := studentT(df) / z
	return t * t
}

// studentT is the quantile 1 − alpha of Student's t. The degrees of freedom
// met here are few and asked for millions of times.
func studentT(df float64) float64 {
	if i := int(df); i >= 1 && i < len(studentTable) {
		return studentTable[i]
	}
	return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(1 - alpha)
}

var studentTable = [MaxBatches]float64{
	1: 12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
	2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852,
	2.200985160, 2.178812830, 2.160368656, 2.144786688, 2.131449546,
	2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447,
	2.079613845, 2.073873068, 2.068657610, 2.063898562, 2.059538553,
	2.055529439, 2.051830516, 2.048407142, 2.045229642, 2.042272456,
	2.039513446,
}

// latency is the inflation of the values themselves: of their mean, and of the
// share above their median. It stands in where a tail shows too few events to
// tell its own.
func (s *Sample) latency() float64 {
	if s.n == 0 {
		return 1
	}
	if s.latent == 0 {
		s.latent = s.ownInflation()
	}
	return s.latent
}

func (s *Sample) ownInflation() float64 {
	f := s.Finite()
	if f.n < 2 {
		return 1 // nothing to tell it from: where all fail, there is no doubt either
	}
	sd := f.SD()
	own := inflation(f.sums(), sd*sd)
	k, _ := f.orderKey(Rank(0.5, f.n))
	t, x := f.exceeding(k, false)
	p := float64(x) / float64(f.n)
	return max(own, inflation(t, p*(1-p)))
}

// sums are the totals of the values, batch by batch.
func (s *Sample) sums() []total {
	t := make([]total, len(s.batches))
	for j, b := range s.batches {
		t[j] = total{b.sum, float64(b.n())}
	}
	return t
}

// exceeding counts, batch by batch, the values above k (or at k too), and all
// of them together.
func (s *Sample) exceeding(k uint64, orEqual bool) (t []total, x int64) {
	t = make([]total, len(s.batches))
	if orEqual {
		if k == 0 {
			for j, b := range s.batches {
				t[j] = total{float64(b.n()), float64(b.n())}
			}
			return t, s.n
		}
		k--
	}
	for j, b := range s.batches {
		c := int64(b.keys.above(k)) + b.inf
		t[j] = total{float64(c), float64(b.n())}
		x += c
	}
	return t, x
}

// Effective is the number of independent values that would tell the mean as
// well: n ÷ inflation of variance by dependence, n at most.
func (s *Sample) Effective() float64 {
	f := s.Finite()
	if f.n < 2 {
		return float64(f.n)
	}
	sd := f.SD()
	worst, t := 1.0, f.sums()
	for len(t) >= 2 && sd > 0 {
		v, n := ratioVariance(t)
		worst = max(worst, v*n/(sd*sd))
		if len(t)/2 < leastBatches {
			break
		}
		t = merge(t)
	}
	return float64(f.n) / worst
}

// Inflation is by how much dependence of the values inflates a variance: what
// stands in for that of an event too rare to tell.
func (s *Sample) Inflation() float64 { return s.latency() }
