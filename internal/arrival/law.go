// What a shape promises of its requests, for the test of what was really sent.

package arrival

// A Law turns due times into gaps that all shapes share: counted in expected
// requests, by Cumulated, the gaps between requests are independent of one
// another, have mean 1, the distribution CDF and the coefficient of variation
// CV. Due times are whole nanoseconds and requests leave microseconds later:
// of clustered gaps a good part is shorter, so the distribution holds for gaps
// well above that and for the number of those below. Of a trace, which is what it is, all are nil and zero.
type Law struct {
	CDF       func(gap float64) float64
	CV        float64
	Cumulated func(t float64) float64 // expected requests before t, in ns from the start of the warm-up
}

// Law returns the law of the schedule that has these arguments. Cumulated is
// for one goroutine at a time; it is fast when t grows.
func (s Spec) Law(master uint64, stream string, warmup int64) Law {
	shape := s.shape()
	base := s.Shape
	if shape.pieces != nil {
		base = s.base()
	}
	law, ok := renewalOf(base)
	if !ok || s.Shape == Trace {
		return Law{}
	}
	l := Law{CDF: law.cdf(s), CV: law.cv(s)}
	if shape.pieces != nil {
		c := cumulated{next: s.pieces(warmup, drawsOf(master, stream))}
		l.Cumulated = c.at
	} else {
		l.Cumulated = func(t float64) float64 { return max(0, t) * s.Rate / second }
	}
	return l
}
