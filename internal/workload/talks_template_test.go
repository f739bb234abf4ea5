package workload

import "testing"

// The server adds 3 tokens to each conversation.
func TestTheTemplateIsTakenOffWhereAConversationBegins(t *testing.T) {
	spec := Spec{
		InputTokens: length(t, "10"), OutputTokens: length(t, "5"),
		Agent: []Call{
			{Name: "plan", InputTokens: length(t, "10"), OutputTokens: length(t, "5")},
			{Name: "apart", After: []string{"plan"}, History: NoHistory, InputTokens: length(t, "8"), OutputTokens: length(t, "5")},
			{Name: "on", After: []string{"plan"}, InputTokens: length(t, "6"), OutputTokens: length(t, "5")},
		},
	}
	s, err := New(spec, 1, "main", nil, wordCount)
	if err != nil {
		t.Fatal(err)
	}
	all, err := NewTalks(s.Around(3), spec, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	x := talk(t, all, 4)
	replies := []Reply{{"one two", 2}, {}, {}}
	for i, want := range []struct{ words, asked int }{
		{10 - 3, 10},
		{2 + 8 - 3, 2 + 8},           // what it was given and its own
		{10 - 3 + 2 + 6, 10 + 2 + 6}, // of a conversation that has its template
	} {
		r := x.Request(i, replies)
		got := 0
		for _, m := range r.Messages {
			got += wordCount(m.Content)
		}
		if got != want.words || r.InputTokens != want.asked {
			t.Errorf("turn %d: %d words for %d tokens, want %d for %d", i, got, r.InputTokens, want.words, want.asked)
		}
	}
}
