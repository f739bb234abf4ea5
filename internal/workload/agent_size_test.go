package workload

import (
	"testing"
	"time"

	"assay/internal/unit"
)

func TestAnAgentIsAsWideAsItsCallsThatWaitForNoneOfOneAnother(t *testing.T) {
	pause := func(text string) (p unit.Pause) {
		if err := p.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name  string
		calls []Call
		wide  int
		lasts time.Duration // with replies of 2 s
	}{
		{"one", []Call{{Name: "a"}}, 1, 2 * time.Second},
		{"in a row", []Call{{Name: "a"}, {Name: "b", After: []string{"a"}, Wait: pause("3s")}, {Name: "c", After: []string{"b"}}}, 1, 9 * time.Second},
		{"fanned out and joined, twice", []Call{{Name: "a"}, {Name: "b", After: []string{"a"}, Copies: 5}, {Name: "c", After: []string{"b"}}, {Name: "d", After: []string{"c"}, Copies: 4}}, 5, 8 * time.Second},
		{"a tree", []Call{{Name: "a"}, {Name: "b", After: []string{"a"}}, {Name: "c", After: []string{"a"}, Copies: 4}, {Name: "d", After: []string{"b"}, Copies: 5, History: "b"}}, 9, 6 * time.Second},
		{"two ways of other lengths", []Call{{Name: "a"}, {Name: "b", After: []string{"a"}, Wait: pause("10s")}, {Name: "c", After: []string{"a"}}, {Name: "d", After: []string{"c"}}, {Name: "e", After: []string{"b", "d"}}}, 2, 16 * time.Second},
	} {
		if i, err := CheckAgent(c.calls); err != nil {
			t.Fatalf("%s: call %d: %v", c.name, i, err)
		}
		if got := Abreast(c.calls); got != c.wide {
			t.Errorf("%s: %d abreast, want %d", c.name, got, c.wide)
		}
		if got := Lasts(c.calls, 2*time.Second); got != c.lasts {
			t.Errorf("%s: lasts %s, want %s", c.name, got, c.lasts)
		}
	}
}
