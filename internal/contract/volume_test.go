package contract

import (
	"errors"
	"strings"
	"testing"
)

func TestAPlanThatNobodyCanMeanIsRefused(t *testing.T) {
	for traffic, want := range map[string]string{
		"{rate: 1e300/s}":                            "can't be sent",
		"{rate: 1000001/s, duration: 1s}":            "can't be sent",
		"{rate: 10/s, requests: 100000001}":          "too many",
		"{concurrency: 4, requests: 100000001}":      "too many",
		"{rate: 1000/s, duration: 28h}":              "too many",
		"{rate: 1000000/s, requests: 5, warmup: 2m}": "too many",
		"{rate: 1000000/s, duration: 60s}":           "", // with its warm-up 66,000,000
		"{concurrency: 4, duration: 1000h}":          "",
	} {
		c, err := Load("c.yaml", []byte("version: 1\ntarget: {simulate: fixed}\ntraffic: "+traffic+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", traffic, err)
		}
		err = c.Resolve()
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v, want none", traffic, err)
			}
			continue
		}
		var at *Error
		if !errors.As(err, &at) || at.Line != 3 || at.Hint == "" || !strings.Contains(at.Error(), want) {
			t.Errorf("%s: %v, want an error at line 3 that says %q, with a hint", traffic, err, want)
		}
	}
}
