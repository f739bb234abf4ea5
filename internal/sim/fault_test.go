package sim

import (
	"math"
	"strings"
	"testing"
)

func configure(t *testing.T, preset string, set map[string]string) Settings {
	t.Helper()
	s, err := Configure(preset, set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFaultsComeInTheirSharesAndFromTheSeed(t *testing.T) {
	const n = 200_000
	set := map[string]string{"fault_error": "1%", "fault_reject": "0.02", "fault_stall": "5%", "fault_slow_accept": "10%"}
	s := configure(t, "fixed", set)
	got := map[FaultKind]float64{}
	slow := 0
	for i := range uint64(n) {
		got[s.Fault(i).Kind]++
		if s.SlowAccept(i) == 1e9 {
			slow++
		}
	}
	got["slow_accept"] = float64(slow)
	for kind, share := range map[FaultKind]float64{NoFault: 0.92, ErrorFault: 0.01, RejectFault: 0.02, StallFault: 0.05, CutFault: 0, "slow_accept": 0.1} {
		// Five standard deviations: wrong once in two million.
		if off := math.Abs(got[kind] - share*n); off > 5*math.Sqrt(share*(1-share)*n) {
			t.Errorf("%q happens to %.0f of %d, want %.0f", kind, got[kind], n, share*n)
		}
	}
	set["seed"] = "2"
	same := 0
	for i := range uint64(1000) {
		if configure(t, "fixed", set).Fault(i) == s.Fault(i) {
			same++
		}
	}
	if same == 1000 {
		t.Error("another seed gives the same faults")
	}
}

func TestAFaultIsReadWithItsDetails(t *testing.T) {
	s := configure(t, "null", map[string]string{"fault_cut_after": "3"})
	for text, want := range map[string]Fault{
		"cut":                    {Kind: CutFault, After: 3},
		"cut, after=20":          {Kind: CutFault, After: 20},
		"stall,after=0,for=50ms": {Kind: StallFault, After: 0, For: 50e6},
		"slow_head":              {Kind: SlowHead, For: 2e9},
		"reject,for=7s":          {Kind: RejectFault, For: 7e9},
		"error":                  {Kind: ErrorFault},
	} {
		if got, err := s.ParseFault(text); err != nil || got != want {
			t.Errorf("ParseFault(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": `there is no fault ""`, "slow_accept": "there is no fault", "error,after=3": `has no "after"`,
		"cut,after=x": "not a number of tokens", "stall,for=5": "fault stall", "cut,for=5s": `has no "for"`,
	} {
		if _, err := s.ParseFault(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseFault(%q): %v, want %s", text, err, want)
		}
	}
}

func TestSharesOfMoreThanOneAreRefused(t *testing.T) {
	_, err := Configure("fixed", map[string]string{"fault_error": "60%", "fault_cut": "50%"})
	if err == nil || !strings.Contains(err.Error(), "more than one together") {
		t.Errorf("Configure = %v", err)
	}
}
