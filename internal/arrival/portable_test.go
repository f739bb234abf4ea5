// The portable functions against the standard library's.

package arrival

import (
	"math"
	"testing"

	"assay/internal/seed"
)

func TestPortableFunctionsAreThoseOfTheStandardLibrary(t *testing.T) {
	near := func(name string, x, got, want float64, ulps float64) {
		t.Helper()
		if math.Abs(got-want) > ulps*0x1p-52*max(math.Abs(want), 0x1p-1000) {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	r := seed.Rand(1, "portable", 0)
	for range 20_000 {
		x := math.Exp(80 * (r.Float64() - 0.5))
		near("ln", x, ln(x), math.Log(x), 1.01)
		near("ln1p", x, ln1p(x), math.Log1p(x), 4)
		y := 1400 * (r.Float64() - 0.5)
		near("exp", y, exp(y), math.Exp(y), 2)
		small := y / 1e6
		near("expm1", small, expm1(small), math.Expm1(small), 4)
		turn := r.Float64()
		sin, cos := sincos(turn)
		if math.Abs(sin-math.Sin(2*math.Pi*turn)) > 1e-15 || math.Abs(cos-math.Cos(2*math.Pi*turn)) > 1e-15 {
			t.Errorf("sincos(%v) = %v, %v", turn, sin, cos)
		}
		g := 0.01 + 60*r.Float64()
		want, _ := math.Lgamma(g)
		if math.Abs(lnGamma(g)-want) > 1e-13*(1+math.Abs(want)) {
			t.Errorf("lnGamma(%v) = %v, want %v", g, lnGamma(g), want)
		}
	}
	if exp(-800) != 0 || !math.IsInf(exp(800), 1) || expm1(-800) != -1 || ln1p(0) != 0 {
		t.Error("the ends are wrong")
	}
}
