package stats

// Counts of this run, and what they say of the process behind them.

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ClopperPearson is the exact interval of a proportion: x of n independent
// trials. With n = 0 nothing is known.
func ClopperPearson(x, n int64) Estimate {
	e := Estimate{
		Point: math.NaN(), Low: 0, High: 1, Level: Level, N: n,
		Effective: float64(n), Method: "Clopper-Pearson",
	}
	if n > 0 {
		e.Point = float64(x) / float64(n)
		e.Low, e.High = clopperLow(float64(x), float64(n)), clopperHigh(float64(x), float64(n))
	}
	return e
}

func clopperLow(x, n float64) float64 {
	if x <= 0 {
		return 0
	}
	return mathext.InvRegIncBeta(x, n-x+1, alpha)
}

func clopperHigh(x, n float64) float64 {
	if x >= n {
		return 1
	}
	return mathext.InvRegIncBeta(x+1, n-x, 1-alpha)
}

// LeastSamples is the number of independent values below which no sample can
// settle a quantile, even if none exceeds the bound.
func LeastSamples(q float64) int64 {
	lo, hi := int64(1), int64(1)
	for !settles(hi, q) {
		lo, hi = hi, hi*2
	}
	for lo < hi {
		mid := lo + (hi-lo)/2
		if settles(mid, q) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func settles(n int64, q float64) bool {
	k := Batches(int(min(n, 1<<30)))
	if k < 2 {
		return false
	}
	f := widening(float64(k - 1))
	if k/2 >= leastBatches {
		f = max(f, widening(float64(k/2-1)))
	}
	return Tail{0, n, float64(n) / f}.Within(1 - q)
}
