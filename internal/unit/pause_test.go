package unit

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func pause(t *testing.T, words string) Pause {
	t.Helper()
	var p Pause
	if err := p.UnmarshalText([]byte(words)); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAPauseReadsBackAsItIsWritten(t *testing.T) {
	for words, want := range map[string]string{
		"5s": "5s", " 1500ms ": "1.5s", "uniform( 1s,9s )": "uniform(1s, 9s)", "normal(5s, 2000ms)": "normal(5s, 2s)",
		"lognormal(1m, 90s)": "lognormal(1m, 1m30s)", "exponential(2s)": "exponential(2s)",
	} {
		p := pause(t, words)
		if p.String() != want || pause(t, p.String()) != p {
			t.Errorf("%q is written %q, want %q", words, p, want)
		}
	}
}

func TestAPauseThatIsNoneIsRefusedWithTheForms(t *testing.T) {
	for _, words := range []string{"", "5", "0s", "-1s", "uniform(9s, 1s)", "uniform(0s, 0s)", "normal(5s)", "normal(5s, 2s", "gauss(5s, 2s)", "constant(5s)", "normal(5s, 2)", "exponential(1s, 2s)", "2000h"} {
		var e *Error
		p := Pause{Law: "constant", A: 7}
		if err := p.UnmarshalText([]byte(words)); !errors.As(err, &e) {
			t.Errorf("%q: %v, want an error of this package", words, err)
		}
		if p.A != 7 {
			t.Errorf("%q changed the pause that it is not", words)
		}
	}
}

// The laws against their moments, which come from textbooks: mean and standard
// deviation of a pause, and of what is left of one, E[X²]/2E[X] (Feller II,
// XI.4). 50,000 draws of seed 1: a mean off by more than 5 of its standard
// errors has a chance of 6e-7.
func TestDrawsAndWhatIsLeftOfAPauseHaveTheirMeans(t *testing.T) {
	const n = 50_000
	for words, want := range map[string]struct{ mean, second float64 }{ // seconds, E[X²]
		"5s":                {5, 25},
		"uniform(2s, 8s)":   {5, 28},                      // 25 + 36/12
		"normal(5s, 1s)":    {5, 26},                      // 5 sd from zero
		"lognormal(5s, 5s)": {5, 50},                      // 25 + 25
		"exponential(5s)":   {5, 50},                      // 2·25
		"normal(1s, 1s)":    {1.0833154706, 1.9246602167}, // mΦ(1)+sφ(1); (m²+s²)Φ(1)+m·s·φ(1)
	} {
		p, r := pause(t, words), rand.New(rand.NewPCG(1, 1))
		for name, c := range map[string]struct {
			draw func(*rand.Rand) time.Duration
			want float64
		}{"pause": {p.Draw, want.mean}, "rest": {p.Rest, want.second / want.mean / 2}} {
			sum, squares := 0.0, 0.0
			for range n {
				x := c.draw(r).Seconds()
				if x < 0 {
					t.Fatalf("%s: a %s of %v s", words, name, x)
				}
				sum, squares = sum+x, squares+x*x
			}
			mean := sum / n
			off := 5*math.Sqrt((squares/n-mean*mean)/n) + 1e-6
			if math.Abs(mean-c.want) > off {
				t.Errorf("%s: the mean %s is %.5f s, want %.5f within %.5f", words, name, mean, c.want, off)
			}
		}
		if got := p.Mean().Seconds(); math.Abs(got-want.mean) > 1e-5 {
			t.Errorf("%s: mean %v, want %v", words, got, want.mean)
		}
	}
}

// What is left has the density (1 − F(x))/mean: its quartiles for laws where
// they are known. 100,000 draws of seed 2, each share within 5 of its standard
// errors (6e-7).
func TestWhatIsLeftHasTheLawOfTheSteadyState(t *testing.T) {
	const n = 100_000
	for words, quarter := range map[string]float64{
		"4s":              1,                          // even on 0…4 s
		"exponential(4s)": 4 * math.Log(4.0/3),        // without memory
		"uniform(0s, 4s)": 4 * (1 - math.Sqrt(3.0/4)), // 1 − (1−x/4)²
	} {
		p, r, below := pause(t, words), rand.New(rand.NewPCG(2, 2)), 0
		for range n {
			if p.Rest(r).Seconds() < quarter {
				below++
			}
		}
		if share := float64(below) / n; math.Abs(share-0.25) > 5*math.Sqrt(0.25*0.75/n) {
			t.Errorf("%s: %.4f of what is left is below %.4f s, want a quarter", words, share, quarter)
		}
	}
}

func TestAPauseThatIsNotSetTakesNoTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	if d := (Pause{}).Draw(r) + (Pause{}).Rest(r) + (Pause{}).Mean(); d != 0 || !(Pause{}).IsZero() || (Pause{}).String() != "" {
		t.Errorf("no pause takes %v", d)
	}
}
