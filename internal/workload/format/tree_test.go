package format

import (
	"fmt"
	"strings"
	"testing"

	"assay/internal/record"
	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

// say is a line of a conversation whose turns begin others as they say.
func say(id string, turns ...string) string {
	for i, begins := range turns {
		if begins != "" {
			begins = ", " + begins
		}
		turns[i] = fmt.Sprintf(`{"messages": [{"role": "user", "content": "%s%d"}]%s}`, id, i, begins)
	}
	return fmt.Sprintf(`{"session_id": %q, "turns": [%s]}`, id, strings.Join(turns, ", "))
}

func grown(t *testing.T, lines ...string) (*workload.File, [][]workload.Place) {
	t.Helper()
	f, err := Open(holding(strings.Join(lines, "\n")), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all [][]workload.Place
	for u := range f.Units {
		all = append(all, f.Places(u))
	}
	return f, all
}

func at(entry int, waits []int, history int) workload.Place {
	return workload.Place{Entry: entry, Waits: waits, History: history}
}

func TestATreeOfConversationsWaitsAndGoesOnAsItsFileSays(t *testing.T) {
	const none = -1
	for name, c := range map[string]struct {
		lines []string
		want  []workload.Place
	}{
		"a conversation alone": {
			[]string{say("a", "", "")},
			[]workload.Place{at(0, nil, none), at(1, []int{0}, 0)},
		},
		"forks go on with the history, beside one another": {
			[]string{say("a", `"forks": ["b", "c"]`), say("b", "", ""), say("c", "")},
			[]workload.Place{at(0, nil, none), at(1, []int{0}, 0), at(2, []int{1}, 1), at(3, []int{0}, 0)},
		},
		"a fork in the background lets the first go on": {
			[]string{say("a", `"forks": [{"child": "b", "background": true}]`, ""), say("b", "")},
			[]workload.Place{at(0, nil, none), at(2, []int{0}, 0), at(1, []int{0}, 0)},
		},
		"what is spawned has no history, and the next turn waits for its end": {
			[]string{say("a", `"spawns": ["b", "c"]`, ""), say("b", "", ""), say("c", "")},
			[]workload.Place{at(0, nil, none), at(2, []int{0}, none), at(3, []int{1}, 1), at(4, []int{0}, none), at(1, []int{0, 2, 3}, 0)},
		},
		"a later turn waits where it is said": {
			[]string{say("a", `"spawns": [{"children": ["b"], "join_at": 2}]`, "", ""), say("b", "")},
			[]workload.Place{at(0, nil, none), at(3, []int{0}, none), at(1, []int{0}, 0), at(2, []int{2, 1}, 2)},
		},
		"nobody waits for what the last turn spawns": {
			[]string{say("a", `"spawns": ["b"]`), say("b", "")},
			[]workload.Place{at(0, nil, none), at(1, []int{0}, none)},
		},
		"what is spawned twice is sent twice": {
			[]string{say("a", `"spawns": ["b"]`, `"spawns": ["b"]`), say("b", "")},
			[]workload.Place{at(0, nil, none), at(2, []int{0}, none), at(1, []int{0, 1}, 0), at(2, []int{2}, none)},
		},
		"a child may stand before the one that begins it": {
			[]string{say("b", ""), say("a", `"forks": ["b"]`)},
			[]workload.Place{at(1, nil, none), at(0, []int{0}, 0)},
		},
	} {
		if _, got := grown(t, c.lines...); !cmp.Equal([][]workload.Place{c.want}, got) {
			t.Errorf("%s: (-want +got):\n%s", name, cmp.Diff([][]workload.Place{c.want}, got))
		}
	}
}

func TestATreeOfWhichAPartCannotBeSentIsLeftOutAsAWhole(t *testing.T) {
	long := strings.Split(strings.Repeat("x", record.MaxTurns+1), "x")[1:]
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a child that is nowhere": {
			[]string{say("a", `"forks": ["b", "c"]`), say("b", "")},
			[]string{`f:1: session "a" begins "c", which is on no line that can be used`, "f:2: it belongs to the tree of line 1, which is left out"},
		},
		"two histories": {
			[]string{say("a", `"forks": ["c"]`), say("b", `"forks": ["c"]`), say("c", "")},
			[]string{`f:1: session "c" is forked twice, and can go on with one history only`, `f:2: session "c" is forked twice, and can go on with one history only`, "f:3: it belongs to the tree of line 2, which is left out"},
		},
		"a ring": {
			[]string{say("a", `"forks": ["b"]`), say("b", `"forks": ["a"]`)},
			[]string{`f:1: session "a" begins itself, by way of others or at once`, `f:2: session "b" begins itself, by way of others or at once`},
		},
		"a ring that something begins": {
			[]string{say("a", `"spawns": ["b"]`), say("b", `"spawns": ["c"]`), say("c", `"spawns": ["b"]`)},
			[]string{`f:1: session "b" begins itself, by way of others or at once`, "f:2: it belongs to the tree of line 1, which is left out", "f:3: it belongs to the tree of line 1, which is left out"},
		},
		"words of the system amid a history": {
			[]string{say("a", `"forks": ["b"]`), `{"session_id": "b", "turns": [{"messages": [{"role": "system", "content": "x"}]}]}`},
			[]string{`f:1: session "b" goes on with a history, and has words of the system that belong before it`, "f:2: it belongs to the tree of line 1, which is left out"},
		},
		"a name that is taken": {
			[]string{say("b", ""), say("b", "", "")},
			[]string{`f:2: session_id "b" is that of line 1, too`},
		},
		"too many": {[]string{say("a", long...)}, []string{"f:1: its tree has more than 1000 requests"}},
	} {
		content := strings.Join(append(c.lines, say("z", "")), "\n")
		f, err := Open(holding(content), "f", Options{Format: "dag_jsonl"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(c.want, f.Examples); d != "" || f.Unusable != len(c.want) {
			t.Errorf("%s: %d unusable (-want +got):\n%s", name, f.Unusable, d)
		}
		last := f.Places(f.Units - 1)
		e, err := f.Entry(last[0].Entry)
		if err != nil || len(last) != 1 || e.Session != "z" {
			t.Errorf("%s: the line that can be used is %+v, %v", name, e, err)
		}
		if _, err := Open(holding(content), "f", Options{Strict: true}); err == nil || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%s, strictly: %v", name, err)
		}
	}
}

func TestTheRequestsOfTreesAreThoseThatAreSent(t *testing.T) {
	lines := []string{say("a", `"spawns": ["c"]`), say("b", `"spawns": ["c", "d"]`, ""), say("c", "", ""), say("d", "")}
	f, all := grown(t, lines...)
	if len(all) != 2 || f.Entries != 3+5 || f.Sessions != 2 || f.Cumulative {
		t.Errorf("%d trees, %d requests, %d sessions, cumulative %v, want 2, 8, 2, false", len(all), f.Entries, f.Sessions, f.Cumulative)
	}
	s, err := Inspect(holding(strings.Join(lines, "\n")), "f", Options{}, countWords)
	if err != nil || s.Entries != 8 || s.Sessions != 2 || s.MostTurns != 5 {
		t.Errorf("inspected: %+v, %v", s, err)
	}
}
