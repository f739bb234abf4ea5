package cli

// Every oddity of a stream and every bad reply, over real sockets, by the
// whole binary: each scripted case of the embedded server is a stream of one
// contract, and its records must say what the case says.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/record"
	"assay/internal/rundir"
	"assay/internal/simserver"
)

// casesContract is a contract with a stream for each case and endpoint.
func casesContract(url string) (text string, wants map[string]simserver.Want) {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nname: cases\ntarget: {url: %q, idle_limit: 4s}\n", url)
	b.WriteString("traffic: {duration: 1s, warmup: 0s, drain: 10s}\nclient: {processes: 2}\nstreams:\n")
	wants = map[string]simserver.Want{}
	for _, endpoint := range []string{"chat", "completions"} {
		for _, c := range simserver.Cases() {
			if c.Only != "" && c.Only != endpoint {
				continue
			}
			name := endpoint + "-" + c.Name
			wants[name] = c.Want
			fmt.Fprintf(&b, "  - name: %s\n    target: {endpoint: %s, model: case/%s}\n    traffic: {rate: 3/s, arrivals: constant}\n"+
				"    workload: {input_tokens: 5, output_tokens: 9}\n    slo: [error_rate < 99%%]\n", name, endpoint, c.Name)
		}
	}
	return b.String(), wants
}

func TestEveryScriptedCaseIsRecordedAsItSays(t *testing.T) {
	url := serveTruth(t, "--preset", "null")
	text, wants := casesContract(url)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "cases.yaml"), filepath.Join(dir, "run")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("assay", "run", file, "--no-preflight", "--anyway", "--quiet", "--out", out).CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	r, err := rundir.Open(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	defer r.Close()
	seen := map[string]int{}
	for rec, err := range r.Records()() {
		if err != nil {
			t.Fatal(err)
		}
		seen[rec.Stream]++
		checkCase(t, rec, wants[rec.Stream])
	}
	for name := range wants {
		if seen[name] != 3 {
			t.Errorf("%s: %d records, want 3", name, seen[name])
		}
	}
}

func checkCase(t *testing.T, r *record.Record, want simserver.Want) {
	t.Helper()
	status := record.OK
	if want.Error != "" {
		status = record.Failed
	}
	content := ""
	for _, e := range r.Events {
		content += map[record.Kind]string{record.Text: "t", record.Reasoning: "r", record.Tool: "t"}[e.Kind()]
	}
	if r.Status != status || r.ErrorKind != want.Error || r.HTTPStatus != want.HTTP || content != want.Content {
		t.Errorf("%s: %v %q, http %d, content %q, want %v %q, %d, %q (%s)", r.Stream,
			r.Status, r.ErrorKind, r.HTTPStatus, content, status, want.Error, want.HTTP, want.Content, r.ErrorMessage)
	}
	if want.Error != "" && r.ErrorMessage == "" {
		t.Errorf("%s: no example beside %s", r.Stream, r.ErrorKind)
	}
	if want.Tokens > 0 && r.Output != want.Tokens {
		t.Errorf("%s: %d output tokens by %v, want %d", r.Stream, r.Output, r.TokenSource, want.Tokens)
	}
	if err := r.Check(); err != nil {
		t.Errorf("%s: %v", r.Stream, err)
	}
}
