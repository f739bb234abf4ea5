package workload

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/record"
	"assay/internal/unit"
)

func length(t testing.TB, words string) (l Length) {
	t.Helper()
	if err := l.UnmarshalText([]byte(words)); err != nil {
		t.Fatal(err)
	}
	return l
}

func pause(t testing.TB, words string) (p unit.Pause) {
	t.Helper()
	if err := p.UnmarshalText([]byte(words)); err != nil {
		t.Fatal(err)
	}
	return p
}

func wordCount(s string) int { return len(strings.Fields(s)) }

// talks are the sessions of a stream named main, seed 1.
func talks(t testing.TB, spec Spec) *Talks {
	t.Helper()
	s, err := New(spec, 1, "main", nil, wordCount)
	if err != nil {
		t.Fatal(err)
	}
	all, err := NewTalks(s, spec, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func talk(t testing.TB, all *Talks, n uint64) *Talk {
	t.Helper()
	x, err := all.Talk(n)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// threeTurns is a conversation of three turns: 6 words, then 4, then 4, each
// answered with 5.
func threeTurns(t testing.TB, history, salt string) Spec {
	return Spec{
		InputTokens: length(t, "6"), OutputTokens: length(t, "5"), Salt: salt,
		Sessions: &Sessions{Turns: Turns{length(t, "3")}, Think: pause(t, "2s"), InputTokens: length(t, "4"), History: history},
	}
}

func TestATurnSaysWhatWasSaidBeforeIt(t *testing.T) {
	x := talk(t, talks(t, threeTurns(t, Live, "")), 7)
	// The words are those that a stream without sessions has under these numbers.
	word := func(length string, seq uint64) string {
		return synthetic(t, length, "1", "main", "", 1).Request(seq).Prompt
	}
	first, second, third := word("6", 7000), word("4", 7001), word("4", 7002)
	replies := []Reply{{"Of course.", 2}, {"\"No\"\n", 9}, {}}
	want := [][]Message{
		{{Role: "user", Content: first}},
		{{Role: "user", Content: first}, {Role: "assistant", Content: "Of course."}, {Role: "user", Content: second}},
		{{Role: "user", Content: first}, {Role: "assistant", Content: "Of course."}, {Role: "user", Content: second}, {Role: "assistant", Content: "\"No\"\n"}, {Role: "user", Content: third}},
	}
	for i, tokens := range []int{6, 6 + 2 + 4, 6 + 2 + 4 + 9 + 4} {
		got := x.Request(i, replies)
		if diff := cmp.Diff(want[i], got.Messages); diff != "" {
			t.Errorf("turn %d (-want +got):\n%s", i+1, diff)
		}
		if got.InputTokens != tokens || got.OutputTokens != 5 {
			t.Errorf("turn %d wants %d tokens in, %d out, not %d and 5", i+1, got.InputTokens, got.OutputTokens, tokens)
		}
	}
	if in, out := x.Sizes(); !slices.Equal(in, []int{6, 15, 24}) || !slices.Equal(out, []int{5, 5, 5}) {
		t.Errorf("sizes %v, %v", in, out)
	}
	for i, turn := range x.Turns {
		if want := int64(min(i, 1)) * 2e9; turn.Think != want || x.Links[i].Depth != i+1 {
			t.Errorf("turn %d thinks %d ns at depth %d, want %d", i+1, turn.Think, x.Links[i].Depth, want)
		}
	}
	if got := x.Needs(); !slices.Equal(got, []bool{true, true, false}) {
		t.Errorf("replies that are needed: %v", got)
	}
}

func TestARecordedHistoryIsKnownBeforeTheRun(t *testing.T) {
	x := talk(t, talks(t, threeTurns(t, Recorded, "")), 7)
	if got := x.Needs(); !slices.Equal(got, []bool{false, false, false}) {
		t.Errorf("replies that are needed: %v", got)
	}
	got := x.Request(2, nil)
	if len(got.Messages) != 5 || wordCount(got.Messages[1].Content) != 5 || wordCount(got.Messages[3].Content) != 5 || got.InputTokens != 24 {
		t.Errorf("%+v", got)
	}
	if got.Messages[1].Content == got.Messages[3].Content {
		t.Error("two replies are the same words")
	}
}

func TestTheSaltChangesWordsAndNeitherTurnsNorLengthsNorPauses(t *testing.T) {
	spec := threeTurns(t, Recorded, "")
	spec.Sessions.Turns = Turns{length(t, "uniform(1, 6)")}
	spec.Sessions.InputTokens = length(t, "normal(40, 10)")
	spec.Sessions.Think = pause(t, "exponential(3s)")
	salted := spec
	salted.Salt = "s"
	seen := map[int]int{}
	for n := range uint64(300) {
		a, b := talk(t, talks(t, spec), n), talk(t, talks(t, salted), n)
		if diff := cmp.Diff(a.Turns, b.Turns); diff != "" {
			t.Fatalf("session %d (-plain +salted):\n%s", n, diff)
		}
		seen[len(a.Turns)]++
		last := len(a.Turns) - 1
		p, q := a.Request(last, nil), b.Request(last, nil)
		if p.InputTokens != q.InputTokens || len(p.Messages) != len(q.Messages) {
			t.Fatalf("session %d: %d and %d tokens", n, p.InputTokens, q.InputTokens)
		}
		for i := range p.Messages {
			if p.Messages[i].Content == q.Messages[i].Content {
				t.Fatalf("session %d: message %d is the same with another salt", n, i)
			}
		}
	}
	if len(seen) != 6 || seen[0] != 0 { // missing one of six in 300 draws: 6·(5/6)^300 < 1e-22
		t.Errorf("sessions by their turns: %v, want all of 1 to 6", seen)
	}
}

// bestOfTwo is an agent: a plan, two tries side by side, one who picks, and an
// answer that goes on with the plan.
func bestOfTwo(t testing.TB) Spec {
	l := func(s string) Length { return length(t, s) }
	return Spec{
		InputTokens: l("9"), OutputTokens: l("9"),
		Agent: []Call{
			{Name: "plan", InputTokens: l("3"), OutputTokens: l("2")},
			{Name: "try", After: []string{"plan"}, Copies: 2, InputTokens: l("4"), OutputTokens: l("6"), Wait: pause(t, "1s")},
			{Name: "pick", After: []string{"try"}, History: NoHistory, Role: "verifier", InputTokens: l("5"), OutputTokens: l("1")},
			{Name: "answer", After: []string{"pick"}, History: "plan", InputTokens: l("2"), OutputTokens: l("8")},
		},
	}
}

func TestAnAgentCallsInATree(t *testing.T) {
	x := talk(t, talks(t, bestOfTwo(t)), 3)
	var names, roles []string
	for _, turn := range x.Turns {
		names, roles = append(names, turn.Name), append(roles, turn.Role)
	}
	if !slices.Equal(names, []string{"plan", "try#1", "try#2", "pick", "answer"}) || !slices.Equal(roles, []string{"", "", "", "verifier", ""}) {
		t.Fatalf("turns %v, roles %v", names, roles)
	}
	want := []Link{
		{nil, -1, nil, 1}, {[]int{0}, 0, nil, 2}, {[]int{0}, 0, nil, 2}, {[]int{1, 2}, -1, []int{1, 2}, 3}, {[]int{3}, 0, []int{3}, 4},
	}
	if diff := cmp.Diff(want, x.Links); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	word := func(length string, seq uint64) string {
		return synthetic(t, length, "1", "main", "", 1).Request(seq).Prompt
	}
	replies := []Reply{{"P", 1}, {"A", 6}, {"B", 7}, {"the second", 2}, {}}
	if diff := cmp.Diff([]Message{{Role: "user", Content: "A\n\nB\n\n" + word("5", 3003)}}, x.Request(3, replies).Messages); diff != "" {
		t.Errorf("the verifier's request (-want +got):\n%s", diff)
	}
	answer := x.Request(4, replies)
	if diff := cmp.Diff([]Message{{Role: "user", Content: word("3", 3000)}, {Role: "assistant", Content: "P"}, {Role: "user", Content: "the second\n\n" + word("2", 3004)}}, answer.Messages); diff != "" {
		t.Errorf("the answer's request (-want +got):\n%s", diff)
	}
	if answer.InputTokens != 3+1+2+2 {
		t.Errorf("the answer wants %d tokens, not 8", answer.InputTokens)
	}
	if in, _ := x.Sizes(); !slices.Equal(in, []int{3, 3 + 2 + 4, 9, 6 + 6 + 5, 3 + 2 + 1 + 2}) {
		t.Errorf("sizes %v", in)
	}
}

func TestASessionThatNobodyCouldCarryOutIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		x    Session
		want string
	}{
		{"no turn", Session{}, "0 turns"},
		{"too many", Session{Turns: make([]Turn, record.MaxTurns+1)}, "1001 turns"},
		{"the first waits", Session{Turns: []Turn{{Name: "a", After: []string{"a"}}}}, "first turn"},
		{"a later one is waited for", Session{Turns: []Turn{{Name: "a"}, {Name: "b", After: []string{"c"}}, {Name: "c"}}}, `"c"`},
		{"a reply that may not be there", Session{Turns: []Turn{{Name: "a"}, {Name: "b", After: []string{"a"}}, {Name: "c", After: []string{"a"}, Takes: []string{"b"}}}}, "does not wait"},
	} {
		if _, err := c.x.Links(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	far := Session{Turns: []Turn{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d", Takes: []string{"a"}}}}
	if _, err := far.Links(); err != nil {
		t.Errorf("d waits for a by way of c and b: %v", err)
	}
}

func TestAnAgentThatCannotRunIsRefusedAtTheCallAtFault(t *testing.T) {
	for _, c := range []struct {
		at   int
		want string
		edit func([]Call)
	}{
		{1, "taken", func(a []Call) { a[1].Name = "plan" }},
		{2, "taken", func(a []Call) { a[2].Name = "" }},
		{0, "first", func(a []Call) { a[0].After = []string{"plan"} }},
		{0, "first", func(a []Call) { a[0].Copies = 2 }},
		{3, "after which", func(a []Call) { a[3].After = nil }},
		{2, "tyr", func(a []Call) { a[2].After = []string{"tyr"} }},
		{1, "answer", func(a []Call) { a[1].History = "answer" }},
		{1, "copies", func(a []Call) { a[1].Copies = -1 }},
		{2, "no call", func(a []Call) { a[2].After, a[2].History = []string{NoHistory}, "" }},
	} {
		calls := slices.Clone(bestOfTwo(t).Agent)
		c.edit(calls)
		if at, err := CheckAgent(calls); err == nil || at != c.at || !strings.Contains(err.Error(), c.want) {
			t.Errorf("call %d: %v, want %q at %d", at, err, c.want, c.at)
		}
	}
	many := []Call{{Name: "a"}, {Name: "b", After: []string{"a"}, Copies: record.MaxTurns}}
	if _, err := CheckAgent(many); err == nil {
		t.Error("1001 requests are one session")
	}
}

func TestTurnsAreANumberOrALawOfThem(t *testing.T) {
	for _, words := range []string{"3", "uniform(2, 6)", "normal(5, 2)"} {
		var n Turns
		if err := n.UnmarshalText([]byte(words)); err != nil || n.String() != words {
			t.Errorf("%s: %v, %s", words, err, n)
		}
	}
	for _, words := range []string{"", "0", "2.5", "three", strconv.Itoa(record.MaxTurns + 1)} {
		var n Turns
		if err := n.UnmarshalText([]byte(words)); err == nil || strings.Contains(err.Error(), "token") {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// file is a file of these sessions.
func filedTalks(t testing.TB, spec Spec, units ...[]Entry) *Talks {
	t.Helper()
	var all []Entry
	f := &File{Units: len(units)}
	starts := []int{0}
	for _, u := range units {
		all = append(all, u...)
		starts = append(starts, len(all))
	}
	f.Entries = len(all)
	f.Entry = func(n int) (Entry, error) { return all[n], nil }
	f.Turns = func(u int) (list []int) {
		for n := starts[u]; n < starts[u+1]; n++ {
			list = append(list, n)
		}
		return list
	}
	spec.OutputTokens = length(t, "11")
	s, err := NewFiled(spec, 1, "main", f, 0, wordCount)
	if err != nil {
		t.Fatal(err)
	}
	if !s.HasSessions() {
		t.Fatal("the file has no sessions")
	}
	x, err := NewTalks(s, spec, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSessionsOfAFileGoOnAsItSays(t *testing.T) {
	units := [][]Entry{
		{{Session: "one", Text: "a b", Recorded: "yes", Think: 5}, {Session: "one", Text: "c", Think: 7e9, Output: 3}, {Session: "one", Messages: []Message{{Role: "user", Content: "a b c"}, {Role: "tool", Content: "d"}}, Alone: true}},
		{{Text: "single"}},
	}
	live := []Reply{{"live", 1}, {"more", 1}, {}}
	x := talk(t, filedTalks(t, Spec{}, units...), 0)
	if x.ID != "one" || len(x.Turns) != 3 || x.Turns[0].Think != 0 || x.Turns[1].Think != 7e9 || x.Turns[1].Output != 3 || x.Turns[0].Output != 1 {
		t.Errorf("%+v", x.Session)
	}
	if diff := cmp.Diff([]Message{{Role: "user", Content: "a b"}, {Role: "assistant", Content: "yes"}, {Role: "user", Content: "c"}}, x.Request(1, live).Messages); diff != "" {
		t.Errorf("a recorded reply goes on (-want +got):\n%s", diff)
	}
	third := x.Request(2, live)
	if diff := cmp.Diff(units[0][2].Messages, third.Messages); diff != "" || third.InputTokens != 4 {
		t.Errorf("a turn that is whole: %d tokens (-want +got):\n%s", third.InputTokens, diff)
	}
	if got := x.Needs(); !slices.Equal(got, []bool{false, false, false}) {
		t.Errorf("replies that are needed: %v", got)
	}
	asked := talk(t, filedTalks(t, Spec{Sessions: &Sessions{History: Live}}, units...), 0)
	if got := asked.Request(1, live).Messages[1].Content; got != "live" {
		t.Errorf("the history has %q, want the live reply", got)
	}
	if got := asked.Needs(); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("replies that are needed: %v", got)
	}
	if again := talk(t, filedTalks(t, Spec{}, units...), 2); again.ID != "one#2" {
		t.Errorf("taken again it is session %q", again.ID)
	}
}
