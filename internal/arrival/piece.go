// Rates over time, piece by piece, and the change of time that follows them.

package arrival

import "math"

// A piece is a stretch of time in which the rate follows one formula. Times
// are ns from its start, rates requests per ns.
type piece struct {
	length   float64 // may be +Inf
	from, to float64 // the rates at its ends; the same for a flat one
	form     form
	swing    float64 // of a wave, as a part of its rate
}

type form uint8

const (
	straight form = iota // from one rate to the other, also a flat one
	powers               // the rate grows by the same factor in the same time
	wave                 // one turn of a sine around its rate
)

func flat(length, rate float64) piece { return piece{length: length, from: rate, to: rate} }

// area is the number of requests expected before t.
func (p piece) area(t float64) float64 {
	switch {
	case t <= 0:
		return 0 // also of a piece without length
	case p.form == wave:
		return times(times(p.from, p.length), turned(t/p.length, p.swing))
	case p.from == p.to:
		if p.from == 0 {
			return 0 // for ever, perhaps
		}
		return times(p.from, t)
	case p.form == powers:
		b := ln(p.to/p.from) / p.length
		return times(p.from, expm1(times(b, t))/b)
	}
	slope := (p.to - p.from) / p.length
	return times(p.from, t) + times(times(slope, t), t/2)
}

// when is the inverse of area: the time before which a requests are expected.
func (p piece) when(a float64) float64 {
	t := 0.0
	switch {
	case a <= 0:
	case p.form == wave:
		t = times(p.length, unturned(a/times(p.from, p.length), p.swing))
	case p.from == p.to:
		t = a / p.from
	case p.form == powers:
		b := ln(p.to/p.from) / p.length
		t = ln1p(times(a, b)/p.from) / b
	default:
		slope := (p.to - p.from) / p.length
		// The usual formula loses its digits where the slope is small.
		root := math.Sqrt(max(0, times(p.from, p.from)+2*times(slope, a)))
		t = 2 * a / (p.from + root)
	}
	return min(t, p.length)
}

// turned is how much of one turn of the wave 1 + swing·sin has passed at a
// part of its time: φ + swing·(1 − cos 2πφ)/2π.
func turned(part, swing float64) float64 {
	sin, _ := sincos(part / 2) // 1 − cos 2x = 2 sin² x
	return part + times(swing/math.Pi, times(sin, sin))
}

// unturned is the inverse of turned: Newton's steps, halving where one would
// leave the bracket.
func unturned(area, swing float64) float64 {
	low, high, x := 0.0, 1.0, area
	for range 60 {
		miss := turned(x, swing) - area
		if miss > 0 {
			high = x
		} else {
			low = x
		}
		sin, _ := sincos(x)
		next := x - miss/(1+times(swing, sin))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) < 1e-16 {
			return next
		}
		x = next
	}
	return x
}

// openPieces is the change of time: a process with one request expected per
// unit runs along the pieces, and a request is due where as many are expected
// as the process has come to. A constant base makes a metronome that speeds up
// and slows down, a Poisson one the Poisson process of that rate, exactly.
func openPieces(s Spec, warmup int64, draws draws) func() float64 {
	law, _ := renewalOf(s.base())
	gap, next := law.gaps(s, draws(gapDraws)), s.pieces(warmup, draws)
	p := next()
	start, into, last := 0.0, 0.0, 0.0 // into: requests expected since the start of p
	whole := p.area(p.length)
	return func() float64 {
		into += gap()
		for into >= whole && !math.IsInf(p.length, 1) {
			into -= whole
			start += p.length
			p = next()
			whole = p.area(p.length)
		}
		if p.from == 0 && p.to == 0 {
			return math.Inf(1) // the last piece, and nothing more to come
		}
		last = max(last, start+p.when(into)) // rounding never turns time back
		return last
	}
}

// A cumulated answers how many requests are expected before a time.
type cumulated struct {
	next  func() piece
	parts []part // grows as far as it was asked for
	found int    // where the last answer was
}

type part struct {
	piece
	start, before float64 // where it begins, and what is expected by then
}

func (c *cumulated) at(t float64) float64 {
	if len(c.parts) == 0 {
		c.parts = append(c.parts, part{piece: c.next()})
	}
	for end := c.parts[len(c.parts)-1]; end.start+end.length <= t; {
		end = part{c.next(), end.start + end.length, end.before + end.area(end.length)}
		c.parts = append(c.parts, end)
	}
	for c.found > 0 && c.parts[c.found].start > t {
		c.found--
	}
	for c.found+1 < len(c.parts) && c.parts[c.found+1].start <= t {
		c.found++
	}
	in := c.parts[c.found]
	return in.before + in.area(max(0, t-in.start))
}
