//go:build linux

package main

// The oracle: what a run reports against what the server wrote. Percentiles
// are computed here a second time, from the server's clock alone. A write
// happened between two looks at that clock, so each true value is an interval;
// ordered lower ends and ordered upper ends bracket the true percentile.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

const (
	msNS = 1e6
	// A reported latency may differ from the truth by the larger of these.
	slackMS, slackShare = 1.0, 0.05
	// sendLimit is the client's own limit of send_lag for the objectives of
	// these runs: 2 % of 500 ms, and never above 5 ms.
	sendLimit = 5.0
	// leastDelivered is the usual limit of the receipt of that name.
	leastDelivered = 0.999
)

// A check is one number of a run: what was reported, between which bounds the
// truth lies, and how far off the report may be.
type check struct {
	Name                       string
	Reported, Low, High, Slack float64
}

// MarshalJSON writes null for what is missing.
func (c check) MarshalJSON() ([]byte, error) {
	known := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return json.Marshal(map[string]any{"name": c.Name, "reported": known(c.Reported), "low": known(c.Low), "high": known(c.High), "slack": known(c.Slack)})
}

// off is how far the report lies outside of the truth.
func (c check) off() float64 { return max(0, c.Low-c.Reported, c.Reported-c.High) }

// right is false for what is not a number, too.
func (c check) right() bool { return c.off() <= c.Slack }

func (c check) String() string {
	return fmt.Sprintf("%s: reported %.4g, truth %.4g to %.4g, allowed ± %.3g", c.Name, c.Reported, c.Low, c.High, c.Slack)
}

func failed(list []check) []check {
	return slices.DeleteFunc(slices.Clone(list), check.right)
}

// latency is a check of a percentile in ms.
func latency(name string, reported *float64, low, high []int64, q float64) check {
	c := check{Name: name, Reported: math.NaN(), Low: percentile(low, q) / msNS, High: percentile(high, q) / msNS}
	if reported != nil {
		c.Reported = *reported
	}
	c.Slack = max(slackMS, slackShare*c.Low)
	return c
}

// percentile is the smallest value that a share q of all does not exceed.
func percentile(values []int64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return float64(sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)])
}

// lateness is the p99, or the second latest of a hundred requests or fewer:
// one late request moves no latency.
func lateness(late []int64) float64 {
	if n := len(late); n > 1 && n <= 100 {
		return float64(slices.Sorted(slices.Values(late))[n-2])
	}
	return percentile(late, 0.99)
}

// A said is the part of result.json that is held against the truth.
type said struct {
	Verdict struct {
		Status  string `json:"status"`
		Reasons []struct {
			Code string `json:"code"`
		} `json:"reasons"`
	} `json:"verdict"`
	Requests struct {
		Due int64 `json:"due"`
		OK  int64 `json:"ok"`
	} `json:"requests"`
	Metrics map[string]struct {
		P50 *float64 `json:"p50"`
		P99 *float64 `json:"p99"`
	} `json:"metrics"`

	epoch int64 // CLOCK_MONOTONIC
}

// A recorded is what is used of one line of `assay records`: which requests
// the result is about, and when each should have left. None of its stamps of
// what came back is.
type recorded struct {
	RequestID string `json:"request_id"`
	Phase     string `json:"phase"`
	Status    string `json:"status"`
	Free      *int64 `json:"free_ns"`
	Tokens    []int  `json:"tokens"`
}

// readResult reads a run's result and its epoch.
func readResult(dir string) (s said, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("result.json: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, "observations.jsonl"))
	if err != nil {
		return s, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var o struct {
			Epoch *struct {
				Monotonic int64 `json:"monotonic"`
			} `json:"epoch"`
		}
		if json.Unmarshal(lines.Bytes(), &o) == nil && o.Epoch != nil {
			s.epoch = o.Epoch.Monotonic
			return s, nil
		}
	}
	return s, errors.New("the run has no epoch")
}

// hold holds a result against the truth.
func hold(s said, records []recorded, truth map[string]written, sendLimit float64) []check {
	var ttft, gaps bounds
	var late []int64
	var measured, accepted, ok, torn int64
	for _, r := range records {
		if r.Phase != "measured" {
			continue
		}
		measured++
		w, known := truth[r.RequestID]
		if known {
			accepted++
			if r.Free != nil {
				late = append(late, w.had()-s.epoch-*r.Free)
			}
		}
		if r.Status != "ok" {
			continue
		}
		ok++
		if n := w.into(&ttft, &gaps); n != len(r.Tokens) {
			torn++
		}
	}
	list := []check{
		latency("ttft p50", s.Metrics["ttft_ms"].P50, ttft.low, ttft.high, 0.5),
		latency("ttft p99", s.Metrics["ttft_ms"].P99, ttft.low, ttft.high, 0.99),
	}
	if len(gaps.low) > 0 {
		list = append(list,
			latency("itl p50", s.Metrics["itl_ms"].P50, gaps.low, gaps.high, 0.5),
			latency("itl p99", s.Metrics["itl_ms"].P99, gaps.low, gaps.high, 0.99))
	}
	return append(list,
		// What the client does not say is taken from its limit: a run that
		// rules claims to have sent in time.
		check{Name: "accepted − due, p99 (ms)", Reported: lateness(late) / msNS, Low: 0, High: sendLimit, Slack: slackMS},
		check{Name: "requests that the server had of those due", Reported: float64(accepted) / float64(s.Requests.Due), Low: leastDelivered, High: 1},
		check{Name: "requests in the records", Reported: float64(s.Requests.Due), Low: float64(measured), High: float64(measured)},
		check{Name: "requests that are ok", Reported: float64(s.Requests.OK), Low: float64(ok), High: float64(ok)},
		check{Name: "replies with other events than were written", Reported: float64(torn)},
	)
}

// bounds are lower and upper ends of true values, in ns.
type bounds struct{ low, high []int64 }

func (b *bounds) add(low, high int64) {
	b.low, b.high = append(b.low, low), append(b.high, high)
}

// into adds the times of one reply and returns how many events bore content.
// The time to first token counts from when the request arrived at the server's
// kernel at the earliest, and from when the server had read it at the latest: a
// server that reads late is a slow server. What lies between the arrival and
// the client's own stamp is the client's, or too little to matter on a loopback.
func (w written) into(ttft, gaps *bounds) (n int) {
	var before, after int64
	for _, e := range w.Events {
		if e.Kind != "text" {
			continue
		}
		if n == 0 {
			ttft.add(e.Before-w.Accepted, e.After-w.had())
		} else {
			gaps.add(e.Before-after, e.After-before)
		}
		before, after = e.Before, e.After
		n++
	}
	return n
}
