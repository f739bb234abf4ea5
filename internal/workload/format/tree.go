package format

// Conversations that begin others: which entries make one tree, and what each
// of them waits for. It is known when the whole file was read, since a line
// names others that may stand behind it.

import (
	"fmt"
	"slices"

	"assay/internal/record"
	"assay/internal/workload"
)

// A branch is a conversation that begins when a turn has ended.
type branch struct {
	turn  int // of the one that begins it
	child string
	fork  bool // it goes on with the history of the one that begins it; else it has none
	join  int  // the turn that waits for its end; -1: none
}

// A conversation is one line: its turns are entries one after the other.
type conversation struct {
	id       string
	line     int
	first    int // entry
	turns    int
	system   bool // its first turn has words of the system
	branches []branch
	begun    bool          // by another
	forks    int           // how often
	tree     *conversation // the one that nobody begins and that leads here
}

// trees are the conversations of a file that has such.
type trees struct {
	all    []*conversation
	byID   map[string]*conversation
	places [][]workload.Place // of each tree, once they are settled
}

// add takes up the entries of a line, of which n is the first.
func (t *trees) add(items []item, n int) error {
	i := items[0]
	if before := t.byID[i.id]; before != nil {
		return fmt.Errorf("session_id %q is that of line %d, too", shorten(i.id), before.line)
	}
	c := &conversation{id: i.id, line: i.Line, first: n, turns: len(items), branches: i.branches, system: ofSystem(i.Entry)}
	if t.byID == nil {
		t.byID = map[string]*conversation{}
	}
	t.byID[i.id] = c
	t.all = append(t.all, c)
	return nil
}

// settle makes the tree of each conversation that nobody begins. A tree of
// which a part is missing or can't be sent is left out as a whole, since
// without that part it would be other traffic. unusable is told each line that
// is in no tree.
func (t *trees) settle(unusable func(line int, reason error) error) error {
	for _, c := range t.all {
		for _, b := range c.branches {
			if child := t.byID[b.child]; child != nil {
				child.begun = true
				if b.fork {
					child.forks++
				}
			}
		}
	}
	wrong := map[*conversation]error{} // by tree
	for _, c := range t.all {
		if c.begun {
			continue
		}
		t.claim(c, c)
		g := grower{byID: t.byID}
		if _, err := g.grow(c, -1, false, nil); err != nil {
			wrong[c] = err
			continue
		}
		t.places = append(t.places, g.places)
	}
	for _, c := range t.all {
		var err error
		switch reason := wrong[c.tree]; {
		case c.tree == nil:
			err = unusable(c.line, ring(c))
		case reason != nil && c == c.tree:
			err = unusable(c.line, reason)
		case reason != nil:
			err = unusable(c.line, fmt.Errorf("it belongs to the tree of line %d, which is left out", c.tree.line))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func ring(c *conversation) error {
	return fmt.Errorf("session %q begins itself, by way of others or at once", shorten(c.id))
}

// claim notes which tree a conversation and those that it begins are in. One
// that several trees begin counts to the last of them.
func (t *trees) claim(c, tree *conversation) {
	if c.tree == tree {
		return
	}
	c.tree = tree
	for _, b := range c.branches {
		if child := t.byID[b.child]; child != nil {
			t.claim(child, tree)
		}
	}
}

// requests is how many all trees have.
func (t *trees) requests() int {
	n := 0
	for _, places := range t.places {
		n += len(places)
	}
	return n
}

// most is how many the largest has.
func (t *trees) most() int {
	most := 0
	for _, places := range t.places {
		most = max(most, len(places))
	}
	return most
}

// of lists the entries of a tree.
func (t *trees) of(u int) []int {
	var entries []int
	for _, p := range t.places[u] {
		entries = append(entries, p.Entry)
	}
	return entries
}

// A grower makes one tree, every entry behind those that it waits for.
type grower struct {
	byID   map[string]*conversation
	places []workload.Place
}

// grow adds a conversation that the place from begins (-1: nobody does), and
// those that it begins, and returns the place of its last turn. above are the
// conversations that lead to it.
func (g *grower) grow(c *conversation, from int, fork bool, above []string) (last int, err error) {
	switch {
	case slices.Contains(above, c.id):
		return 0, ring(c)
	case fork && c.forks > 1:
		return 0, fmt.Errorf("session %q is forked twice, and can go on with one history only", shorten(c.id))
	case fork && c.system:
		return 0, fmt.Errorf("session %q goes on with a history, and has words of the system that belong before it", shorten(c.id))
	}
	above = append(slices.Clip(above), c.id)
	ends := map[int][]int{} // the last turns of those that a turn waits for
	for k := range c.turns {
		p := workload.Place{Entry: c.first + k, History: -1}
		if from >= 0 {
			p.Waits = append([]int{from}, ends[k]...)
			if k > 0 || fork {
				p.History = from
			}
		}
		from = len(g.places)
		if g.places = append(g.places, p); len(g.places) > record.MaxTurns {
			return 0, fmt.Errorf("its tree has more than %d requests", record.MaxTurns)
		}
		for _, b := range c.branches {
			if b.turn != k {
				continue
			}
			child := g.byID[b.child]
			if child == nil {
				return 0, fmt.Errorf("session %q begins %q, which is on no line that can be used", shorten(c.id), shorten(b.child))
			}
			end, err := g.grow(child, from, b.fork, above)
			if err != nil {
				return 0, err
			}
			if b.join >= 0 {
				ends[b.join] = append(ends[b.join], end)
			}
		}
	}
	return from, nil
}
