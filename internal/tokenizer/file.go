// Reading tokenizer.json: what is known is understood in full, what is not is
// refused, for a part that is passed over would give other ids without a word.

package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// file is tokenizer.json, without what decides neither ids nor their number:
// truncation, padding, the post-processor (special tokens around the text) and
// the decoder.
type file struct {
	AddedTokens  []addedToken  `json:"added_tokens"`
	Normalizer   *normalizing  `json:"normalizer"`
	PreTokenizer *preTokenizer `json:"pre_tokenizer"`
	Model        *fileModel    `json:"model"`
}

type fileModel struct {
	Type         string          `json:"type"`
	Dropout      *float64        `json:"dropout"`
	Unknown      *string         `json:"unk_token"`
	UnknownID    *int            `json:"unk_id"` // Unigram
	Prefix       *string         `json:"continuing_subword_prefix"`
	Suffix       *string         `json:"end_of_word_suffix"`
	Fuse         bool            `json:"fuse_unk"`
	ByteFallback bool            `json:"byte_fallback"`
	IgnoreMerges bool            `json:"ignore_merges"`
	Vocab        json.RawMessage `json:"vocab"` // a table in BPE, a list in others
	Merges       mergeRules      `json:"merges"`
}

// mergeRules are pairs: "a b" in older files, ["a", "b"] in newer ones.
type mergeRules [][2]string

// UnmarshalJSON reads either form.
func (m *mergeRules) UnmarshalJSON(data []byte) error {
	inner := bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimSpace(data), []byte("[")), " \t\r\n")
	if !bytes.HasPrefix(inner, []byte(`"`)) {
		return json.Unmarshal(data, (*[][2]string)(m))
	}
	var lines []string
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	*m = make(mergeRules, len(lines))
	for i, line := range lines {
		left, right, ok := strings.Cut(line, " ")
		if !ok || strings.Contains(right, " ") {
			return fmt.Errorf("merge %d: %q is not two tokens", i+1, line)
		}
		(*m)[i] = [2]string{left, right}
	}
	return nil
}

// Read reads a tokenizer.json. It knows byte-pair encoding, over bytes (GPT-2,
// Llama 3, Qwen, DeepSeek, gpt-oss) and over characters with bytes for those
// that the vocabulary lacks (Llama 2, Mistral, Gemma), and Unigram (T5, XLM-R).
func Read(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("not a tokenizer.json: %w", err)
	}
	if f.Model == nil {
		return nil, errors.New("not a tokenizer.json: it has no model")
	}
	// Files of the first years name no type, and are BPE where they have merges.
	if f.Model.Type == "" && f.Model.Merges != nil {
		f.Model.Type = "BPE"
	}
	t := &Tokenizer{}
	var err error
	if f.Normalizer != nil {
		if t.normalize, err = f.Normalizer.steps(); err != nil {
			return nil, err
		}
	}
	byBytes := false
	if f.PreTokenizer != nil {
		if t.split, byBytes, err = f.PreTokenizer.steps(); err != nil {
			return nil, err
		}
	}
	switch {
	case f.Model.Type == "Unigram" && byBytes:
		return nil, errors.New("pre_tokenizer: ByteLevel before a Unigram model is not supported")
	case f.Model.Type == "Unigram":
		t.model, err = f.Model.unigram()
	case f.Model.Type == "BPE":
		t.model, err = f.Model.build(byBytes)
	default:
		err = fmt.Errorf("model type %q is not supported: BPE and Unigram are", f.Model.Type)
	}
	if err != nil {
		return nil, err
	}
	if err = t.add(f.AddedTokens); err != nil {
		return nil, err
	}
	return t, nil
}

// add sorts the added tokens into those found before and after normalising.
func (t *Tokenizer) add(tokens []addedToken) error {
	var raw, normalized []addedToken
	for _, a := range tokens {
		if a.content = a.Content; a.content == "" {
			continue
		}
		if a.ID < 0 {
			return fmt.Errorf("added token %q has the id %d", a.Content, a.ID)
		}
		if !a.Normalized {
			raw = append(raw, a)
			continue
		}
		for _, n := range t.normalize {
			a.content = n(a.content)
		}
		if a.content != "" {
			normalized = append(normalized, a)
		}
	}
	t.raw, t.normalized = newAdded(raw), newAdded(normalized)
	return nil
}

// build makes the model; byBytes tells that its tokens are written in the
// letters that stand for bytes.
func (f *fileModel) build(byBytes bool) (*model, error) {
	switch {
	case f.Dropout != nil && *f.Dropout != 0:
		return nil, errors.New("model: dropout is not supported: it makes the count a matter of chance")
	case f.Prefix != nil && *f.Prefix != "":
		return nil, fmt.Errorf("model: continuing_subword_prefix %q is not supported", *f.Prefix)
	case f.Suffix != nil && *f.Suffix != "":
		return nil, fmt.Errorf("model: end_of_word_suffix %q is not supported", *f.Suffix)
	}
	var vocab map[string]int32
	if err := json.Unmarshal(f.Vocab, &vocab); err != nil {
		return nil, fmt.Errorf("model.vocab: %w", err)
	}
	for token, id := range vocab {
		if id < 0 {
			return nil, fmt.Errorf("model.vocab: %q has the id %d", token, id)
		}
	}
	m := &model{whole: f.IgnoreMerges, unk: none, fuse: f.Fuse, byBytes: byBytes}
	if f.Unknown != nil {
		id, ok := vocab[*f.Unknown]
		if !ok {
			return nil, fmt.Errorf("model.unk_token %q is not in the vocabulary", *f.Unknown)
		}
		m.unk = id
	}
	if err := m.rules(vocab, f.Merges); err != nil {
		return nil, err
	}
	if byBytes {
		return m, m.ofBytes(vocab)
	}
	m.ids = vocab
	m.fallback = f.ByteFallback
	if m.fallback {
		for b := range m.bytes {
			id, ok := vocab[fmt.Sprintf("<0x%02X>", b)]
			if !ok {
				return nil, fmt.Errorf("model.byte_fallback: the vocabulary lacks the byte <0x%02X>", b)
			}
			m.bytes[b] = id
		}
	}
	return m, nil
}

// rules numbers the merges in their order. Of two that are the same the later
// holds, as in the library that writes such files.
func (m *model) rules(vocab map[string]int32, merges mergeRules) error {
	m.merges = make(map[uint64]merge, len(merges))
	for rank, rule := range merges {
		left, okLeft := vocab[rule[0]]
		right, okRight := vocab[rule[1]]
		both, ok := vocab[rule[0]+rule[1]]
		if !ok || !okLeft || !okRight {
			return fmt.Errorf("model.merges: %q and %q, or what they make, are not in the vocabulary", rule[0], rule[1])
		}
		m.merges[pair(left, right)] = merge{rank: int32(rank), id: both}
	}
	return nil
}

// ofBytes looks the bytes up, and rewrites the tokens as the bytes they are
// where whole pieces are looked up.
func (m *model) ofBytes(vocab map[string]int32) error {
	letters := byteLetters()
	of := make(map[rune]byte, len(letters))
	for b, letter := range letters {
		of[letter] = byte(b)
		id, ok := vocab[string(letter)]
		if !ok {
			return fmt.Errorf("model.vocab lacks the byte 0x%02X (%c)", b, letter)
		}
		m.bytes[b] = id
	}
	if !m.whole {
		return nil
	}
	m.ids = make(map[string]int32, len(vocab))
	var plain []byte
	for token, id := range vocab {
		plain = plain[:0]
		for _, r := range token {
			b, ok := of[r]
			if !ok {
				plain = nil // no piece can be it
				break
			}
			plain = append(plain, b)
		}
		if len(plain) > 0 {
			m.ids[string(plain)] = id
		}
	}
	return nil
}

// byteLetters are the letters that stand for bytes in such vocabularies: a byte
// that is a visible Latin-1 character stands for itself, the others are
// numbered from U+0100 on.
func byteLetters() [256]rune {
	var letters [256]rune
	next := rune(0x100)
	for b := range rune(256) {
		visible := '!' <= b && b <= '~' || '¡' <= b && b <= '¬' || '®' <= b && b <= 'ÿ'
		if letters[b] = b; !visible {
			letters[b] = next
			next++
		}
	}
	return letters
}
