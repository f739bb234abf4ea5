// Unigram models, as SentencePiece makes them: each token has a score, and a
// piece is cut into those tokens whose scores have the largest sum.

package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A unigram is such a vocabulary.
type unigram struct {
	ids      map[string]int32
	scores   []float64 // by id
	tokens   trie
	unk      int32
	unknown  float64 // the score of a character that no token is
	fallback bool    // what is unknown is the tokens of its bytes
	bytes    [256]int32
}

// penalty is by how much an unknown character is worse than the worst token.
const penalty = 10

// unigram makes the model of a file.
func (f *fileModel) unigram() (*unigram, error) {
	var vocab []scored
	if err := json.Unmarshal(f.Vocab, &vocab); err != nil {
		return nil, fmt.Errorf("model.vocab: %w", err)
	}
	if f.UnknownID == nil || *f.UnknownID < 0 || *f.UnknownID >= len(vocab) {
		return nil, errors.New("model.unk_id: a Unigram model is read only with a token for what is unknown")
	}
	u := &unigram{ids: make(map[string]int32, len(vocab)), unk: int32(*f.UnknownID), fallback: f.ByteFallback}
	least := math.Inf(1)
	var tokens []string
	for id, t := range vocab {
		u.ids[t.token] = int32(id)
		u.scores = append(u.scores, t.score)
		least = min(least, t.score)
		if t.token != "" {
			tokens = append(tokens, t.token)
		}
	}
	u.unknown = least - penalty
	slices.Sort(tokens)
	u.tokens = newTrie(slices.Compact(tokens), u.ids)
	for b := range u.bytes {
		id, ok := u.ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			id = none
		}
		u.bytes[b] = id
	}
	return u, nil
}

// scored is a token with its score: ["▁the", -3.7].
type scored struct {
	token string
	score float64
}

// UnmarshalJSON reads the pair.
func (s *scored) UnmarshalJSON(data []byte) error {
	pair := []any{&s.token, &s.score}
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 || pair[0] == nil || pair[1] == nil {
		return fmt.Errorf("%.40s is not a token and its score", data)
	}
	return nil
}

// A way is the best way to a place of a piece: the last of its tokens.
type way struct {
	score float64
	start int // of that token; none: no way was found yet
	id    int32
}

// encode appends the ids of a piece. Of two ways with the same score the one
// that was found first stays, as in the library that writes such files.
func (u *unigram) encode(ids []int32, piece string) []int32 {
	ways := make([]way, len(piece)+1)
	for i := range ways {
		ways[i].start = none
	}
	for start := 0; start < len(piece); {
		_, size := utf8.DecodeRuneInString(piece[start:])
		alone := false // some token is the character
		reach := func(end int, score float64, id int32) {
			if w := &ways[end]; w.start == none || score > w.score {
				*w = way{score, start, id}
			}
		}
		before := ways[start].score
		u.tokens.each(piece[start:], func(n int, id int32) {
			reach(start+n, u.scores[id]+before, id)
			alone = alone || n == size
		})
		if !alone {
			reach(start+size, u.unknown+before, u.unk)
		}
		start += size
	}
	return u.along(ids, piece, ways)
}

// along appends the tokens of the best way through the whole piece. Unknown
// ones in a row are one stretch.
func (u *unigram) along(ids []int32, piece string, ways []way) []int32 {
	from := len(ids)
	for end := len(piece); end > 0; {
		w := ways[end]
		if w.id != u.unk {
			ids, end = append(ids, w.id), w.start
			continue
		}
		start := w.start
		for start > 0 && ways[start].id == u.unk {
			start = ways[start].start
		}
		ids, end = u.stretch(ids, piece[start:end]), start
	}
	slices.Reverse(ids[from:])
	return ids
}

// stretch appends the ids of an unknown stretch, the last first.
func (u *unigram) stretch(ids []int32, text string) []int32 {
	if id, ok := u.ids[text]; ok {
		return append(ids, id)
	}
	if u.fallback {
		from := len(ids)
		for i := len(text) - 1; i >= 0 && u.bytes[text[i]] != none; i-- {
			ids = append(ids, u.bytes[text[i]])
		}
		if len(ids)-from == len(text) {
			return ids
		}
		ids = ids[:from]
	}
	return append(ids, u.unk)
}
