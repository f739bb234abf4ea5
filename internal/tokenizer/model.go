// Byte-pair encoding: the symbols of a piece are merged, the earliest rule first.

package tokenizer

import (
	"container/heap"
	"unicode/utf8"
)

// A model is a vocabulary and its rules.
type model struct {
	merges map[uint64]merge // of two neighbours: pair(left, right)
	ids    map[string]int32 // of whole pieces or of characters; nil where only bytes are looked up
	whole  bool             // a piece that is a token is not built of its parts
	unk    int32            // none: what is not in the vocabulary vanishes
	fuse   bool             // neighbours that are not in the vocabulary are one unknown token

	// A vocabulary of bytes begins with the bytes of a piece. One of characters
	// begins with its characters, and has bytes, or not, for those it lacks.
	byBytes  bool
	fallback bool
	bytes    [256]int32
}

// A merge is what becomes of a pair; the lowest rank goes first.
type merge struct{ rank, id int32 }

// none is the id of nothing.
const none = -1

// short is the number of symbols up to which going through all pairs for each
// merge is faster than a heap: nearly all pieces.
const short = 48

func pair(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

// encode appends the ids of a piece.
func (m *model) encode(ids []int32, piece string) []int32 {
	if m.whole {
		if id, ok := m.ids[piece]; ok {
			return append(ids, id)
		}
	}
	start := len(ids)
	if m.byBytes {
		for i := range len(piece) {
			ids = append(ids, m.bytes[piece[i]])
		}
	} else {
		ids = m.characters(ids, piece)
	}
	if len(ids)-start <= short {
		return ids[:start+m.mergeShort(ids[start:])]
	}
	return ids[:start+m.mergeLong(ids[start:])]
}

// characters appends the ids of a piece's characters.
func (m *model) characters(ids []int32, piece string) []int32 {
	pending := false // an unknown token that neighbours may join
	for i := 0; i < len(piece); {
		_, size := utf8.DecodeRuneInString(piece[i:])
		c := piece[i : i+size]
		i += size
		id, known := m.ids[c]
		switch {
		case known && pending:
			ids, pending = append(ids, m.unk, id), false
		case known:
			ids = append(ids, id)
		case m.fallback:
			for j := range size {
				ids = append(ids, m.bytes[c[j]])
			}
		case m.unk != none:
			if pending && !m.fuse {
				ids = append(ids, m.unk)
			}
			pending = true
		}
	}
	if pending {
		ids = append(ids, m.unk)
	}
	return ids
}

// mergeShort merges in place and returns how many symbols are left.
func (m *model) mergeShort(symbols []int32) int {
	n := len(symbols)
	if n < 2 {
		return n
	}
	var room [short]merge
	next := room[:n-1] // next[i] merges i with its right neighbour
	for i := range next {
		next[i] = m.merge(symbols[i], symbols[i+1])
	}
	for {
		best := none
		for i := range next {
			if next[i].id != none && (best == none || next[i].rank < next[best].rank) {
				best = i
			}
		}
		if best == none {
			return n
		}
		symbols[best] = next[best].id
		copy(symbols[best+1:n], symbols[best+2:n])
		copy(next[best:], next[best+1:])
		n--
		next = next[:n-1]
		if best < n-1 {
			next[best] = m.merge(symbols[best], symbols[best+1])
		}
		if best > 0 {
			next[best-1] = m.merge(symbols[best-1], symbols[best])
		}
	}
}

func (m *model) merge(left, right int32) merge {
	if r, ok := m.merges[pair(left, right)]; ok {
		return r
	}
	return merge{id: none}
}

// mergeLong is mergeShort for a piece that may be a whole page: the work grows
// with n log n and not with n².
func (m *model) mergeLong(symbols []int32) int {
	prev, next := make([]int, len(symbols)), make([]int, len(symbols)) // of the symbols that are left
	queue := &candidates{}
	offer := func(i int) {
		if j := next[i]; j < len(symbols) {
			if r := m.merge(symbols[i], symbols[j]); r.id != none {
				heap.Push(queue, candidate{merge: r, at: i, left: symbols[i], right: symbols[j]})
			}
		}
	}
	for i := range symbols {
		prev[i], next[i] = i-1, i+1
	}
	for i := range symbols {
		offer(i)
	}
	for queue.Len() > 0 {
		c := heap.Pop(queue).(candidate)
		i := c.at
		j := next[i]
		if j >= len(symbols) || symbols[i] != c.left || symbols[j] != c.right {
			continue // a neighbour was merged meanwhile
		}
		symbols[i], symbols[j] = c.id, none
		if next[i] = next[j]; next[i] < len(symbols) {
			prev[next[i]] = i
		}
		offer(i)
		if prev[i] >= 0 {
			offer(prev[i])
		}
	}
	n := 0
	for i := 0; i < len(symbols); i = next[i] {
		symbols[n] = symbols[i]
		n++
	}
	return n
}

// A candidate is a merge that was possible when it was offered.
type candidate struct {
	merge
	at          int
	left, right int32
}

// candidates is a heap: the lowest rank first, and of equal ones the leftmost.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return c[i].rank < c[j].rank || c[i].rank == c[j].rank && c[i].at < c[j].at
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
