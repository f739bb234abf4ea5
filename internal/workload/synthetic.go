// Requests that nobody recorded: their lengths and what they begin with.

package workload

import (
	"fmt"
	"io/fs"
)

// shortest is the share of prompts that are too short for what all begin with,
// from which the lengths asked for are no longer those sent.
const shortest = 0.01

// synthesize makes the source ready for synthetic prompts.
func (s *Source) synthesize(fsys fs.FS) error {
	spec := s.spec
	below := spec.InputTokens.Below
	if len(spec.Lengths) > 0 {
		var err error
		if s.table, err = newTable(spec.Lengths, fsys); err != nil {
			return fmt.Errorf("lengths: %w", err)
		}
		below = s.table.below
	} else if err := spec.InputTokens.Check(); err != nil {
		return fmt.Errorf("input_tokens: %w", err)
	}
	if err := spec.Prefix.check(); err != nil {
		return fmt.Errorf("prefix: %w", err)
	}
	if spec.Prefix.IsZero() {
		return nil
	}
	s.least = spec.Prefix.Tokens() + 1
	s.short = below(s.least)
	if s.short > shortest {
		return fmt.Errorf("prefix: %d tokens and one of its own do not fit into %.0f%% of the prompts, whose lengths include them", s.least-1, 100*s.short)
	}
	return nil
}

// drawn is the lengths of synthetic request n. A prompt that is shorter than
// what it begins with gets one token beyond that.
func (s *Source) drawn(n uint64) (in, out int) {
	if s.table != nil {
		in, out = s.table.draw(s.pairs.Rand(n))
	} else {
		in, out = draw(s.spec.InputTokens, s.inputs, n), draw(s.spec.OutputTokens, s.outputs, n)
	}
	if s.brief {
		out = 1
	}
	return max(in, s.least), out
}

// Lengthened is the share of synthetic prompts that are longer than drawn, so
// that they hold what they begin with.
func (s *Source) Lengthened() float64 { return s.short }

// text returns the prompt of request n, so many tokens or words: what it shares
// with others, then words that no other has.
func (s *Source) text(n uint64, length int) string {
	if s.spec.Prefix.IsZero() {
		return s.piece(s.words.Rand(n), length)
	}
	var room [3]Span
	text := ""
	for _, part := range s.begins.spans(room[:0], n) {
		text += s.piece(s.begins.words.Rand(part.ID), part.Tokens) + " "
		length -= part.Tokens
	}
	return text + s.piece(s.words.Rand(n), max(1, length)) // a template may have taken the rest
}

// Shares tells whether prompts of this source may begin alike.
func (s *Source) Shares() bool {
	return s.prompts != nil || s.filed != nil || !s.spec.Prefix.IsZero()
}

// filedSpans are the blocks of an entry, where its file tells them. Of texts it
// is only looked at whether the same one comes again.
func (s *Source) filedSpans(into []Span, n uint64) []Span {
	e, err := s.entry(n)
	if err != nil {
		return into // Request says why
	}
	if len(e.Blocks) > 0 {
		return e.Spans(into)
	}
	in, _ := s.entryLengths(n, e)
	if e.Raw == nil && e.Text == "" && e.Messages == nil {
		return into // its words are drawn for n alone
	}
	return append(into, Span{uint64(s.unit(n)), in})
}

// Filed tells whether the requests are those of a file of them.
func (s *Source) Filed() bool { return s.filed != nil }

// Spans appends what prompt n may have in common with others, from its
// beginning on. What it begins with beyond them is its own.
func (s *Source) Spans(into []Span, n uint64) []Span {
	switch {
	case s.prompts != nil:
		return s.tree.spans(into, s.line(n))
	case s.filed != nil:
		return s.filedSpans(into, n)
	}
	return s.begins.spans(into, n)
}
