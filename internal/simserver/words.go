package simserver

import (
	"errors"
	"fmt"
	"strings"

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
	const sample = 64 // of the words, so that most of them have stood beside most others
	text := string(v.appendTo(nil, 0, 0, sample*len(v)))[1:]
	first, _, _ := strings.Cut(text, " ")
	if got, want := t.Count(text), t.Count(first)+sample*len(v)-1; got != want {
		return nil, fmt.Errorf("replies can't be made: %d words are %d tokens", want, got)
	}
	return v, nil
}

// appendTo appends the n words that come after the first `from` of a reply. Each
// reply has others, as those of a model have: a prompt that begins with one is
// not in the prefix cache because of another.
func (v vocabulary) appendTo(dst []byte, reply uint64, from, n int) []byte {
	for i := range n {
		z := reply*0x9e3779b97f4a7c15 + uint64(from+i)
		z = (z ^ z>>32) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>29) * 0x94d049bb133111eb
		dst = append(dst, v[(z>>32)%uint64(len(v))]...)
	}
	return dst
}
