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

func tokens(d dialect.Dialect) bool { return d.Measures == "" || d.Measures == dialect.Tokens }

func TestEveryEndpointIsMeasuredByOneRun(t *testing.T) {
	contract := "traffic: {duration: 2s, warmup: 0s}\nclient: {processes: 2}\ntarget: {simulate: fixed, simulate_set: {ttft: 10ms, itl: 1ms}}\nstreams:\n"
	for _, d := range dialect.Table() {
		lengths := "input_tokens: 20"
		switch {
		case tokens(d):
			lengths += ", output_tokens: 8"
		case d.Takes&dialect.Text == 0:
			lengths = "images: {width: 64, height: 64}"
		}
		contract += fmt.Sprintf("  - {name: s-%s, slo: error_rate < 1%%, target: {endpoint: %s}, traffic: {rate: 2/s, arrivals: constant}, workload: {%s}}\n", d.Name, d.Name, lengths)
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
		if d, _ := dialect.Find(r.Endpoint); tokens(d) && !d.Endless && (r.OutputTokens == nil || *r.OutputTokens != 8) {
			t.Errorf("%s: another number of tokens than 8: %s", r.Endpoint, line)
		}
	}
	for _, d := range dialect.Table() {
		if seen[d.Name] != 4 {
			t.Errorf("%s: %d requests were sent, want 4", d.Name, seen[d.Name])
		}
	}
}

// The table in docs/endpoints.md is what the command prints; UPDATE_SCRIPTS=1
// writes it.
func TestTheListInTheDocsIsTheCommands(t *testing.T) {
	page := filepath.Join(repository, "docs", "endpoints.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("assay", "endpoints").Output()
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "```text\n", "```\n"
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("there is no place for the list")
	}
	if table == string(list) {
		return
	}
	if os.Getenv("UPDATE_SCRIPTS") == "" {
		t.Fatalf("the list in %s is another than `assay endpoints` prints: UPDATE_SCRIPTS=1 go test ./internal/cli -run TheListInTheDocs", page)
	}
	if err := os.WriteFile(page, []byte(before+begin+string(list)+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
