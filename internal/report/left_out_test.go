package report

import (
	"testing"

	"assay/internal/result"
)

func TestLinesThatAreLeftOutStandInTheReportWithTheirReasons(t *testing.T) {
	p := &page{}
	writeLeftOut(p, []result.File{
		{Name: "whole.csv", Requests: 5},
		{Name: "a.csv", Requests: 1234, Unusable: 7, Reasons: []string{"a.csv:3: is no\x1b JSON", "a.csv:4: is empty"}},
		{Name: "b.csv", Requests: 1, Unusable: 1, Reasons: []string{"b.csv:9: no"}},
	})
	const want = `
left out
  of a.csv 7 lines that can't be used, beside 1,234 requests
    a.csv:3: is no\x1b JSON
    a.csv:4: is empty
  of b.csv 1 line that can't be used, beside 1 request
    b.csv:9: no
`
	if got := p.b.String(); got != want {
		t.Errorf("\n%q\nwant\n%q", got, want)
	}
	p = &page{}
	if writeLeftOut(p, []result.File{{Name: "whole.csv", Requests: 5}}); p.b.Len() != 0 {
		t.Errorf("where nothing is left out: %q", p.b.String())
	}
}
