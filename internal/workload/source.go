// Request n of a stream.

package workload

import (
	"fmt"
	"io/fs"

	"assay/internal/seed"
)

// A Source answers what request n of a stream is, in any order and from any
// number of goroutines: it does not change once made.
type Source struct {
	spec    Spec
	prompts []prompt // of the file; nil for synthetic prompts
	tree    *tree    // of what they have in common
	filed   *filed   // of a file of requests; nil without one
	cutter  *cutter  // of synthetic prompts by a tokenizer; nil where words are counted
	around  int      // tokens that the server adds to each prompt, taken off its text
	brief   bool     // replies are asked to have one token
	table   *table   // of lengths in pairs; nil without
	begins  begins   // of synthetic prompts
	media   *media   // nil without
	lists   lists
	least   int     // tokens of the shortest synthetic prompt that holds its beginning
	short   float64 // share of those that are drawn shorter

	inputs, outputs, pairs, words, choice seed.Key
}

// New returns the source of one stream. fsys is where the prompts file is
// found; count counts tokens, as the spec's tokenizer does: those of the file's
// prompts, and the pieces that synthetic ones are made of. Without a tokenizer
// synthetic prompts are words, each of which is one, and count is not asked.
// Each of lengths, words and choice of prompt has random streams of its own, so
// that changing one changes no other.
func New(spec Spec, master uint64, stream string, fsys fs.FS, count func(string) int) (*Source, error) {
	s := keyed(spec, master, stream)
	if spec.TemplateTokens != nil {
		s.around = *spec.TemplateTokens
	}
	if err := spec.checkOrder(); err != nil {
		return nil, err
	}
	var err error
	if s.media, err = newMedia(spec, master, stream); err != nil {
		return nil, err
	}
	if s.lists, err = newLists(spec, master, stream); err != nil {
		return nil, err
	}
	if spec.Prompts == "" {
		if err := s.synthesize(fsys); err != nil {
			return nil, err
		}
		if spec.Tokenizer != "" {
			if s.cutter, err = newCutter(count); err != nil {
				return nil, fmt.Errorf("tokenizer %s: %w", spec.Tokenizer, err)
			}
		}
	} else {
		if s.prompts, err = load(fsys, spec.Prompts, count); err != nil {
			return nil, err
		}
		s.tree = grow(s.prompts, count)
	}
	if s.drawsOutput() && !spec.silent() {
		if err := spec.OutputTokens.Check(); err != nil {
			return nil, fmt.Errorf("output_tokens: %w", err)
		}
	}
	return s, nil
}

// keyed is a source with its random streams and nothing else.
func keyed(spec Spec, master uint64, stream string) *Source {
	return &Source{
		spec:    spec,
		inputs:  seed.Named(master, "workload/input/"+stream),
		outputs: seed.Named(master, "workload/output/"+stream),
		pairs:   seed.Named(master, "workload/lengths/"+stream),
		choice:  seed.Named(master, "workload/prompt/"+stream),
		words:   seed.Named(master, "workload/words/"+stream+"/"+spec.Salt),
		begins:  newBegins(spec.Prefix, master, stream, spec.Salt),
	}
}

// drawsOutput tells whether some request takes its limit from OutputTokens.
func (s *Source) drawsOutput() bool {
	for _, p := range s.prompts {
		if p.output == 0 {
			return true
		}
	}
	return s.prompts == nil && s.table == nil
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
	if s.filed != nil {
		e, err := s.entry(n)
		if err != nil {
			return 0, 0 // Request says why
		}
		return s.entryLengths(n, e)
	}
	if s.prompts == nil {
		in, out = s.drawn(n)
		for _, more := range s.lists.further(n, s.spec.InputTokens) {
			in += more
		}
		return in, out
	}
	p := s.pick(n)
	if p.output > 0 {
		return p.input, p.output
	}
	return p.input, draw(s.spec.OutputTokens, s.outputs, n)
}

// HasMedia tells whether requests have pictures or recordings.
func (s *Source) HasMedia() bool {
	return s.media != nil || s.filed != nil && s.filed.Media != [2]int{}
}

// Load is the media of request n, without making any.
func (s *Source) Load(n uint64) Load {
	if s.filed == nil {
		return s.media.load(n)
	}
	e, err := s.entry(n)
	if err != nil {
		return Load{} // Request says why
	}
	return Request{Messages: e.Messages}.Load()
}

func draw(l Length, k seed.Key, n uint64) int {
	if l.Law == "constant" || l.IsZero() {
		return int(l.A) // no generator for what is no draw
	}
	return l.draw(k.Rand(n))
}

// pick returns the prompt of request n: line n (again from the top after the
// last) or one drawn with equal chances, lines coming back.
func (s *Source) pick(n uint64) prompt { return s.prompts[s.line(n)] }

func (s *Source) line(n uint64) int {
	lines := uint64(len(s.prompts))
	if s.spec.Order == Sequential {
		return int(n % lines)
	}
	return int(s.choice.Rand(n).Uint64N(lines))
}

// Request returns request n. Synthetic text is drawn anew for each n, so that
// no cache helps beyond the prefix that the spec asks for; prompts of a file
// are sent as they are, whatever the salt.
func (s *Source) Request(n uint64) Request {
	if s.filed != nil {
		return s.fromFile(n)
	}
	if s.prompts != nil {
		in, out := s.Lengths(n)
		p := s.pick(n)
		return Request{Prompt: p.text, Messages: p.messages, InputTokens: in, OutputTokens: out}
	}
	in, out := s.drawn(n)
	text := s.text(n, s.room(in))
	if s.media != nil && !s.brief {
		media := s.media.of(n)
		return Request{Messages: []Message{{Role: "user", Content: text, Media: media}}, InputTokens: in, OutputTokens: out}
	}
	if !s.lists.none() {
		return s.listed(n, text, in, out)
	}
	return Request{Prompt: text, InputTokens: in, OutputTokens: out}
}
