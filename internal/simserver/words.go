package simserver

import (
	"errors"
	"fmt"

	"assay/internal/tokenizer"
)

// What replies say: words that need no escapes. Without a tokenizer they count
// one each.
var common = []string{
	" the", " metal", " was", " weighed", " before", " noon", " and", " again", " after", " the", " fire", " went", " out",
	" while", " two", " clerks", " wrote", " down", " every", " grain", " that", " came", " back", " from", " the", " cup",
	" so", " no", " doubt", " was", " left", " about", " what", " it", " held", " when", " sold",
}

// A vocabulary is the words of replies, a token each.
type vocabulary []string

// newVocabulary keeps those words that are one token, so that a reply of so
// many tokens is that to its reader too, but for its first word, which has no
// space before it where the reply is not streamed.
func newVocabulary(t *tokenizer.Tokenizer) (vocabulary, error) {
	if t == nil {
		return common, nil
	}
	var v vocabulary
	for _, w := range common {
		if t.Count(common[0]+w) == t.Count(common[0])+1 {
			v = append(v, w)
		}
	}
	if len(v) == 0 {
		return nil, errors.New("replies can't be made: of the words that the server says none is one token")
	}
	first := t.Count(v[0][1:])
	if got, want := t.Count(string(v.appendTo(nil, 0, 2*len(v)))[1:]), first+2*len(v)-1; got != want {
		return nil, fmt.Errorf("replies can't be made: %d words are %d tokens", want, got)
	}
	return v, nil
}

// appendTo appends the n words that come after the first `from` of a reply.
func (v vocabulary) appendTo(dst []byte, from, n int) []byte {
	for i := range n {
		dst = append(dst, v[(from+i)%len(v)]...)
	}
	return dst
}
