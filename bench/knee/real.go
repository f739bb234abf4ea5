package main

// The same by the client and the server, each a process of its own.

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"assay/internal/result"
)

func (q question) real(rate string) (row, error) {
	dir, err := os.MkdirTemp("", "knee")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	args := []string{"run", "--simulate", q.preset, "--rate", rate + "/s", "--duration", q.duration, "--warmup", q.warmup,
		"--out", filepath.Join(dir, "run"), "--anyway", "--no-preflight", "--json"}
	for _, name := range slices.Sorted(maps.Keys(q.set)) {
		args = append(args, "--set", "target.simulate_set."+name+"="+q.set[name])
	}
	var out, words bytes.Buffer
	cmd := exec.Command(q.assay, args...)
	cmd.Stdout, cmd.Stderr = &out, &words
	// Whatever the verdict, the run was carried out if it printed a result.
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return row{}, err
	}
	r, err := result.Decode(out.Bytes())
	if err != nil {
		return row{}, fmt.Errorf("%w: %s", err, words.String())
	}
	ttft, itl := r.Metrics["ttft_ms"], r.Metrics["itl_ms"]
	return row{
		due:    int(r.Requests.Due),
		ttft50: value(ttft.P50), ttft99: value(ttft.P99), itl50: value(itl.P50), itl99: value(itl.P99),
		tokens: value(r.Rates.OutputToken),
		note:   fmt.Sprintf("client's CPU at most %.0f %%, machine's %.0f %%%s", 100*value(r.Client.CPUMax), 100*value(r.Client.MachineCPUMax), invalid(r)),
	}, nil
}

// value is a number of a result; one that is missing prints as NaN.
func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// invalid is why the run says nothing of the server, if so.
func invalid(r *result.Result) string {
	if r.Verdict.Status != "invalid" || len(r.Verdict.Reasons) == 0 {
		return ""
	}
	return "; invalid: " + r.Verdict.Reasons[0].Text
}
