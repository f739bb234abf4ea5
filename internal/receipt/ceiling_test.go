package receipt

// The receipts that hold this run against another one: a calibration, or the
// same traffic with twice the processes.

import (
	"math"
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
)

// calibrated are the observations of a run by n processes on a machine with
// these ceilings.
func calibrated(n int, c observation.Calibration) []observation.Observation {
	return []observation.Observation{
		{Kind: observation.KindEpoch, Epoch: &observation.Epoch{Processes: n}},
		{Kind: observation.KindCalibration, Calibration: &c},
	}
}

func TestHeadroomIsTheCalibratedCeilingOverWhatTheRunCarried(t *testing.T) {
	two := observation.Calibration{Taken: "2026-01-02", Ceilings: []observation.Ceiling{{Processes: 4, Requests: 5, Events: 10}, {Processes: 8, Requests: 100, Events: 200}, {Processes: 1, Requests: 1, Events: 3}}}
	// 40 events at 12.0–12.04 s and 20 requests that end at 13 s, in a window of 20 s: 2 and 1 a second.
	run := func(streamed bool) []record.Record {
		var list []record.Record
		for range 20 {
			r := request(0, 0, [2]float64{10, 0}, [2]float64{40, 0})
			r.Ended, r.Streamed = 13*second, streamed
			list = append(list, r)
		}
		outside := request(0, 0, [2]float64{20_000, 0}) // arrives at 32 s
		outside.Ended = 33 * second
		warm := request(0, 0)
		warm.Phase, warm.Ended = record.Warmup, 9*second
		return append(list, outside, warm)
	}
	at := func(n int, c observation.Calibration, list []record.Record) Receipt {
		return headroom(evidence(calibrated(n, c), 0, list...), usual)
	}
	told(t, "events 10 ÷ 2, requests 5 ÷ 1", at(4, two, run(true)), 5, Holds, false, "2026-01-02")
	told(t, "the nearest below", at(7, two, run(true)), 5, Holds, false, "4 processes carried")
	told(t, "events 3 ÷ 2, requests 1 ÷ 1", at(1, two, run(true)), 1, Reported, true, "near this client's own ceiling: 1 process carried 1 requests/s")
	told(t, "not streamed: requests only", at(4, two, run(false)), 5, Holds, false, "requests/s")
	told(t, "the limit itself is too little", at(1, observation.Calibration{Ceilings: []observation.Ceiling{{Processes: 1, Requests: 2, Events: 99}}}, run(true)), 2, Reported, true, "")
	told(t, "a machine that carries nothing", at(1, observation.Calibration{Ceilings: []observation.Ceiling{{Processes: 1}}}, run(true)), 0, Reported, true, "")
	told(t, "none for so few", at(2, observation.Calibration{Ceilings: two.Ceilings[:2]}, run(true)), math.NaN(), Unavailable, false, "assay calibrate")
	told(t, "none here", at(4, observation.Calibration{Unavailable: "of another machine"}, run(true)), math.NaN(), Unavailable, false, "of another machine")
	told(t, "nothing arrived", at(4, two, nil), math.NaN(), Unavailable, false, "nothing arrived")
	told(t, "no calibration", headroom(evidence(nil, 0, run(true)...), usual), math.NaN(), Unavailable, false, "no calibration: `assay calibrate` makes one")
	warm := run(true)
	for i := range warm {
		warm[i].Phase = record.Warmup
	}
	told(t, "what the warm-up sent was carried too", at(4, two, warm), 5, Holds, false, "")
}

func v(x float64) *float64 { return &x }

// pair is a number with its interval in both runs.
func pair(name string, this, low, high, other, otherLow, otherHigh float64) observation.Comparison {
	end := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return observation.Comparison{Name: name, This: &this, CI: [2]*float64{end(low), end(high)}, Other: &other, OtherCI: [2]*float64{end(otherLow), end(otherHigh)}}
}

var open = math.Inf(1)

func TestIntervalsOverlapWhenTheyShareAPoint(t *testing.T) {
	for _, c := range []struct {
		pair observation.Comparison
		want bool
	}{
		{pair("within", 5, 1, 9, 5, 4, 6), true},
		{pair("touching", 1, 0, 2, 3, 2, 4), true},
		{pair("below", 1, 0, 2, 3, 2.001, 4), false},
		{pair("above", 3, 2.001, 4, 1, 0, 2), false},
		{pair("open above", 1, 0, open, 9, 8, 10), true},
		{pair("open above, and all of it above", 5, 4, open, 1, 0, 2), false},
		{pair("open below", 9, -open, 10, 1, 0, 2), true},
		{pair("both open", 9, open, open, 1, open, open), true},
		{observation.Comparison{Name: "in neither"}, true},
		{observation.Comparison{Name: "in one", This: v(1)}, false},
	} {
		if got := Overlaps(c.pair); got != c.want {
			t.Errorf("%s: %v, want %v", c.pair.Name, got, c.want)
		}
	}
}

func TestDoublingHoldsWhenNoNumberMoved(t *testing.T) {
	same := pair("ttft_ms p50", 80, 79, 81, 80.5, 79.5, 82)
	moved := pair("request_rate", 28, 27, 29, 39, 38, 40)
	for _, c := range []struct {
		name   string
		proof  *observation.Proof
		asked  bool
		value  float64
		status Status
		note   string
		holds  bool
	}{
		{"not asked for", nil, false, math.NaN(), NotApplicable, "not asked for", false},
		{"asked for and not made", nil, true, math.NaN(), Unavailable, "was not made", false},
		{"the same", &observation.Proof{Processes: 16, Status: "pass", Compared: []observation.Comparison{same}}, true, 0, Holds, "1 numbers agree with those of 16", true},
		{"one moved", &observation.Proof{Processes: 2, Status: "pass", Compared: []observation.Comparison{same, moved}}, true, 1, Broken, "request_rate went from 28 to 39 by 2 processes: the ceiling was the client's", false},
		{"the other was invalid", &observation.Proof{Processes: 16, Status: "invalid", Reasons: []observation.Reason{{Code: "machine_cpu", Text: "the machine is hot"}}, Compared: []observation.Comparison{same}}, true, 0, Broken, "was invalid (the machine is hot)", false},
		{"the other failed an objective, at the same numbers", &observation.Proof{Processes: 16, Status: "fail", Compared: []observation.Comparison{same}}, true, 0, Holds, "", true},
		{"nothing to compare", &observation.Proof{Processes: 16, Status: "pass"}, true, math.NaN(), Unavailable, "no number in common", false},
	} {
		var obs []observation.Observation
		if c.proof != nil {
			obs = []observation.Observation{{Kind: observation.KindProof, Proof: c.proof}}
			if got := ProofHolds(c.proof); got != c.holds {
				t.Errorf("%s: ProofHolds = %v, want %v", c.name, got, c.holds)
			}
		}
		e := evidence(obs, 0)
		e.ProofAsked = c.asked
		told(t, c.name, doubling(e, usual), c.value, c.status, false, c.note)
	}
}

func TestALimitTellsWhatIsUsual(t *testing.T) {
	loose := usual
	loose.CPU = Limit{Value: 0.9, Usual: 0.7, Changed: true}
	loose.CPUSecond = Limit{Value: 0.99, Usual: 0.9, Changed: true}
	r := cpu(evidence(seconds(0, nil, 0.8), 0), loose)
	if told(t, "loosened", r, 0.8, Holds, false, "(limit 99%, usually 90%)"); !r.Changed || r.Usual != 0.7 || r.Limit != 0.9 {
		t.Errorf("limit %g, usual %g, changed %v; want 0.9, 0.7, true", r.Limit, r.Usual, r.Changed)
	}
	if r := cpu(evidence(nil, 0), loose); !r.Changed || r.Usual != 0.7 || r.Status != Unavailable {
		t.Errorf("a limit that nothing can be held against: %+v", r)
	}
}

func TestADifferenceBelowTheInstrumentsOwnErrorIsNone(t *testing.T) {
	pair := func(name string, this, other float64) observation.Comparison {
		at := func(v float64) [2]*float64 {
			low, high := v*0.9999, v*1.0001
			return [2]*float64{&low, &high}
		}
		return observation.Comparison{Name: name, This: &this, CI: at(this), Other: &other, OtherCI: at(other)}
	}
	for _, c := range []struct {
		name        string
		this, other float64
		want        bool
	}{
		{"ttft_ms p50", 0.50, 0.74, false}, // 48 %, and 0.24 ms
		{"ttft_ms p50", 0.50, 0.76, true},
		{"itl_ms p99", 100, 101.9, false},
		{"itl_ms p99", 100, 102.1, true},
		{"request_rate", 28, 28.5, false},
		{"request_rate", 28, 28.6, true},
		{"request_rate", 0.1, 0.3, true}, // no milliseconds
		{"request_rate", 39, 28, true},
	} {
		if got := apart(pair(c.name, c.this, c.other)); got != c.want {
			t.Errorf("%s %g against %g: apart = %v, want %v", c.name, c.this, c.other, got, c.want)
		}
	}
}
