package contract

import (
	"strings"
	"testing"
)

func TestEachTemplateLoadsAndRunsAsItIs(t *testing.T) {
	for _, kind := range Templates() {
		text, err := Template(kind)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Load(kind+".yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Resolve(); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if c.Name != kind || c.DefaultObjectives() || c.Streams[0].Target.Simulate == "" || c.Client.Processes != 8 {
			t.Errorf("%s: name %q, default objectives %v, target %v, %d processes", kind, c.Name, c.DefaultObjectives(), c.Target, c.Client.Processes)
		}
		if strings.Count(string(text), "#") < 10 {
			t.Errorf("%s: few comments for somebody who starts", kind)
		}
	}
}

func TestAnUnknownTemplateNamesTheNearest(t *testing.T) {
	_, err := Template("agent")
	e, ok := err.(*Error)
	if !ok || e.Hint != "did you mean agents?" {
		t.Errorf("got %v", err)
	}
}

func TestTemplatesAskForEnoughRequests(t *testing.T) {
	for _, kind := range Templates() {
		text, err := Template(kind)
		if err != nil {
			t.Fatal(err)
		}
		c := resolved(t, string(text))
		s := &c.Streams[0]
		planned := s.Traffic.Requests
		if s.OpenLoop() {
			planned = int(float64(s.Traffic.Rate) * s.Traffic.Duration.Std().Seconds())
		}
		for _, o := range s.SLO {
			if n := s.LeastRequests(o); planned > 0 && planned < n {
				t.Errorf("%s: %s needs %d requests, %d are planned", kind, o.Text, n, planned)
			}
		}
	}
}
