// A conversation: turns that follow one another, each with the replies before
// it in its history.

package workload

import (
	"fmt"
	"slices"

	"assay/internal/record"
)

// A Session is a conversation of one user. Its first turn is due by the
// schedule; each later one when the turns it waits for have ended, plus its
// think time.
type Session struct {
	ID    string
	Turns []Turn // at least one
}

// A Turn is one request of a session. A turn names those before it only.
type Turn struct {
	Name     string    // unique in the session; "" for the turns of a plain conversation
	After    []string  // turns that must have ended; nil: the one before it (of the first: none)
	History  string    // of After, the one whose history it goes on with; "": the first
	Takes    []string  // turns whose replies are put before Messages, as results of tools are
	Role     string    // the part it plays: "", "verifier", …; it is the record's
	Messages []Message // what is added to the history; nil: a text of Input tokens
	Alone    bool      // nothing of the history is sent: Messages (after what it Takes) are the whole request
	Recorded string    // the reply that the history goes on with; "": the live one
	Think    int64     // ns from the end of the turns before it
	Output   int       // wanted tokens; 0: by the workload's law
	Input    int       // wanted tokens of what is added to the history; 0: as counted

	Extra map[string]any // as a Request's
	Raw   []byte         // likewise
}

// A Reply is what a turn was answered, as far as later turns need it.
type Reply struct {
	Text   string
	Tokens int
}

// A Link is a turn's place in its session: other turns by their numbers from 0.
type Link struct {
	Waits   []int // those that must have ended
	History int   // whose history it goes on with; -1: it begins one
	Takes   []int // whose replies it is given
	Depth   int   // 1 for the first turn, else one more than the deepest that it waits for
}

// Links resolves the names. It refuses a session that nobody could carry out:
// the first turn waits for none, each other one for turns before it.
func (x *Session) Links() ([]Link, error) {
	if len(x.Turns) == 0 || len(x.Turns) > record.MaxTurns {
		return nil, fmt.Errorf("session %s has %d turns: 1 to %d can be sent", x.ID, len(x.Turns), record.MaxTurns)
	}
	links := make([]Link, len(x.Turns))
	links[0] = Link{History: -1, Depth: 1}
	if t := &x.Turns[0]; len(t.After)+len(t.Takes) > 0 || t.History != "" {
		return nil, fmt.Errorf("session %s: its first turn comes after another", x.ID)
	}
	for i := 1; i < len(x.Turns); i++ {
		t, l := &x.Turns[i], &links[i]
		var err error
		if l.Waits, err = x.before(i, t.After); err != nil {
			return nil, err
		}
		if len(l.Waits) == 0 {
			l.Waits = []int{i - 1}
		}
		if l.Takes, err = x.before(i, t.Takes); err != nil {
			return nil, err
		}
		if l.History = l.Waits[0]; t.History != "" {
			from, err := x.before(i, []string{t.History})
			if err != nil {
				return nil, err
			}
			l.History = from[0]
		}
		if t.Alone {
			l.History = -1
		}
		for _, w := range l.Waits {
			l.Depth = max(l.Depth, links[w].Depth+1)
		}
		for _, need := range append([]int{l.History}, l.Takes...) {
			if need >= 0 && !awaits(links, i, need) {
				return nil, fmt.Errorf("session %s: turn %q needs the reply of %q and does not wait for it", x.ID, t.Name, x.Turns[need].Name)
			}
		}
	}
	return links, nil
}

// before are the numbers of turns before i, by their names.
func (x *Session) before(i int, names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		k := slices.IndexFunc(x.Turns[:i], func(t Turn) bool { return t.Name == name })
		if k < 0 {
			return nil, fmt.Errorf("session %s: turn %q comes after %q, and no turn before it has that name", x.ID, x.Turns[i].Name, name)
		}
		list = append(list, k)
	}
	return list, nil
}

// awaits tells whether turn i can start only when turn k has ended.
func awaits(links []Link, i, k int) bool { return awaited(links, i, k)[k] }

// awaited are the turns from k on that must have ended before turn i, and i.
func awaited(links []Link, i, k int) []bool {
	waited := make([]bool, i+1)
	waited[i] = true
	for j := i; j > k; j-- {
		if waited[j] {
			for _, w := range links[j].Waits {
				waited[w] = true
			}
		}
	}
	return waited
}

// An Entry is one request of a file of requests, whatever the file's format.
// What the file does not say is zero.
type Entry struct {
	Line     int    // of the file, from 1; where it is a JSON array, the element
	At       int64  // ns on the file's own clock, when Timed
	Timed    bool   // the file says when
	Session  string // entries of one session are its turns, in the order of the file
	Think    int64  // ns from the end of the turn before it
	Text     string
	Messages []Message
	Recorded string         // the reply that followed
	Alone    bool           // of a later turn: it is the whole request, the history is in it
	Raw      []byte         // a body to be sent as it is; Text or Messages are what is counted of it
	Streamed bool           // Raw asks for a reply in pieces
	Input    int            // tokens; 0: as counted
	Output   int            // tokens; 0: as Recorded is counted, else by the workload's law
	Blocks   []uint64       // hashes of the prompt's prefix blocks: equal ones are shared
	Block    int            // tokens of a block
	Extra    map[string]any // members of the body
}
