package tokenizer

import "slices"

// A trie finds the tokens that a text begins with. Node 0 is the root; the
// children of a node stand in a row, by their bytes.
type trie struct {
	label []byte  // of the way to each node
	first []int32 // its first child; one more than there are nodes
	id    []int32 // of the token that ends there, or none
}

// newTrie takes tokens that are sorted, each once and none empty.
func newTrie(tokens []string, ids map[string]int32) trie {
	type stretch struct{ from, to, depth int } // of the tokens below a node
	t := trie{label: []byte{0}, id: []int32{none}}
	below := []stretch{{0, len(tokens), 0}}
	for node := 0; node < len(below); node++ {
		s := below[node]
		t.first = append(t.first, int32(len(below)))
		if s.from < s.to && len(tokens[s.from]) == s.depth {
			t.id[node] = ids[tokens[s.from]]
			s.from++
		}
		for s.from < s.to {
			c := tokens[s.from][s.depth]
			to := s.from + 1
			for to < s.to && tokens[to][s.depth] == c {
				to++
			}
			t.label, t.id = append(t.label, c), append(t.id, none)
			below = append(below, stretch{s.from, to, s.depth + 1})
			s.from = to
		}
	}
	t.first = append(t.first, int32(len(below)))
	return t
}

// each calls f for each token that the text begins with, the shortest first:
// its length and its id.
func (t *trie) each(text string, f func(n int, id int32)) {
	node := int32(0)
	for i := range len(text) {
		from, to := t.first[node], t.first[node+1]
		k, found := slices.BinarySearch(t.label[from:to], text[i])
		if !found {
			return
		}
		node = from + int32(k)
		if id := t.id[node]; id != none {
			f(i+1, id)
		}
	}
}
