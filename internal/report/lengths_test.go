package report

import (
	"bytes"
	"strings"
	"testing"

	"assay/internal/result"
)

func TestLengthsThatWereAskedForStandBesideThoseThatCame(t *testing.T) {
	r := settled()
	all := func(n float64) *result.Spread { return &result.Spread{Mean: ptr(n), P50: ptr(n), P99: ptr(n)} }
	r.Lengths = result.Lengths{
		Input: result.Length{Requests: 412, Requested: all(550), Seen: all(550), Exact: ptr(1), Shorter: ptr(0), Longer: ptr(0)},
		Output: result.Length{Requests: 412, Requested: all(256), Seen: &result.Spread{Mean: ptr(180.25), P50: ptr(256), P99: ptr(256)},
			Exact: ptr(0.62), Shorter: ptr(0.35), Longer: ptr(0)},
		OSLMismatch: ptr(0.35), Template: map[string]int{"main": 7},
	}
	golden(t, "lengths", r, Options{})
	var b bytes.Buffer
	if err := Text(&b, r, Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	if want := escapes[doubt] + "35.0% stopped early"; !strings.Contains(b.String(), want) {
		t.Errorf("a server that stops early is not marked: no %q", want)
	}
}
