package contract

import (
	"bytes"
	"strings"
	"testing"
)

// checkInvariants is what a resolved contract promises to everybody else.
func (c *Contract) checkInvariants(t *testing.T) {
	t.Helper()
	if len(c.Streams) == 0 || c.Version != Version || !safeName.MatchString(c.Name) || c.Client.Processes < 1 || c.Client.MaxSendLag == nil {
		t.Fatalf("not resolved: %+v", c)
	}
	slos := 0
	for i := range c.Streams {
		s := &c.Streams[i]
		slos += len(s.SLO)
		switch {
		case (s.Traffic.Rate > 0) == (s.Traffic.Concurrency > 0):
			t.Fatalf("neither open nor closed loop: %+v", s.Traffic)
		case (s.Traffic.Duration > 0) == (s.Traffic.Requests > 0):
			t.Fatalf("neither duration nor requests: %+v", s.Traffic)
		case (len(s.Target.URL) > 0) == (s.Target.Simulate != ""):
			t.Fatalf("neither url nor simulate: %+v", s.Target)
		case s.Target.Stream == nil || s.Traffic.Warmup == nil || s.Target.Endpoint == "" || s.Target.IdleLimit <= 0 || s.Target.RequestLimit <= 0:
			t.Fatalf("a default is missing: %+v", s)
		case s.OpenLoop() && s.Arrival().Check() != nil:
			t.Fatalf("arrivals: %v", s.Arrival().Check())
		case s.Workload.OutputTokens.Check() != nil:
			t.Fatalf("output_tokens: %v", s.Workload.OutputTokens.Check())
		}
	}
	if slos == 0 {
		t.Fatal("no objective")
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range []string{full, least, mixed, leastCanonical} {
		f.Add([]byte(text))
	}
	for _, kind := range Templates() {
		text, err := Template(kind)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, fault := range faults {
		f.Add([]byte(fault.text))
	}
	for _, fault := range impossible {
		f.Add([]byte(fault.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Load("c.yaml", data)
		if err == nil {
			err = c.Resolve()
		}
		if err != nil {
			e, ok := err.(*Error)
			if !ok {
				t.Fatalf("%T: %v", err, err)
			}
			if n := strings.Count(string(data), "\n") + 1; e.Line > n || e.Line < 0 || e.Msg == "" {
				t.Fatalf("line %d of %d: %q", e.Line, n, e.Msg)
			}
			return
		}
		c.checkInvariants(t)
		first := canonicalOf(t, c)
		again, err := Load("c.yaml", first)
		if err == nil {
			err = again.Resolve()
		}
		if err != nil {
			t.Fatalf("the canonical form is refused: %v\n%s", err, first)
		}
		if second := canonicalOf(t, again); !bytes.Equal(first, second) {
			t.Fatalf("got\n%s\nwant\n%s", second, first)
		}
	})
}
