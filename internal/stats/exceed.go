package stats

// The exceedance test: is the share of values beyond a threshold within what
// an objective allows? And its inversion, the interval of a percentile.

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Tail is what the sample says of the values beyond a threshold.
type Tail struct {
	Exceed    int64
	N         int64
	Effective float64 // N ÷ inflation
}

// Share is the share of values beyond the threshold.
func (t Tail) Share() float64 { return float64(t.Exceed) / float64(t.N) }

// tail weighs the values above k (or at k too). Where the effective
// exceedances, or what lies below, are fewer than Floor, the indicator can't
// tell its own dependence, and that of the latency itself counts too.
func (s *Sample) tail(k uint64, orEqual bool) Tail {
	t, x := s.exceeding(k, orEqual)
	return s.weigh(t, x)
}

func (s *Sample) weigh(t []total, x int64) Tail {
	p := float64(x) / float64(s.n)
	f := inflation(t, p*(1-p))
	if float64(min(x, s.n-x))/f < Floor {
		f = max(f, s.latency())
	}
	return Tail{x, s.n, float64(s.n) / f}
}

// Within tells whether the share beyond the threshold is at most allowed,
// with an error of 2.5 %. It refuses when fewer than Floor effective
// exceedances would be expected at the bound.
func (t Tail) Within(allowed float64) bool {
	return t.Effective*allowed >= Floor && t.upper(allowed) <= alpha
}

// Beyond tells whether the share is more than allowed, with an error of 2.5 %.
// It refuses below Floor effective exceedances.
func (t Tail) Beyond(allowed float64) bool {
	x := t.Share() * t.Effective
	return x >= Floor && t.lower(allowed) <= alpha
}

// upper is the probability of as few exceedances or fewer, were the true share
// p: a binomial with the effective sample size (Korn and Graubard 1998).
func (t Tail) upper(p float64) float64 {
	x := t.Share() * t.Effective
	if x >= t.Effective {
		return 1
	}
	return 1 - mathext.RegIncBeta(x+1, t.Effective-x, p)
}

// lower is the probability of as many exceedances or more, were the true share p.
func (t Tail) lower(p float64) float64 {
	x := t.Share() * t.Effective
	if x <= 0 {
		return 1
	}
	return mathext.RegIncBeta(x, t.Effective-x+1, p)
}

// High is the upper end of the interval of the share, Low the lower one.
func (t Tail) High() float64 { return clopperHigh(t.Share()*t.Effective, t.Effective) }

// Low is the lower end of the interval of the share.
func (t Tail) Low() float64 { return clopperLow(t.Share()*t.Effective, t.Effective) }

// Tail returns the tail above a threshold; orEqual counts the threshold too.
func (s *Sample) Tail(threshold float64, orEqual bool) Tail {
	if s.n == 0 {
		return Tail{}
	}
	return s.tail(s.find(threshold), orEqual)
}

// find is the largest key whose value is at most v, or the key of v itself.
func (s *Sample) find(v float64) uint64 {
	if _, ok := s.batches[0].keys.(wide); ok {
		return key(v)
	}
	c := Code(int64(math.Round(v * 1e6)))
	return uint64(c)
}

// Quantile is the estimate of quantile q: the order statistic, and the
// interval of all thresholds that the exceedance test can't tell from it. An
// end is open when the sample can't carry a statement that far out.
func (s *Sample) Quantile(q float64) Estimate {
	e := Estimate{
		Point: s.Percentile(q), Low: math.Inf(-1), High: math.Inf(1), Level: Level,
		N: s.n, Method: "exceedances by batch means, inverted",
	}
	if s.n < 2 {
		e.Effective = float64(s.n)
		return e
	}
	e.High = s.highEnd(q)
	e.Low = s.lowEnd(q)
	at, ok := s.orderKey(Rank(q, s.n))
	if ok {
		e.Effective = s.tail(at, false).Effective
	} else {
		e.Effective = s.Effective()
	}
	return e
}

// highEnd is the smallest order statistic v such that at it, and everywhere
// above it, the share beyond is within 1 − q. Walking down from the largest
// keeps a lucky threshold deep in the tail from closing the interval.
func (s *Sample) highEnd(q float64) float64 {
	ok := func(beyond int64) bool {
		k, finite := s.orderKey(s.n - beyond)
		return finite && s.tail(k, false).Within(1-q)
	}
	most := int64(float64(s.n)*(1-q)) + 1
	good := walk(most, ok)
	if good < 0 {
		return math.Inf(1)
	}
	return s.Order(s.n - good)
}

// lowEnd is the largest order statistic v such that at it, and everywhere
// below it, the share at or beyond it is more than 1 − q. It is +Inf when the
// values that never came are more than that already.
func (s *Sample) lowEnd(q float64) float64 {
	ok := func(below int64) bool {
		k, finite := s.orderKey(below + 1)
		if !finite { // the share of what never came
			return s.tail(math.MaxUint64, false).Beyond(1 - q)
		}
		return s.tail(k, true).Beyond(1 - q)
	}
	good := walk(Rank(q, s.n), ok)
	if good < 0 {
		return math.Inf(-1)
	}
	return s.Order(good + 1)
}

// walk returns the largest i ≤ most for which ok holds from 0 on, tried at
// steps that grow by a fifth and settled by halving; −1 when ok(0) is false.
func walk(most int64, ok func(int64) bool) int64 {
	if !ok(0) {
		return -1
	}
	good, bad := int64(0), most
	for i := int64(1); i < most; i += 1 + i/5 {
		if !ok(i) {
			bad = i
			break
		}
		good = i
	}
	for bad-good > 1 {
		mid := good + (bad-good)/2
		if ok(mid) {
			good = mid
		} else {
			bad = mid
		}
	}
	return good
}
