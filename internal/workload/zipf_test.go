// Zipf's law is drawn without a table, so it is held against one.
package workload

import (
	"math"
	"testing"

	"assay/internal/seed"
)

// The wanted draws come from a separate program in another language.
func TestZipfDrawsAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	for _, c := range []struct {
		s, largest float64
		want       [8]float64
	}{
		{1.1, 4000, [8]float64{12, 412, 1, 66, 1, 38, 19, 4}},
		{1, 100, [8]float64{6, 40, 1, 16, 1, 12, 8, 3}},
		{0.5, 1000, [8]float64{215, 682, 5, 426, 26, 353, 265, 95}},
		{2.5, MaxTokens, [8]float64{1, 2, 1, 1, 1, 1, 1, 1}},
	} {
		var got [8]float64
		for n := range got {
			got[n] = drawZipf(c.s, c.largest, seed.Rand(7, "frozen", uint64(n)))
		}
		if got != c.want {
			t.Errorf("zipf(%v, %v) = %v, want %v", c.s, c.largest, got, c.want)
		}
	}
}

// Chi-square of 200,000 draws (seed 3) against k^-s by its definition, the law
// cut into at most 40 cells of at least 1,000 draws each. With 39 degrees of
// freedom 106 is exceeded with p < 1e-7, with fewer more rarely.
func TestZipfDrawsFollowTheLaw(t *testing.T) {
	const n, cells = 200_000, 40
	for _, c := range []struct{ s, largest float64 }{{0.3, 50}, {1, 1}, {1, 2}, {1, 1000}, {1.1, 4000}, {2, 100_000}, {8, 10}} {
		weights := make([]float64, int(c.largest))
		total := 0.0
		for k := range weights {
			weights[k] = 1 / math.Pow(float64(k+1), c.s)
			total += weights[k]
		}
		cell, share, filled := make([]int, len(weights)), []float64{0}, 0.0
		for k, w := range weights {
			if filled >= n/cells { // this one is full
				share, filled = append(share, 0), 0
			}
			cell[k] = len(share) - 1
			share[len(share)-1] += w / total
			filled += n * w / total
		}
		if last := len(share) - 1; last > 0 && n*share[last] < 1000 {
			for k := range cell {
				cell[k] = min(cell[k], last-1)
			}
			share[last-1] += share[last]
			share = share[:last]
		}
		counts := make([]float64, len(share))
		key := seed.Named(3, "zipf")
		for i := range uint64(n) {
			k := drawZipf(c.s, c.largest, key.Rand(i))
			if k < 1 || k > c.largest || k != math.Trunc(k) {
				t.Fatalf("zipf(%v, %v): draw %d = %v", c.s, c.largest, i, k)
			}
			counts[cell[int(k)-1]]++
		}
		chi := 0.0
		for i, p := range share {
			chi += (counts[i] - n*p) * (counts[i] - n*p) / (n * p)
		}
		if chi > 106 {
			t.Errorf("zipf(%v, %v): chi-square %.1f in %d cells, want < 106", c.s, c.largest, chi, len(share))
		}
	}
}

func TestTheMeanOfZipfAndTheShareBelowAreThoseOfItsDefinition(t *testing.T) {
	for _, c := range []struct{ s, largest float64 }{{0.2, 7}, {1, 100}, {1, 101}, {1.1, 300_000}, {2, 5000}, {3.5, 200}, {0.5, 100_000}} {
		total, first, below := 0.0, 0.0, 0.0
		at := max(2, math.Trunc(c.largest/3))
		for k := c.largest; k >= 1; k-- { // the small ones first
			p := math.Pow(k, -c.s)
			total += p
			first += k * p
			if k < at {
				below += p
			}
		}
		l := Length{"zipf", c.s, c.largest}
		if got, want := l.Mean(), first/total; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("(%s).Mean() = %v, want %v", l, got, want)
		}
		if got, want := l.Below(int(at)), below/total; math.Abs(got-want) > 1e-9 {
			t.Errorf("(%s).Below(%v) = %v, want %v", l, at, got, want)
		}
	}
}

func TestZipfIsReadWrittenAndRefusedLikeTheOtherLaws(t *testing.T) {
	var l Length
	if err := l.UnmarshalText([]byte("zipf( 1.1,4000 )")); err != nil || l.String() != "zipf(1.1, 4000)" {
		t.Errorf("reads %q, %v, want zipf(1.1, 4000)", l, err)
	}
	for _, text := range []string{"zipf(0, 10)", "zipf(-1, 10)", "zipf(11, 10)", "zipf(1.1, 0)", "zipf(1.1, 10.5)", "zipf(1.1, 1e9)", "zipf(NaN, 10)", "zipf(1.1)"} {
		if err := new(Length).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("UnmarshalText(%q): no error", text)
		}
	}
}

// Below against the share of draws, 50,000 with seed 4: |z| < 4.9, p < 1e-6.
func TestBelowIsTheShareOfDrawsThatAreShorter(t *testing.T) {
	const n = 50_000
	for _, c := range []struct {
		text  string
		under int
	}{
		{"uniform(11, 20)", 14}, {"normal(550, 150)", 400}, {"lognormal(300, 300)", 120}, {"zipf(1.1, 4000)", 40},
	} {
		var l Length
		if err := l.UnmarshalText([]byte(c.text)); err != nil {
			t.Fatal(err)
		}
		count, key := 0.0, seed.Named(4, c.text)
		for i := range uint64(n) {
			if l.draw(key.Rand(i)) < c.under {
				count++
			}
		}
		p := l.Below(c.under)
		if z := (count - n*p) / math.Sqrt(n*p*(1-p)); math.IsNaN(z) || math.Abs(z) > 4.9 {
			t.Errorf("(%s).Below(%d) = %v, counted %v: z = %.1f", l, c.under, p, count/n, z)
		}
	}
	for _, c := range []struct {
		l    Length
		at   int
		want float64
	}{{Length{}, 1, 0}, {Length{"constant", 5, 0}, 5, 0}, {Length{"constant", 5, 0}, 6, 1}, {Length{"uniform", 11, 20}, 11, 0}, {Length{"uniform", 11, 20}, 21, 1}, {Length{"normal", 9, 0}, 10, 1}} {
		if got := c.l.Below(c.at); got != c.want {
			t.Errorf("(%s).Below(%d) = %v, want %v", c.l, c.at, got, c.want)
		}
	}
}

func BenchmarkDrawZipf(b *testing.B) {
	key := seed.Named(1, "bench")
	for n := uint64(0); b.Loop(); n++ {
		drawZipf(1.1, 4000, key.Rand(n))
	}
}
