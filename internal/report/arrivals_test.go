package report

import (
	"bytes"
	"strings"
	"testing"

	"assay/internal/result"
)

func TestWhatWasSentWronglyIsShownCheckByCheck(t *testing.T) {
	r := settled()
	no := false
	r.Arrivals = result.Arrivals{GapCV: ptr(2.64), Dispersion: ptr(7.27), Holds: &no,
		Test: "chat: the requests leave in batches (dispersion 100ms: 7.27), as when workers share a seed",
		Checks: []result.ArrivalCheck{
			{Stream: "chat", Name: "schedule", Value: ptr(311.2), Asked: ptr(0)},
			{Stream: "chat", Name: "dispersion 100ms", Value: ptr(7.27), Asked: ptr(1), P: ptr(3.1e-78)},
			{Stream: "chat", Name: "rate", Value: ptr(20.6), Asked: ptr(20), P: ptr(0.4), Holds: true},
		}}
	r.Claim = false
	r.ClaimWhy = []result.Reason{{Code: "arrivals", Text: "what was sent is not what was asked: " + r.Arrivals.Test}}
	golden(t, "arrivals", r, Options{})
}

func TestTheColourOfWhatWasSentIsThatOfItsTest(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		holds *bool
		want  string
	}{{&yes, "what was sent: xyz"}, {&no, "what was sent: \x1b[1;31mxyz"}, {nil, "what was sent: \x1b[1;33mxyz"}} {
		r := settled()
		r.Arrivals.Test, r.Arrivals.Holds = "xyz", c.holds
		var b bytes.Buffer
		if err := Text(&b, r, Options{Color: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("holds %v: no %q", c.holds, c.want)
		}
	}
}
