package cli

// Every endpoint through the whole of a run: one contract with a stream for
// each of them.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/dialect"
)

func TestEveryEndpointIsMeasuredByOneRun(t *testing.T) {
	contract := "traffic: {duration: 2s, warmup: 0s}\nclient: {processes: 2}\ntarget: {simulate: fixed, simulate_set: {ttft: 10ms, itl: 1ms}}\nstreams:\n"
	for _, d := range dialect.Table() {
		contract += fmt.Sprintf("  - {name: s-%s, slo: error_rate < 1%%, target: {endpoint: %s}, traffic: {rate: 2/s, arrivals: constant}, workload: {input_tokens: 20, output_tokens: 8}}\n", d.Name, d.Name)
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "all.yaml"), filepath.Join(dir, "run")
	if err := os.WriteFile(file, []byte(contract), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("assay", "run", file, "--out", out, "--anyway", "--no-grow", "--quiet").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 3 && exit.ExitCode() != 4) {
		t.Fatalf("%v\n%s", err, said) // 3, 4: few requests, a busy machine
	}
	records, err := exec.Command("assay", "records", out).Output()
	if err != nil {
		t.Fatal(err)
	}
	type record struct {
		Endpoint     string
		Status       string
		OutputTokens *int   `json:"output_tokens"`
		First        *int64 `json:"first_ns"`
		Error        *struct{ Kind, Message string }
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(records)) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		seen[r.Endpoint]++
		if r.Status != "ok" || r.First == nil {
			t.Errorf("%s: %s %v", r.Endpoint, r.Status, r.Error)
		}
		if d, _ := dialect.Find(r.Endpoint); (d.Measures == "" || d.Measures == dialect.Tokens) && (r.OutputTokens == nil || *r.OutputTokens != 8) {
			t.Errorf("%s: another number of tokens than 8: %s", r.Endpoint, line)
		}
	}
	for _, d := range dialect.Table() {
		if seen[d.Name] != 4 {
			t.Errorf("%s: %d requests were sent, want 4", d.Name, seen[d.Name])
		}
	}
}
