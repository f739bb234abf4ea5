// What the prompts of a file have in common at their beginnings: a tree in
// which each prompt is a way from the root, and prompts share the way up to
// where they part.

package workload

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tree knows for each line its last step; every step knows the one before it.
type tree struct {
	leaves []int32 // of each line
	before []int32 // of each step; -1 at the root
	depth  []int32 // tokens from the root to the end of each step
}

// grow makes the tree of the prompts. Sorted, each prompt parts from those
// before it where it parts from its neighbour, so one pass finds every fork.
// A fork is put at the last end of a word: what is before it has the same
// tokens in all that share it.
func grow(prompts []prompt, count func(string) int) *tree {
	t := &tree{leaves: make([]int32, len(prompts))}
	texts := make([]string, len(prompts))
	order := make([]int, len(prompts))
	for i, p := range prompts {
		texts[i], order[i] = p.marked(), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(texts[a], texts[b]) })
	type step struct{ id, bytes int }
	var way []step // to the prompt before
	last := ""
	for _, line := range order {
		text := texts[line]
		fork := parting(last, text)
		if fork == len(text) && len(way) > 0 { // the same prompt again
			t.leaves[line] = int32(way[len(way)-1].id)
			continue
		}
		cut := step{id: -1}
		for len(way) > 0 && way[len(way)-1].bytes > fork {
			cut = way[len(way)-1]
			way = way[:len(way)-1]
		}
		if cut.id >= 0 && fork > 0 && (len(way) == 0 || way[len(way)-1].bytes < fork) {
			// The step that was cut is two now.
			id := t.add(t.before[cut.id], countMarked(text[:fork], count))
			t.before[cut.id] = int32(id)
			way = append(way, step{id, fork})
		}
		parent := int32(-1)
		if len(way) > 0 {
			parent = int32(way[len(way)-1].id)
		}
		id := t.add(parent, prompts[line].input)
		t.leaves[line] = int32(id)
		way = append(way, step{id, len(text)})
		last = text
	}
	return t
}

func (t *tree) add(before int32, depth int) int {
	t.before, t.depth = append(t.before, before), append(t.depth, int32(depth))
	return len(t.before) - 1
}

// spans appends the steps of a line, from the root.
func (t *tree) spans(into []Span, line int) []Span {
	from := len(into)
	for id := t.leaves[line]; id >= 0; id = t.before[id] {
		tokens := t.depth[id]
		if b := t.before[id]; b >= 0 {
			tokens -= t.depth[b]
		}
		into = append(into, Span{uint64(id) + 1, max(0, int(tokens))})
	}
	slices.Reverse(into[from:])
	return into
}

// parting is where two texts part: the end of the last word that both have.
func parting(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	ends := func(r rune) bool { return unicode.IsSpace(r) || r == endOfPart }
	next, _ := utf8.DecodeRuneInString(a[n:] + b[n:])
	if n == len(a) && n == len(b) || (n == len(a) || n == len(b)) && ends(next) {
		return n
	}
	cut := strings.LastIndexFunc(b[:n], ends)
	if cut < 0 {
		return 0
	}
	if r, size := utf8.DecodeRuneInString(b[cut:]); r == endOfPart {
		cut += size // what it ends is whole
	}
	return cut
}

// endOfPart stands behind each role and each content in a marked text.
const endOfPart = '\x00'

// marked is the prompt as one text in which roles and contents can't be taken
// for one another.
func (p prompt) marked() string {
	if p.messages == nil {
		return p.text
	}
	var b strings.Builder
	for _, m := range p.messages {
		b.WriteString(m.Role)
		b.WriteRune(endOfPart)
		b.WriteString(m.Content)
		b.WriteRune(endOfPart)
	}
	return b.String()
}

// countMarked counts the contents of the beginning of a marked text.
func countMarked(text string, count func(string) int) int {
	parts := strings.Split(text, string(endOfPart))
	if len(parts) == 1 {
		return count(text) // without roles
	}
	n := 0
	for i := 1; i < len(parts); i += 2 {
		n += count(parts[i])
	}
	return n
}
