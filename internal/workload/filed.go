// Request n of a stream whose requests stand in a file.

package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"assay/internal/seed"
)

// filed is what a source has of a file.
type filed struct {
	*File
	shift   uint64 // which unit request 0 takes
	sampled bool
	blocks  seed.Key
	count   func(string) int
}

// NewFiled returns the source of a stream whose requests are those of a file.
// first is the number of the request that takes the file's first unit: where
// the file says when requests are due, that of the window's first. Requests
// before it take the file's last units, so that what the warm-up sends is not
// sent again at once.
func NewFiled(spec Spec, master uint64, stream string, file *File, first uint64, count func(string) int) (*Source, error) {
	s := keyed(spec, master, stream)
	units := uint64(file.Units)
	s.filed = &filed{
		File: file, count: count, sampled: spec.Order == Sampled,
		shift:  (units - first%units) % units,
		blocks: seed.Named(master, "workload/block/"+stream+"/"+spec.Salt),
	}
	if err := spec.checkOrder(); err != nil {
		return nil, err
	}
	if err := spec.OutputTokens.Check(); err != nil && !spec.silent() {
		return nil, fmt.Errorf("output_tokens: %w", err)
	}
	if spec.Tokenizer != "" {
		var err error
		if s.cutter, err = newCutter(count); err != nil {
			return nil, fmt.Errorf("tokenizer %s: %w", spec.Tokenizer, err)
		}
	}
	return s, nil
}

// unit is which of the file's units request n takes.
func (s *Source) unit(n uint64) int {
	units := uint64(s.filed.Units)
	if s.filed.sampled {
		return int(s.choice.Rand(n).Uint64N(units))
	}
	return int((n%units + s.filed.shift) % units)
}

// entry is the first entry of the unit of request n.
func (s *Source) entry(n uint64) (Entry, error) {
	return s.filed.Entry(s.filed.Turns(s.unit(n))[0])
}

// entryLengths are the tokens that an entry wants in request n.
func (s *Source) entryLengths(n uint64, e Entry) (in, out int) {
	if in = e.Input; in == 0 {
		in = s.counted(e)
	}
	if out = e.Output; out == 0 && e.Recorded != "" {
		out = s.filed.count(e.Recorded)
	}
	if out == 0 && e.Raw == nil { // of a body that says no limit none is known
		out = draw(s.spec.OutputTokens, s.outputs, n)
	}
	return in, out
}

func (s *Source) counted(e Entry) int {
	in := s.filed.count(e.Text)
	for _, m := range e.Messages {
		in += s.filed.count(m.Content)
	}
	return in
}

// fromFile is request n as its entry has it. An entry that has a length and no
// words gets words of ours.
func (s *Source) fromFile(n uint64) Request {
	e, err := s.entry(n)
	if err != nil {
		return Request{Err: err}
	}
	messages, err := s.filed.inlined(e.Messages)
	if err != nil {
		return Request{Err: err}
	}
	r := Request{Prompt: e.Text, Messages: messages, Extra: e.Extra, Raw: e.Raw}
	if e.Raw == nil && e.Text == "" && e.Messages == nil {
		r.Prompt = s.synthetic(n, e)
	}
	r.InputTokens, r.OutputTokens = s.entryLengths(n, e)
	return r
}

// synthetic are words for an entry that has none. Blocks of one hash have the
// same words in every request of a run, so that a server finds them again as
// it found those that were recorded; what is beyond them no other request has.
func (s *Source) synthetic(n uint64, e Entry) string {
	var parts []string
	left := e.Input
	for _, hash := range e.Blocks {
		if size := min(e.Block, left); size > 0 {
			parts = append(parts, s.piece(s.filed.blocks.Rand(hash), size))
			left -= size
		}
	}
	if left > 0 {
		parts = append(parts, s.piece(s.words.Rand(n), left))
	}
	return strings.Join(parts, " ")
}

// piece is text of so many tokens, or words.
func (s *Source) piece(r *rand.Rand, length int) string {
	const room = 7 // bytes a word takes with its space, a little more than the mean
	if s.cutter != nil {
		return s.cutter.cut(r, length)
	}
	var b strings.Builder
	b.Grow(length * room)
	for i := range length {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// Spans appends what the entry may have in common with others.
func (e Entry) Spans(into []Span) []Span {
	left := e.Input
	for _, hash := range e.Blocks {
		size := min(e.Block, left)
		into = append(into, Span{ID: hash, Tokens: size})
		left -= size
	}
	return into
}
