// Lengths are written by people and drawn by the million: the forms are held
// one by one, the draws against the laws.
package workload

import (
	"math"
	"strings"
	"testing"

	"assay/internal/seed"
)

func TestALengthIsReadAndWrittenInItsCanonicalForm(t *testing.T) {
	for _, c := range []struct {
		text, want string
		mean       float64
	}{
		{"550", "550", 550},
		{" 1 ", "1", 1},
		{"1e3", "1000", 1000},
		{"uniform(100,200)", "uniform(100, 200)", 150},
		{"uniform( 7 , 7 )", "uniform(7, 7)", 7},
		{"normal(550, 150)", "normal(550, 150)", 550},
		{"normal(550.5, 0)", "normal(550.5, 0)", 550.5},
		{"lognormal (550, 150)", "lognormal(550, 150)", 550},
	} {
		var l Length
		if err := l.UnmarshalText([]byte(c.text)); err != nil {
			t.Errorf("UnmarshalText(%q): %v", c.text, err)
			continue
		}
		if l.String() != c.want || l.Mean() != c.mean || l.IsZero() {
			t.Errorf("UnmarshalText(%q) = %s with mean %v, want %s with %v", c.text, l, l.Mean(), c.want, c.mean)
		}
		var again Length
		if err := again.UnmarshalText([]byte(l.String())); err != nil || again != l {
			t.Errorf("reading %s again = %+v, %v, want %+v", l, again, err, l)
		}
	}
	if got := (Length{}).String(); got != "" {
		t.Errorf("a length left out is written %q, want nothing", got)
	}
}

func TestALengthThatCannotBeHonouredIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "many", "0", "-5", "5.5", "NaN", "Inf", "1e9", "550 tokens",
		"uniform(1)", "uniform(1,2,3)", "uniform(1,2", "uniform(1,2) ", "uniform(200, 100)", "uniform(1.5, 3)",
		"uniform(0, 10)", "uniform(1, 1e9)", "normal(550)", "normal(550, -1)", "normal(550, NaN)", "normal(0, 1)",
		"lognormal(0.5, 1)", "gamma(1, 2)", "constant(5, 5)", "(1, 2)",
	} {
		l := Length{Law: "constant", A: 7}
		err := l.UnmarshalText([]byte(text))
		if text == "uniform(1,2) " { // spaces around are no fault
			if err != nil {
				t.Errorf("UnmarshalText(%q): %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "length") {
			t.Errorf("UnmarshalText(%q) = %v, want an error that speaks of the length", text, err)
		}
		if l != (Length{Law: "constant", A: 7}) {
			t.Errorf("UnmarshalText(%q) left %+v behind", text, l)
		}
	}
}

// The sample mean and standard deviation of whole-number draws against the law:
// |z| < 4.9 has p < 1e-6; seeds are fixed. Rounding adds 1/12 to the variance.
// The standard deviation's own error needs the law's fourth moment (kurtosis).
func TestDrawsFollowTheLaw(t *testing.T) {
	const n = 200_000
	lognormal := func(mean, sd float64) float64 { // kurtosis
		w := 1 + (sd/mean)*(sd/mean)
		return math.Pow(w, 4) + 2*math.Pow(w, 3) + 3*w*w - 3
	}
	for _, c := range []struct {
		text               string
		mean, sd, kurtosis float64
	}{
		{"550", 550, 0, 0},
		{"uniform(100, 199)", 149.5, math.Sqrt((100*100 - 1) / 12.0), 1.8},
		{"normal(550, 100)", 550, math.Sqrt(100*100 + 1.0/12), 3},
		{"lognormal(550, 150)", 550, math.Sqrt(150*150 + 1.0/12), lognormal(550, 150)},
		{"lognormal(300, 300)", 300, math.Sqrt(300*300 + 1.0/12), lognormal(300, 300)},
	} {
		var l Length
		if err := l.UnmarshalText([]byte(c.text)); err != nil {
			t.Fatal(err)
		}
		sum, squares := 0.0, 0.0
		k := seed.Named(5, c.text)
		for i := range uint64(n) {
			x := float64(l.draw(k.Rand(i))) - c.mean
			sum += x
			squares += x * x
		}
		if c.sd == 0 {
			if sum != 0 || squares != 0 {
				t.Errorf("%s is not constant", c.text)
			}
			continue
		}
		if z := sum / n / c.sd * math.Sqrt(n); math.Abs(z) > 4.9 {
			t.Errorf("%s: mean %v: z = %.2f", c.text, c.mean+sum/n, z)
		}
		relative := squares/n/(c.sd*c.sd) - 1
		if z := relative / math.Sqrt((c.kurtosis-1)/n); math.Abs(z) > 4.9 {
			t.Errorf("%s: standard deviation %v: z = %.2f", c.text, math.Sqrt(squares/n), z)
		}
	}
}

func TestUniformReachesBothEndsAndEveryNumberBetweenEquallyOften(t *testing.T) {
	const n, cells = 100_000, 10
	var count [cells + 1]int
	for i := range uint64(n) {
		count[Length{Law: "uniform", A: 11, B: 20}.draw(seed.Rand(1, "u", i))-10]++
	}
	chi := 0.0
	for _, c := range count[1:] {
		chi += math.Pow(float64(c)-n/cells, 2) / (n / cells)
	}
	// Chi-square with 9 degrees of freedom exceeds 46 with p < 1e-6.
	if chi > 46 || count[0] != 0 {
		t.Errorf("counts %v: chi-square %.1f, want < 46", count, chi)
	}
}

// Raised is computed from the law and checked by counting draws below 1 token
// in a normal law drawn afresh here; lognormal(1, 3) likewise.
func TestRaisedIsTheShareOfDrawsThatWereLiftedToOneToken(t *testing.T) {
	const n = 100_000
	r := seed.Rand(9, "raised", 0)
	below := map[string]int{}
	sigma := math.Sqrt(math.Log(10)) // ln(1 + 3²/1²)
	for range n {
		if 20+30*r.NormFloat64() < 0.5 {
			below["normal(20, 30)"]++
		}
		if math.Exp(-sigma*sigma/2+sigma*r.NormFloat64()) < 0.5 {
			below["lognormal(1, 3)"]++
		}
	}
	for text, count := range below {
		var l Length
		if err := l.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		p := l.Raised()
		if z := (float64(count) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 4.9 {
			t.Errorf("%s: Raised() = %v, counted %v", text, p, float64(count)/n)
		}
	}
	for _, l := range []Length{{"constant", 1, 0}, {"uniform", 1, 2}, {"normal", 5, 0}} {
		if got := l.Raised(); got != 0 {
			t.Errorf("(%s).Raised() = %v, want 0", l, got)
		}
	}
	if got := (Length{"normal", 550, 150}).Raised(); got > 2e-4 || got < 1e-4 { // Φ(−3.66) = 1.26e-4
		t.Errorf("normal(550, 150).Raised() = %v, want 1.26e-4", got)
	}
}

func TestNoDrawIsBelowOneTokenNorBeyondTheBound(t *testing.T) {
	for _, l := range []Length{{"normal", 1, 1000}, {"lognormal", 1, 1e7}, {"lognormal", MaxTokens, MaxTokens}} {
		for i := range uint64(10_000) {
			if got := l.draw(seed.Rand(2, "bound", i)); got < 1 || got > MaxTokens {
				t.Fatalf("%s: draw %d = %d", l, i, got)
			}
		}
	}
}
