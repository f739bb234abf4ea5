// Sessions as the contract says them: conversations of several turns, and
// agents that call in a tree.

package workload

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"assay/internal/record"
	"assay/internal/unit"
)

// Histories: what a turn's history has as the assistant's words.
const (
	Live     = "live"     // what this server answered
	Recorded = "recorded" // what stands in the file; in synthetic sessions, words of the length that was asked for
)

// Sessions are synthetic conversations.
type Sessions struct {
	Turns       Turns      `yaml:"turns,omitempty" json:"turns,omitzero"`
	Think       unit.Pause `yaml:"think,omitempty" json:"think,omitzero"`               // before each later turn
	InputTokens Length     `yaml:"input_tokens,omitempty" json:"input_tokens,omitzero"` // that each later turn adds
	History     string     `yaml:"history,omitempty" json:"history,omitempty"`          // Live or Recorded
}

// Turns is how many requests a session has: 3, or a law of whole numbers as
// lengths have it. Draws are at least 1 and at most record.MaxTurns.
type Turns struct{ Length }

// UnmarshalText reads a number or a law.
func (t *Turns) UnmarshalText(text []byte) error {
	var l Length
	if err := l.UnmarshalText(text); err != nil || l.A > record.MaxTurns {
		return fmt.Errorf("%q turns: want 3, uniform(2, 6), normal(5, 2) or lognormal(5, 2), and at most %d", text, record.MaxTurns)
	}
	t.Length = l
	return nil
}

// A Call is one request of an agent, or several alike that run side by side.
type Call struct {
	Name         string     `yaml:"name" json:"name"`
	After        []string   `yaml:"after,omitempty" json:"after,omitempty"`     // calls that must have ended; of the first: none
	History      string     `yaml:"history,omitempty" json:"history,omitempty"` // the call whose conversation it goes on with; NoHistory begins one
	Role         string     `yaml:"role,omitempty" json:"role,omitempty"`
	Copies       int        `yaml:"copies,omitempty" json:"copies,omitempty"` // how many run side by side; 0: 1
	Wait         unit.Pause `yaml:"wait,omitempty" json:"wait,omitzero"`      // from the end of those before: what a tool takes
	InputTokens  Length     `yaml:"input_tokens,omitempty" json:"input_tokens,omitzero"`
	OutputTokens Length     `yaml:"output_tokens,omitempty" json:"output_tokens,omitzero"`
}

// NoHistory is the history of a call that begins a conversation of its own.
const NoHistory = "none"

// CheckAgent says why an agent's calls can't be carried out, and which of them
// is at fault.
func CheckAgent(calls []Call) (at int, err error) {
	if len(calls) == 0 {
		return 0, nil
	}
	seen := map[string]bool{NoHistory: true}
	for i, c := range calls {
		switch {
		case c.Name == "" || seen[c.Name]:
			return i, fmt.Errorf("the name %q is taken or none: each call has its own", c.Name)
		case c.Copies < 0 || c.Copies > record.MaxTurns:
			return i, fmt.Errorf("%d copies can't be made: 1 to %d", c.Copies, record.MaxTurns)
		case i == 0 && c.Copies > 1:
			return i, fmt.Errorf("the first call can't have copies: a session begins with one request")
		case i == 0 && (len(c.After) > 0 || !c.Wait.IsZero()):
			return i, fmt.Errorf("the first call is due by the schedule or a slot: it comes after no other, and nothing is waited for")
		case i > 0 && len(c.After) == 0:
			return i, fmt.Errorf("it says not after which call it comes")
		}
		for _, name := range append([]string{c.History}, c.After...) {
			if name != "" && !seen[name] {
				return i, fmt.Errorf("it names the call %q, which does not stand before it", name)
			}
		}
		if i > 0 && c.History == "" && seen[c.After[0]] && c.After[0] == NoHistory {
			return i, fmt.Errorf("it comes after %q, which is no call", NoHistory)
		}
		seen[c.Name] = true
	}
	session := expand("agent", calls)
	_, err = session.Links()
	return 0, err
}

// expand writes an agent out: copies as turns of their own. A turn takes the
// replies of all that it waits for; the one whose conversation it goes on with
// has its reply in the history already.
func expand(id string, calls []Call) Session {
	x := Session{ID: id}
	names := map[string][]string{} // call → turns
	for _, c := range calls {
		t := Turn{Role: c.Role, Alone: c.History == NoHistory}
		for _, name := range c.After {
			t.After = append(t.After, names[name]...)
		}
		switch {
		case t.Alone:
		case c.History != "":
			t.History = names[c.History][0]
		case len(t.After) > 0:
			t.History = t.After[0]
		}
		for _, name := range t.After {
			if name != t.History {
				t.Takes = append(t.Takes, name)
			}
		}
		for k := range max(1, c.Copies) {
			t.Name = c.Name
			if c.Copies > 1 {
				t.Name += "#" + strconv.Itoa(k+1)
			}
			x.Turns = append(x.Turns, t)
			names[c.Name] = append(names[c.Name], t.Name)
		}
	}
	return x
}

// Abreast is how many requests of one agent may be under way at a time. It
// deals the turns into rows in which each waits for the one before it: of one
// row only one is under way. Where calls join others crosswise there may be a
// row too many.
func Abreast(calls []Call) int {
	links := linksOf(calls)
	var ends []int // the last turn of each row
	for i := range links {
		before := awaited(links, i, 0)
		if k := slices.IndexFunc(ends, func(end int) bool { return before[end] }); k >= 0 {
			ends[k] = i
		} else {
			ends = append(ends, i)
		}
	}
	return len(ends)
}

// Lasts is how long an agent takes whose replies take so long each and whose
// waits are as long as they are on average: its longest way.
func Lasts(calls []Call, reply time.Duration) time.Duration {
	links := linksOf(calls)
	ends := make([]time.Duration, len(links))
	longest, i := time.Duration(0), 0
	for _, c := range calls {
		for range max(1, c.Copies) {
			for _, w := range links[i].Waits {
				ends[i] = max(ends[i], ends[w])
			}
			ends[i] += c.Wait.Mean() + reply
			longest = max(longest, ends[i])
			i++
		}
	}
	return longest
}

// linksOf are those of calls that CheckAgent found right.
func linksOf(calls []Call) []Link {
	x := expand("agent", calls)
	links, err := x.Links()
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return links
}
