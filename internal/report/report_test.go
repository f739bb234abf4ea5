package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/result"

	"github.com/google/go-cmp/cmp"
)

// Goldens are read by a person when they change; -update writes them.
var update = flag.Bool("update", false, "write the golden files")

func ptr(v float64) *float64 { return &v }

func golden(t *testing.T, name string, r *result.Result, o Options) {
	t.Helper()
	var got bytes.Buffer
	if err := Text(&got, r, o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("Text(%s) differs from %s (-want +got):\n%s", name, path, d)
	}
}

// settled is a result in which everything went well.
func settled() *result.Result {
	latency := func(unit string, n int64, p50, p90, p99, p999, most float64) result.Metric {
		return result.Metric{Unit: unit, Count: n, P50: ptr(p50), P90: ptr(p90), P99: ptr(p99), P999: ptr(p999), Max: ptr(most),
			CI: &result.CI{P50: [2]*float64{ptr(p50 - 1), ptr(p50 + 1)}, P99: [2]*float64{ptr(p99 - 2), nil}}}
	}
	return &result.Result{
		Schema: result.Schema, Name: "quickstart", DurationS: 20, Claim: true,
		Contract: result.ContractInfo{Seed: 1},
		Verdict: result.Verdict{Status: result.Pass, Objectives: []result.Objective{
			{Objective: "ttft p50 < 500ms", Unit: "ms", Value: ptr(81.24), Low: ptr(80.9), High: ptr(81.6), Bound: 500, Status: result.Pass, Count: 412, Effective: ptr(380)},
			{Objective: "error_rate < 1%", Unit: "fraction", Value: ptr(0), Low: ptr(0), High: ptr(0.0089), Bound: 0.01, Status: result.Pass, Count: 412},
		}},
		Requests: result.Requests{Due: 412, Sent: 412, OK: 412, Warmup: 39},
		Rates:    result.Rates{Offered: ptr(20.6), Request: ptr(20.55), OutputToken: ptr(1315.2), InputToken: ptr(2636.8)},
		Metrics: map[string]result.Metric{
			"ttft_ms":          latency("ms", 412, 81.24, 82.1, 90.06, 96.6, 98.3),
			"itl_ms":           latency("ms", 25956, 10.02, 10.4, 11.61, 13.9, 1204.4),
			"tpot_ms":          latency("ms/token", 412, 10.03, 10.2, 10.5, 10.61, 10.62),
			"ttft_adjusted_ms": latency("ms", 412, 81.19, 82, 89.9, 96.5, 98.2),
			"wait_ms":          latency("ms", 412, 1, 1, 2, 3, 4),
		},
		Tokens: result.Tokens{Input: result.InputTokens{Preflight: 128, Measured: 52736, Warmup: 4992},
			Output: result.OutputTokens{Preflight: 64, Measured: 26368, Warmup: 2496}, Source: "usage", InputSource: "usage"},
		Arrivals: result.Arrivals{GapCV: ptr(1.02), Dispersion: ptr(0.97), Test: "as asked"},
		Client: result.Client{Processes: 8, Clock: "kernel", Network: &result.Network{
			RTT:          result.Lag{P50: ptr(0.052), P99: ptr(0.3), Max: ptr(2)},
			TTFTAdjusted: &result.Lag{P50: ptr(81.19), P99: ptr(89.9), Max: ptr(98.2)},
		}, Receipts: []result.Receipt{
			{Name: "cpu", Unit: "fraction", Value: ptr(0.113), Limit: ptr(0.7), Status: result.Holds},
			{Name: "send_lag", Unit: "ms", Value: ptr(0.412), Limit: ptr(5), Usual: ptr(1), Changed: true, Status: result.Holds},
			{Name: "gc_pause", Unit: "ms", Value: ptr(0.031), Status: result.Reported},
		}},
	}
}

func TestVerdictComesFirstThenNumbersThenReceiptsThenTheNextStep(t *testing.T) {
	golden(t, "pass", settled(), Options{Dir: "runs/quickstart-20260101T000000Z", Files: []string{"contract.yaml", "result.json"}})
}

func TestColourMarksStatusesAndNothingShifts(t *testing.T) {
	var with, without bytes.Buffer
	if err := Text(&with, settled(), Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	if err := Text(&without, settled(), Options{}); err != nil {
		t.Fatal(err)
	}
	stripped := with.String()
	for _, e := range escapes {
		stripped = strings.ReplaceAll(stripped, e, "")
	}
	stripped = strings.ReplaceAll(stripped, "\x1b[0m", "")
	if stripped == with.String() {
		t.Error("Text with Color has no escape sequence")
	}
	if d := cmp.Diff(without.String(), stripped); d != "" {
		t.Errorf("Text with Color, escapes removed, differs (-plain +coloured):\n%s", d)
	}
}

func TestAFailedObjectiveIsRedAndAHeldReceiptGreen(t *testing.T) {
	r := settled()
	r.Verdict.Objectives[0].Status = result.Fail
	var b bytes.Buffer
	if err := Text(&b, r, Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1;31mfail\x1b[0m", "\x1b[1;32mpass\x1b[0m", "\x1b[1;32mholds\x1b[0m", "\x1b[2mreported\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("Text has no %q", want)
		}
	}
}

func TestVerboseShowsEveryMetricAndDimension(t *testing.T) {
	r := settled()
	r.By = map[string]map[string]map[string]result.Metric{"turn": {"first": {"ttft_ms": r.Metrics["ttft_ms"]}}}
	golden(t, "verbose", r, Options{Verbose: true})
}

func TestFailureShowsTheServersWordsOnOneLine(t *testing.T) {
	r := settled()
	r.Verdict.Status = result.Fail
	r.Verdict.Reasons = []result.Reason{{Code: "objective", Text: "error_rate < 1% is 100%"}}
	r.Verdict.Objectives[0] = result.Objective{Objective: "ttft p50 < 500ms", Unit: "ms", Bound: 500, Status: result.Fail, Count: 412, Why: "more than half of the requests failed"}
	r.Verdict.Objectives[1] = result.Objective{Objective: "error_rate < 1%", Unit: "fraction", Value: ptr(1), Low: ptr(0.991), High: ptr(1), Bound: 0.01, Status: result.Fail, Count: 412}
	r.Requests = result.Requests{Due: 412, Sent: 412, Failed: 410, Censored: 2}
	r.Errors = []result.ErrorCount{{Kind: "http_404", Count: 410, Example: "{\"detail\":\n\"Not \x1b[31mFound\"}"}, {Kind: "timeout", Count: 2, Example: "no answer within 60s"}}
	r.Metrics = nil
	golden(t, "fail", r, Options{})
}

func TestInconclusiveSaysWhatHoldsNowAndHowMuchLongerToRun(t *testing.T) {
	r := settled()
	r.Verdict.Status = result.Inconclusive
	r.Contract.DefaultObjectives = true
	r.Verdict.Objectives[0] = result.Objective{Objective: "itl p99.9 < 100ms", Unit: "ms", Value: ptr(92), Low: ptr(88), Bound: 100, Status: result.Inconclusive,
		Count: 25956, Effective: ptr(911.6), Holds: "p98.2 < 100ms", NeedsMoreS: ptr(94.2)}
	golden(t, "inconclusive", r, Options{})
}

func TestInvalidNumbersStandUnderTheirOwnHeading(t *testing.T) {
	r := settled()
	r.Verdict.Status = result.Invalid
	r.Claim = false
	r.Verdict.Reasons = []result.Reason{{Code: "cpu", Text: "cpu is 97% and must be below 70%"}}
	r.Client.Receipts[0].Status = result.Broken
	golden(t, "invalid", r, Options{})
}

func TestAttemptsAndTheDoublingCheckStandBesideTheResult(t *testing.T) {
	r := settled()
	r.Client.Processes = 2
	r.Attempts = []result.Attempt{
		{Processes: 1, Status: result.Invalid, Preflight: true, RequestRate: ptr(24.1), Reasons: []result.Reason{{Code: "cpu", Text: "cpu is 97% and must be below 70%"}, {Code: "rehearsal", Text: "seen in some seconds"}}},
		{Processes: 1, Status: result.Invalid, RequestRate: ptr(28), Reasons: []result.Reason{{Code: "send_lag", Text: "too late"}}},
		{Processes: 2, Status: result.Pass, RequestRate: ptr(39.04), Reasons: []result.Reason{{Code: "default_objectives", Text: "the contract names none"}}},
	}
	pair := func(name string, this, other float64, overlap bool) result.Comparison {
		return result.Comparison{Name: name, This: ptr(this), ThisCI: [2]*float64{ptr(this - 1), ptr(this + 1)}, Other: ptr(other), OtherCI: [2]*float64{ptr(other - 1), nil}, Overlap: overlap}
	}
	r.Client.Proof = &result.Proof{Processes: 4, Run: "attempts/3", Status: result.Pass, Holds: false,
		Compared: []result.Comparison{pair("request_rate", 28, 39, false), pair("ttft_ms p50", 81.24, 81.5, true)}}
	r.Client.Receipts = append(r.Client.Receipts,
		result.Receipt{Name: "cpu", Unit: "fraction", Value: ptr(0.1), Limit: ptr(0.7), Usual: ptr(0.7), Changed: true, Status: result.Holds, Note: "highest second 95% (limit 99%, usually 90%)"},
		result.Receipt{Name: "delivered", Unit: "fraction", Value: ptr(1), Limit: ptr(0.99), Usual: ptr(0.999), Changed: true, Status: result.Holds},
		result.Receipt{Name: "headroom", Unit: "ratio", Value: ptr(1.5), Limit: ptr(2), Usual: ptr(2), Status: result.Reported, Warns: true, Note: "near this client's own ceiling"},
		result.Receipt{Name: "pressure", Unit: "fraction", Status: result.Unavailable, Note: "read /proc/pressure/cpu: file does not exist"})
	golden(t, "attempts", r, Options{})
	var b bytes.Buffer
	if err := Text(&b, r, Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1;33mwarns\x1b[0m", "\x1b[1;31mapart\x1b[0m", "\x1b[1;32magree\x1b[0m", "\x1b[1;31mdoes not hold\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("Text has no %q", want)
		}
	}
	r.Client.Proof.Holds = true
	r.Attempts = r.Attempts[2:]
	b.Reset()
	if err := Text(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "attempts  (") || !strings.Contains(s, "doubling check by 4 processes  holds\n") {
		t.Errorf("one attempt and a check that holds are shown as\n%s", s)
	}
}

func TestNextNamesOneRemedyTheLikeliestCauseFirst(t *testing.T) {
	r := &result.Result{Verdict: result.Verdict{Status: result.Invalid}, Client: result.Client{Processes: 8, Receipts: []result.Receipt{
		{Name: "send_lag", Status: result.Broken}, {Name: "cpu", Status: result.Broken}, {Name: "read_lag", Status: result.Holds}}}}
	if got, want := Next(r), "the client's processes were too busy: run again with `--processes 16`"; got != want {
		t.Errorf("Next = %q, want %q", got, want)
	}
	r.Client.Receipts = append(r.Client.Receipts, result.Receipt{Name: "machine_cpu", Status: result.Broken})
	if got := Next(r); !strings.Contains(got, "too small") {
		t.Errorf("Next with a busy machine = %q, want it to ask for a larger machine, not for more processes", got)
	}
}

func TestNumbersKeepAboutFourDigits(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{0, "ms", "0 ms"}, {0.00123, "ms", "0.0012 ms"}, {0.0123, "ms", "0.01 ms"}, {9.994, "ms", "9.99 ms"}, {9.996, "ms", "10.0 ms"},
		{999.94, "ms", "999.9 ms"}, {999.96, "ms", "1,000 ms"}, {1234567, "ms", "1,234,567 ms"}, {-1234.4, "ms", "-1,234 ms"},
		{1, "fraction", "100%"}, {0.9995, "fraction", "99.950%"}, {0.99996, "fraction", "99.996%"}, {0.001, "fraction", "0.10%"},
		{20.55, "1/s", "20.6/s"},
	} {
		if got := amount(&c.v, c.unit); got != c.want {
			t.Errorf("amount(%v, %s) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
	for _, c := range []struct {
		s    float64
		want string
	}{{94.2, "95s"}, {119.5, "2m"}, {7199, "120m"}, {7201, "3h"}} {
		if got := seconds(c.s); got != c.want {
			t.Errorf("seconds(%v) = %q, want %q", c.s, got, c.want)
		}
	}
}

func TestFindKnowsEveryForm(t *testing.T) {
	for _, f := range Forms() {
		if _, ok := Find(f.Name); !ok {
			t.Errorf("Find(%q) = _, false", f.Name)
		}
	}
	if _, ok := Find("papyrus"); ok {
		t.Error(`Find("papyrus") = _, true`)
	}
}
