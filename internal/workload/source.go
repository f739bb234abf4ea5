// Request n of a stream.

package workload

import (
	"fmt"
	"io/fs"
	"strings"

	"assay/internal/seed"
)

// A Source answers what request n of a stream is, in any order and from any
// number of goroutines: it does not change once made.
type Source struct {
	spec    Spec
	prompts []prompt // of the file; nil for synthetic prompts
	cutter  *cutter  // of synthetic prompts by a tokenizer; nil where words are counted

	inputs, outputs, words, choice seed.Key
}

// New returns the source of one stream. fsys is where the prompts file is
// found; count counts tokens, as the spec's tokenizer does: those of the file's
// prompts, and the pieces that synthetic ones are made of. Without a tokenizer
// synthetic prompts are words, each of which is one, and count is not asked.
// Each of lengths, words and choice of prompt has random streams of its own, so
// that changing one changes no other.
func New(spec Spec, master uint64, stream string, fsys fs.FS, count func(string) int) (*Source, error) {
	s := &Source{
		spec:    spec,
		inputs:  seed.Named(master, "workload/input/"+stream),
		outputs: seed.Named(master, "workload/output/"+stream),
		choice:  seed.Named(master, "workload/prompt/"+stream),
		words:   seed.Named(master, "workload/words/"+stream+"/"+spec.Salt),
	}
	if err := spec.checkOrder(); err != nil {
		return nil, err
	}
	if spec.Prompts == "" {
		if err := spec.InputTokens.Check(); err != nil {
			return nil, fmt.Errorf("input_tokens: %w", err)
		}
		if spec.Tokenizer != "" {
			var err error
			if s.cutter, err = newCutter(count); err != nil {
				return nil, fmt.Errorf("tokenizer %s: %w", spec.Tokenizer, err)
			}
		}
	} else {
		var err error
		if s.prompts, err = load(fsys, spec.Prompts, count); err != nil {
			return nil, err
		}
	}
	if s.drawsOutput() {
		if err := spec.OutputTokens.Check(); err != nil {
			return nil, fmt.Errorf("output_tokens: %w", err)
		}
	}
	return s, nil
}

// drawsOutput tells whether some request takes its limit from OutputTokens.
func (s *Source) drawsOutput() bool {
	for _, p := range s.prompts {
		if p.output == 0 {
			return true
		}
	}
	return s.prompts == nil
}

func (s Spec) checkOrder() error {
	switch s.Order {
	case "", Sampled, Sequential:
		return nil
	}
	return fmt.Errorf("unknown order %q of prompts: known are %s, %s", s.Order, Sampled, Sequential)
}

// Lengths returns the sizes of request n without making its text: the tokens
// of the prompt, and the limit of output tokens to send.
func (s *Source) Lengths(n uint64) (in, out int) {
	if s.prompts == nil {
		return draw(s.spec.InputTokens, s.inputs, n), draw(s.spec.OutputTokens, s.outputs, n)
	}
	p := s.pick(n)
	if p.output > 0 {
		return p.input, p.output
	}
	return p.input, draw(s.spec.OutputTokens, s.outputs, n)
}

func draw(l Length, k seed.Key, n uint64) int {
	if l.Law == "constant" {
		return int(l.A) // no generator for what is no draw
	}
	return l.draw(k.Rand(n))
}

// pick returns the prompt of request n: line n (again from the top after the
// last) or one drawn with equal chances, lines coming back.
func (s *Source) pick(n uint64) prompt {
	lines := uint64(len(s.prompts))
	if s.spec.Order == Sequential {
		return s.prompts[n%lines]
	}
	return s.prompts[s.choice.Rand(n).Uint64N(lines)]
}

// Request returns request n. Synthetic text is drawn anew for each n, so that
// no prefix is shared and no cache helps; prompts of a file are sent as they
// are, whatever the salt.
func (s *Source) Request(n uint64) Request {
	in, out := s.Lengths(n)
	if s.prompts != nil {
		p := s.pick(n)
		return Request{Prompt: p.text, Messages: p.messages, InputTokens: in, OutputTokens: out}
	}
	return Request{Prompt: s.text(n, in), InputTokens: in, OutputTokens: out}
}

// text returns a prompt of so many tokens, or words.
func (s *Source) text(n uint64, length int) string {
	const room = 7 // bytes a word takes with its space, a little more than the mean
	r := s.words.Rand(n)
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
