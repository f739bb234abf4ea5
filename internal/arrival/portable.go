// Functions whose bits are the same on every machine: the standard library's
// are assembly on some, and a fused multiply-add on others.

package arrival

import "math"

// times is a product that is rounded by itself: the conversion keeps the
// compiler from fusing it into a sum, which some architectures do. The plan
// must not depend on them.
func times(a, b float64) float64 { return float64(a * b) }

// horner is c[0] + x·c[1] + x²·c[2] + …
func horner(x float64, c ...float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = c[i] + times(x, sum)
	}
	return sum
}

const (
	ln2Hi = 6.93147180369123816490e-01 // the sum of both is ln 2 to 86 bits
	ln2Lo = 1.90821492927058770002e-10
)

// ln is the natural logarithm after fdlibm, for x > 0; its error is below one
// unit in the last place.
func ln(x float64) float64 {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, e = f*2, e-1
	}
	f--
	k := float64(e)
	s := f / (2 + f)
	s2 := times(s, s)
	r := times(s2, horner(s2,
		6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01))
	half := times(0.5*f, f)
	return times(k, ln2Hi) - ((half - (times(s, half+r) + times(k, ln2Lo))) - f)
}

// ln1p is ln(1+x) without the loss for small x (Kahan).
func ln1p(x float64) float64 {
	w := 1 + x
	if w == 1 {
		return x
	}
	return times(ln(w), x/(w-1))
}

// exp is eˣ after fdlibm.
func exp(x float64) float64 {
	switch {
	case x < -745:
		return 0
	case x > 709:
		return math.Inf(1)
	}
	k := math.Round(times(x, math.Log2E))
	hi, lo := x-times(k, ln2Hi), times(k, ln2Lo)
	r := hi - lo
	t := times(r, r)
	c := r - times(t, horner(t,
		1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
		-1.65339022054652515390e-06, 4.13813679705723846039e-08))
	return math.Ldexp(1-((lo-times(r, c)/(2-c))-hi), int(k))
}

// expm1 is eˣ − 1 without the loss for small x (Kahan).
func expm1(x float64) float64 {
	u := exp(x)
	if u == 1 {
		return x
	}
	if u == 0 {
		return -1
	}
	return times(u-1, x/ln(u))
}

// sincos is the sine and cosine of a part of a full turn, 0 ≤ turn ≤ 1.
func sincos(turn float64) (sin, cos float64) {
	q := math.Round(4 * turn)
	x := times(turn-q/4, 2*math.Pi) // the difference is exact
	z := times(x, x)
	s := x + times(x, times(z, horner(z,
		-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
		2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)))
	c := 1 - (0.5*z - times(times(z, z), horner(z,
		4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
		-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11)))
	switch int(q) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// lnGamma is ln Γ(x) for x > 0: Stirling's series from 12 on, where its next
// term is below 1e-16.
func lnGamma(x float64) float64 {
	shift := 1.0
	for x < 12 {
		shift = times(shift, x)
		x++
	}
	z := 1 / times(x, x)
	series := horner(z, 1.0/12, -1.0/360, 1.0/1260, -1.0/1680, 1.0/1188, -691.0/360360) / x
	return times(x-0.5, ln(x)) - x + 0.91893853320467274178 + series - ln(shift)
}
