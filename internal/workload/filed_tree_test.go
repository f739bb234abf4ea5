package workload

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A planner asks; one that it spawns begins anew and says two things; the
// planner goes on when that has ended, and forks one that has its history.
func TestATreeOfAFileIsSentWithTheHistoriesThatItSays(t *testing.T) {
	said := func(text string) []Message { return []Message{{Role: "user", Content: text}} }
	entries := []Entry{
		{Session: "planner", Messages: said("plan")}, {Session: "planner", Messages: said("go on then")},
		{Session: "fork", Messages: said("fork"), Think: 20},
		{Session: "apart", Messages: said("apart")}, {Session: "apart", Messages: said("further")},
	}
	f := traceOf(entries...)
	f.Units = 1
	f.Places = func(int) []Place {
		return []Place{
			{Entry: 0, History: -1}, {Entry: 3, Waits: []int{0}, History: -1}, {Entry: 4, Waits: []int{1}, History: 1},
			{Entry: 1, Waits: []int{0, 2}, History: 0}, {Entry: 2, Waits: []int{3}, History: 3},
		}
	}
	f.Turns = func(int) []int { return []int{0, 3, 4, 1, 2} }
	spec := Spec{OutputTokens: Length{Law: "constant", A: 7}}
	s, err := NewFiled(spec, 1, "main", f, 0, wordsIn)
	if err != nil {
		t.Fatal(err)
	}
	talks, err := NewTalks(s, spec, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	x, err := talks.Talk(0)
	if err != nil {
		t.Fatal(err)
	}
	reply := func(text string) Message { return Message{Role: "assistant", Content: text} }
	user := func(text string) Message { return said(text)[0] }
	replies := []Reply{{"P", 1}, {"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}}
	for i, c := range []struct {
		want  []Message
		waits []int
		depth int
	}{
		{[]Message{user("plan")}, nil, 1},
		{[]Message{user("apart")}, []int{0}, 2},
		{[]Message{user("apart"), reply("A"), user("further")}, []int{1}, 3},
		{[]Message{user("plan"), reply("P"), user("go on then")}, []int{0, 2}, 4},
		{[]Message{user("plan"), reply("P"), user("go on then"), reply("C"), user("fork")}, []int{3}, 5},
	} {
		if d := cmp.Diff(c.want, x.Request(i, replies).Messages); d != "" {
			t.Errorf("turn %d (-want +got):\n%s", i, d)
		}
		if l := x.Links[i]; !slices.Equal(l.Waits, c.waits) || l.Depth != c.depth {
			t.Errorf("turn %d waits for %v at depth %d, want %v, %d", i, l.Waits, l.Depth, c.waits, c.depth)
		}
	}
	if got := x.Request(2, replies).InputTokens; got != 1+1+1 {
		t.Errorf("the third request has %d tokens, want those of its history and its own, 3", got)
	}
	if got := x.Needs(); !slices.Equal(got, []bool{true, true, false, true, false}) {
		t.Errorf("replies that are needed: %v", got)
	}
	if x.ID != "planner" || x.Turns[4].Think != 20 {
		t.Errorf("session %q, pause %d, want planner, 20", x.ID, x.Turns[4].Think)
	}
}
