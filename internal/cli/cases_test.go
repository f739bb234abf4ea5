package cli

// Everything that a server can do to a stream, through the whole command: one
// contract has a stream for each scripted case and endpoint, one run sends
// them, and the records must say what the script of the case wants.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/simserver"
)

// perCase is how often each case is asked for: more than once, so that a
// connection that a case left behind is met by the next request.
const perCase = 2

func TestEveryStreamCaseIsRecordedAsItsScriptWants(t *testing.T) {
	folder := t.TempDir()
	url := startServer(t, folder)
	var contract strings.Builder
	fmt.Fprintf(&contract, "version: 1\nname: cases\ntarget: {url: %q, idle_limit: 3s}\nclient: {processes: 2}\nstreams:\n", url)
	for _, endpoint := range []string{"chat", "completions"} {
		for _, c := range simserver.Cases() {
			if c.Only == "" || c.Only == endpoint {
				fmt.Fprintf(&contract, "  - name: %s.%s\n    target: {endpoint: %s, model: case/%s}\n    traffic: {concurrency: 1, requests: %d}\n    workload: {input_tokens: 4, output_tokens: 4}\n    slo: [error_rate <= 100%%]\n",
					endpoint, c.Name, endpoint, c.Name, perCase)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "cases.yaml"), []byte(contract.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run := assay(t, folder, "run", "cases.yaml", "--no-preflight", "--out", "out", "--quiet")
	if len(run) == 0 {
		t.Error("the run printed no report")
	}
	records := map[string][]caseRecord{}
	for line := range bytes.Lines(assay(t, folder, "records", "out")) {
		var r caseRecord
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		records[r.Stream] = append(records[r.Stream], r)
	}
	for _, endpoint := range []string{"chat", "completions"} {
		for _, c := range simserver.Cases() {
			if c.Only != "" && c.Only != endpoint {
				continue
			}
			name := endpoint + "." + c.Name
			t.Run(name, func(t *testing.T) {
				if len(records[name]) != perCase {
					t.Fatalf("%d records, want %d", len(records[name]), perCase)
				}
				for _, r := range records[name] {
					r.check(t, c.Want)
				}
			})
		}
	}
}

// A caseRecord is what `assay records` says that a case is about.
type caseRecord struct {
	Stream     string
	Status     string
	HTTPStatus *int `json:"http_status"`
	Output     *int `json:"output_tokens"`
	Kinds      []string
	Error      *struct{ Kind, Message string }
}

func (r caseRecord) check(t *testing.T, want simserver.Want) {
	t.Helper()
	status, kind, code, content := "ok", "", 0, ""
	if want.Error != "" {
		status = "failed"
	}
	if r.Error != nil {
		kind = r.Error.Kind
		if r.Error.Message == "" {
			t.Errorf("%s has no example", kind)
		}
	}
	if r.HTTPStatus != nil {
		code = *r.HTTPStatus
	}
	for _, k := range r.Kinds {
		content += k[:1]
	}
	if content == "" && r.Output != nil && *r.Output > 0 && want.Content != "" {
		t.Error("tokens without a content-bearing event")
	}
	if r.Status != status || kind != want.Error || code != want.HTTP {
		t.Errorf("recorded as %s %q with HTTP status %d, want %s %q %d (%v)", r.Status, kind, code, status, want.Error, want.HTTP, r.Error)
	}
	// Tool calls have the first letter of text: the script's letters do not tell them apart either.
	if content != want.Content {
		t.Errorf("content events %q, want %q", content, want.Content)
	}
	if want.Tokens > 0 && (r.Output == nil || *r.Output != want.Tokens) {
		t.Errorf("output tokens %v, want %d", value(r.Output), want.Tokens)
	}
}

func value(p *int) any {
	if p == nil {
		return nil
	}
	return *p
}

// assay runs the command and returns its standard output. Any verdict will do.
func assay(t *testing.T, folder string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "assay", args...)
	cmd.Dir = folder
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3 || exit.ExitCode() == 4) {
		err = nil
	}
	if err != nil {
		t.Fatalf("assay %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}
