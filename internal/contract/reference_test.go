package contract

import (
	"flag"
	"os"
	"strings"
	"testing"

	"assay/internal/arrival"
)

var update = flag.Bool("update", false, "write docs/contract.md")

// documented is where the generated reference stands.
const documented = "../../docs/contract.md"

func TestTheReferenceInDocsIsCurrent(t *testing.T) {
	if *update {
		if err := os.WriteFile(documented, Markdown(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(documented)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(Markdown()) {
		t.Error("docs/contract.md is not what the types say: go test ./internal/contract -run Reference -update")
	}
}

func TestTheReferenceHasEachKeyOnceInOrder(t *testing.T) {
	var want []string
	for _, key := range Keys() {
		if !strings.HasPrefix(key, "streams[].") || key == "streams[].name" || key == "streams[].share" {
			want = append(want, key)
		}
	}
	var got []string
	for _, e := range reference {
		got = append(got, e.path)
		if e.text == "" || e.form == "" || !strings.HasSuffix(e.text, ".") {
			t.Errorf("%s: the reference needs a form and a sentence, has %q, %q", e.path, e.form, e.text)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("reference has\n%s\nthe types have\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheReferenceTellsTheDefaultsThatResolveFillsIn(t *testing.T) {
	c := resolved(t, "target: {simulate: fixed}\ntraffic: {rate: 1/s}\n")
	canonical := string(canonicalOf(t, c))
	for key, text := range map[string]string{
		"target.endpoint": "endpoint: ", "target.idle_limit": "idle_limit: ", "target.request_limit": "request_limit: ",
		"traffic.arrivals": "arrivals: ", "traffic.duration": "duration: ", "traffic.drain": "drain: ",
		"workload.input_tokens": "input_tokens: ", "workload.output_tokens": "output_tokens: ",
		"client.processes": "processes: ", "client.max_cpu": "max_cpu: ", "client.max_cpu_second": "max_cpu_second: ",
		"client.max_machine_cpu": "max_machine_cpu: ", "client.max_coalesced": "max_coalesced: ", "client.min_delivered": "min_delivered: ",
		"seed": "seed: ", "version": "version: ",
	} {
		e, _ := entryFor(key)
		if !strings.Contains(canonical, text+e.usual+"\n") {
			t.Errorf("%s: the reference says the default is %q, the canonical form has not %q:\n%s", key, e.usual, text+e.usual, canonical)
		}
	}
	for _, shape := range arrival.Shapes() {
		if e, _ := entryFor("traffic.arrivals"); !strings.Contains(e.text, shape) {
			t.Errorf("traffic.arrivals: the reference does not name %s", shape)
		}
	}
	e, _ := entryFor("slo")
	if e.usual != strings.Join(defaults, ", ") {
		t.Errorf("slo: the reference says %q, the defaults are %v", e.usual, defaults)
	}
}
