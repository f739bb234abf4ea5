package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/internal/result"
)

// Next is the one thing to do after this result, in one sentence.
func Next(r *result.Result) string {
	switch r.Verdict.Status {
	case result.Invalid:
		return nextInvalid(r)
	case result.Fail:
		return nextFail(r)
	case result.Inconclusive:
		return nextInconclusive(r)
	case result.Unproven:
		return "these records carry no receipts: run the same contract with `assay run` to prove them"
	}
	if !r.Claim && len(r.ClaimWhy) > 0 {
		return nextClaim(r)
	}
	return "it holds at this load: raise --rate or --concurrency until an objective fails, and the value before is the capacity"
}

// remedies name what mends a broken receipt, in the order in which they are
// worth trying: a lack of CPU explains most of the others.
var remedies = []struct{ code, do string }{
	{"interrupted", "the run was interrupted: start it again and let it end"},
	{"disk_full", "free some space where the run's folder lies and run again"},
	{"machine_cpu", "this machine is too small for this load: stop what else runs here, use a larger machine, or lower the rate"},
	{"growth", "the fleet did not grow further: run again without --no-grow, raise client.max_processes, use a larger machine, or lower the rate"},
	{"cpu", "the client's processes were too busy: run again with `--processes {twice}`"},
	{"doubling", "the doubling check failed: run again with `--processes {twice}`; where the other run was invalid, use a larger machine or lower the rate"},
	{"local_faults", "this machine failed the run: mend what local_faults names (`assay doctor` shows the limits) and run again"},
	{"incomplete", "the run is not whole: mend what the reasons above name and run again"},
	{"delivered", "requests were not sent on time: run again with `--processes {twice}`, or lower the rate"},
	{"send_lag", "requests left late: run again with `--processes {twice}` on a machine that does nothing else"},
	{"write_lag", "requests were written late: run again with `--processes {twice}` on a machine that does nothing else"},
	{"read_lag", "answers were read late: run again with `--processes {twice}` on a machine that does nothing else"},
	{"coalesced", "events were read late and together: run again with `--processes {twice}` on a machine that does nothing else"},
}

func nextInvalid(r *result.Result) string {
	broken := map[string]bool{}
	for _, reason := range r.Verdict.Reasons {
		broken[reason.Code] = true
	}
	for _, c := range r.Client.Receipts {
		if c.Status == result.Broken {
			broken[c.Name] = true
		}
	}
	for _, m := range remedies {
		if broken[m.code] {
			return remedy(m.do, r)
		}
	}
	return "mend what the reasons above name and run again"
}

func remedy(do string, r *result.Result) string {
	return strings.ReplaceAll(do, "{twice}", strconv.Itoa(2*max(1, r.Client.Processes)))
}

func nextFail(r *result.Result) string {
	for _, reason := range r.Verdict.Reasons {
		if reason.Code == "throttled" {
			return "the server refused requests for the sake of a quota: lower the rate below it, or have it raised, and run again"
		}
	}
	if q := r.Requests; q.Due > 0 && q.OK == 0 && len(r.Errors) > 0 {
		return "no request succeeded: see what the server says with `assay try`, which shows one request and its answer raw"
	}
	if len(r.Errors) > 0 && failedOn(r, "error_rate") {
		return fmt.Sprintf("the server failed requests (%s first): mend that before reading the latencies", r.Errors[0].Kind)
	}
	return "the server does not hold this contract: lower --rate or --concurrency until it does, or loosen the objective that failed"
}

func failedOn(r *result.Result, metric string) bool {
	for _, o := range r.Verdict.Objectives {
		if o.Status == result.Fail && strings.HasPrefix(o.Objective, metric) {
			return true
		}
	}
	return false
}

// nextInconclusive adds the longest of the missing times to the window: a
// run is not continued, it is repeated.
func nextInconclusive(r *result.Result) string {
	more := 0.0
	for _, o := range r.Verdict.Objectives {
		if o.Status == result.Inconclusive && o.NeedsMoreS != nil {
			more = math.Max(more, *o.NeedsMoreS)
		}
	}
	if more == 0 {
		return "run again with a longer --duration: what is known now does not settle every objective"
	}
	return "run again with `--duration " + seconds(r.DurationS+more) + "`: that should settle every objective"
}

func nextClaim(r *result.Result) string {
	for _, reason := range r.ClaimWhy {
		switch reason.Code {
		case "processes":
			return "it holds, but is no capacity claim with so few processes: run again with `--processes 8`, or with `--prove-client`"
		case "drift":
			return "it holds, but the run had not settled: run again with a longer --warmup and --duration"
		}
	}
	return "it holds, but is no capacity claim: mend what is named above and run again"
}
