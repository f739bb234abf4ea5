// Plans of a million requests against the theory of their arrivals, as a
// reader of the plan would check them: from the instants alone. Seed 1; each
// bound is passed by chance at most once in a million.
package run

import (
	"math"
	"testing"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/unit"
)

// beyond is the z of two-sided 1e-6.
const beyond = 4.892

// instants are the due times of a plan, in seconds.
func instants(t *testing.T, traffic contract.Traffic) []float64 {
	t.Helper()
	var all []float64
	for r := range planned(t, plannedStream(t, traffic, 0)).Requests() {
		all = append(all, float64(*r.DueNS)/1e9)
	}
	return all
}

// The CV of n gamma gaps is normal around cv with the deviation
// cv·√((cv² − cv·skew + (surplus + 2)/4)/n), where skew = 2cv and surplus = 6cv².
func TestAMillionGammaGapsHaveTheirCV(t *testing.T) {
	const cv, rate, n = 3.0, 500.0, 1_000_000
	at := instants(t, contract.Traffic{Rate: rate, Arrivals: arrival.Gamma, CV: cv, Requests: n})
	if len(at) != n {
		t.Fatalf("%d requests, want %d", len(at), n)
	}
	mean := (at[n-1] - at[0]) / (n - 1)
	squares := 0.0
	for i := 1; i < n; i++ {
		squares += (at[i] - at[i-1] - mean) * (at[i] - at[i-1] - mean)
	}
	spread := cv * math.Sqrt((cv*cv-cv*2*cv+(6*cv*cv+2)/4)/n)
	if got := math.Sqrt(squares/(n-1)) / mean; math.Abs(got-cv) > beyond*spread {
		t.Errorf("CV of the gaps = %.4f, want %v ± %.4f", got, cv, beyond*spread)
	}
	if z := (mean*rate - 1) / cv * math.Sqrt(n); math.Abs(z) > beyond {
		t.Errorf("mean gap %v s: z = %.2f around %v", mean, z, 1/rate)
	}
}

// Counts of a Poisson process have the variance of their mean: over n lengths
// the ratio is normal around 1 with the deviation √((2 + 1/mean)/n).
func TestAMillionPoissonRequestsHaveTheDispersionOfChance(t *testing.T) {
	const rate, n = 500.0, 1_000_000
	at := instants(t, contract.Traffic{Rate: rate, Arrivals: arrival.Poisson, Requests: n})
	for _, length := range []float64{0.01, 0.1, 1, 10} {
		counts := make([]float64, int(at[n-1]/length)) // the last, which the end cuts, left out
		for _, s := range at {
			if i := int(s / length); i < len(counts) {
				counts[i]++
			}
		}
		mean, k := rate*length, float64(len(counts))
		squares := 0.0
		for _, c := range counts {
			squares += (c - mean) * (c - mean)
		}
		// The counts add up to a number that was asked for, which takes less
		// than one length's worth of freedom.
		spread := math.Sqrt((2 + 1/mean) / k)
		if got := squares / k / mean; math.Abs(got-1) > beyond*spread+2/k {
			t.Errorf("counts in %v s: dispersion %.4f, want 1 ± %.4f", length, got, beyond*spread)
		}
	}
}

// 1000/s, and ten times as many for 20 s from 102 s on, 2 s of rise before and
// 10 s of decay behind: a million requests in 766 s. Each second has the count
// of its own rate; with 766 of them a bound of 6.2 deviations is 5e-7 in all.
func TestACrowdOfTenTimesIsInItsSecondsAndTheBaseOutside(t *testing.T) {
	const base, window = 1000.0, 766
	at := instants(t, contract.Traffic{
		Rate: base, Arrivals: arrival.Flash, Duration: unit.Duration(window * time.Second),
		Shape: arrival.Parameters{
			Peak: arrival.Peak{Times: 10}, At: []unit.Duration{unit.Duration(100 * time.Second)},
			Rise: unit.Duration(2 * time.Second), Hold: unit.Duration(20 * time.Second), Decay: unit.Duration(10 * time.Second),
		},
	})
	// The mean rate of second i: straight lines have it in their middle.
	rate := func(i int) float64 {
		middle := float64(i) + 0.5
		switch {
		case i < 100 || i >= 132:
			return base
		case i < 102:
			return base + 9*base*(middle-100)/2
		case i < 122:
			return 10 * base
		}
		return 10*base - 9*base*(middle-122)/10
	}
	counts := make([]float64, window)
	for _, s := range at {
		counts[int(s)]++
	}
	for i, got := range counts {
		if want := rate(i); math.Abs(got-want) > 6.2*math.Sqrt(want)+3 {
			t.Errorf("second %d: %v requests, want %v ± %.0f", i, got, want, 6.2*math.Sqrt(want))
		}
	}
	if n := len(at); n < 990_000 || n > 1_010_000 {
		t.Errorf("%d requests, want about a million", n)
	}
}
