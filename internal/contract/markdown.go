// docs/contract.md, generated so that it can't be wrong about the keys.

package contract

import (
	"bytes"
	"fmt"
	"strings"

	"assay/internal/slo"
)

const preface = "# The contract file\n\n" +
	"<!-- Generated from the types: `go test ./internal/contract -run Reference -update`. -->\n\n" +
	"A contract says what is measured and what must hold. Flags override its keys (`--set path=value` reaches each of them);\n" +
	"what was run is written into the run's folder as `contract.yaml`, every default included.\n\n" +
	"Reading is strict: an unknown key, a value without its unit, or two settings that exclude each other is an error with\n" +
	"file, line, column and a hint. Secrets are named (`api_key_env`, `${NAME}` in a header), never written.\n\n"

const forms = "## Values\n\n" +
	"| form | written |\n|---|---|\n" +
	"| duration | `500ms`, `30s`, `10m`, `1h30m` |\n" +
	"| rate | `40/s`, `2400/min`, `5/h` |\n" +
	"| fraction | `70%` or `0.7` |\n" +
	"| length | `550`, `uniform(100, 200)`, `normal(550, 150)`, `lognormal(550, 150)` (mean and standard deviation of the tokens) |\n" +
	"| objective | `METRIC[FILTER] [STAT] OP VALUE`: the statistic is `p50`, `p99.9`, `mean`, `max` or `min`; the operator `<`, `<=`, `>` or `>=` |\n" +
	"| bound | `METRIC OP VALUE` |\n\n"

const excluding = "## Settings that exclude each other\n\n" +
	"Both written is an error; a flag over a file replaces what the file says.\n\n"

// Markdown returns the reference as docs/contract.md has it.
func Markdown() []byte {
	var b bytes.Buffer
	b.WriteString(preface + forms)
	b.WriteString("## Keys\n\n| key | value | default | |\n|---|---|---|---|\n")
	for _, e := range reference {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", e.path, e.form, cell(e.usual), cell(e.text))
	}
	b.WriteString("\n" + excluding)
	for _, pair := range exclusive {
		fmt.Fprintf(&b, "- `%s` and `%s`: %s\n", pair[0], pair[1], why[pair])
	}
	b.WriteString("\n## Metrics of objectives\n\nTheir formulas are in [metrics.md](metrics.md).\n\n| metric | unit | |\n|---|---|---|\n")
	for _, m := range slo.Catalogue() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, m.Unit, strings.Join(conditions(m), "; "))
	}
	return b.Bytes()
}

// conditions says what a metric asks of the contract.
func conditions(m slo.MetricInfo) []string {
	var list []string
	for _, c := range []struct {
		holds bool
		text  string
	}{
		{m.Family != slo.Distribution, "one number a run: no statistic"},
		{m.HigherIsBetter, "higher is better: `>` or `>=`"},
		{m.PerRequest, "may stand under `good`"},
		{m.NeedsStream, "streamed answers"},
		{m.NeedsGaps, "replies of two tokens or more"},
		{m.OpenLoopOnly, "open loop"},
		{m.NeedsGood, "beside `good`"},
	} {
		if c.holds {
			list = append(list, c.text)
		}
	}
	return list
}

// cell keeps a text inside its cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
