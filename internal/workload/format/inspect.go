package format

// What a file holds, for people who want to know before they send it.

import (
	"io/fs"
	"strings"

	"assay/internal/workload"
)

// A Survey is what was found in a file.
type Survey struct {
	File       string     `json:"file"`
	Format     string     `json:"format"`
	Why        string     `json:"why"`
	Entries    int        `json:"entries"`
	Sessions   int        `json:"sessions"`
	MostTurns  int        `json:"most_turns"`    // of one session
	Cumulative bool       `json:"cumulative"`    // later turns hold the turns before them
	Bodies     int        `json:"bodies"`        // entries that are sent as they are
	Streamed   int        `json:"streamed"`      // of them: those that ask for a reply in pieces
	Unusable   int        `json:"unusable"`      // lines that are left out
	Reasons    []string   `json:"reasons"`       // of the first of them
	Duration   *float64   `json:"duration_s"`    // from the first to the last; null: the file does not say
	Rate       *float64   `json:"rate_per_s"`    // sessions, and entries that belong to none
	Input      *Lengths   `json:"input_tokens"`  // told by the file, or counted in words; of turns, what they add
	Output     *Lengths   `json:"output_tokens"` // null where no line says
	Shared     *Sharing   `json:"shared_prefix"` // null without hash blocks
	First      []FirstOne `json:"first"`
}

// A FirstOne is the beginning of one of the first lines.
type FirstOne struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Sharing is what the hash blocks say of a prefix cache without limit. Of a
// long trace it is told of the first requests.
type Sharing struct {
	Requests int     `json:"requests"` // it is told of
	Blocks   int     `json:"blocks"`   // in all
	Distinct int     `json:"distinct"` // different ones
	Tokens   int64   `json:"tokens"`   // of prompts that a cache knows by then
	Share    float64 `json:"share"`    // of all prompt tokens
	input    int64   // tokens of those requests
}

// mostBlocks bounds the memory of what was seen: 200 MB of names at the worst.
const mostBlocks = 4 << 20

const (
	firstLines = 3
	firstBytes = 160 // of each
)

// Inspect goes through a file and says what it holds. Tokens of texts are
// counted by count.
func Inspect(fsys fs.FS, name string, o Options, count func(string) int) (*Survey, error) {
	s := &surveyor{count: count}
	o.Reach, o.once = 1, true
	x, err := open(fsys, name, o, s.element)
	if err != nil {
		return nil, err
	}
	out := &Survey{
		File: name, Format: x.kind.name, Why: x.why, Entries: x.requests(), Sessions: x.tally.Sessions,
		Cumulative: x.tally.cumulative(), Bodies: x.tally.Bodies, Streamed: x.tally.Streamed,
		Unusable: x.tally.Unusable, Reasons: x.tally.examples(x.reader), MostTurns: max(x.sessions.most(), x.trees.most()),
		Input: s.input.lengths(), Output: s.output.lengths(), First: s.first,
	}
	if s.shared.Blocks > 0 {
		s.shared.Share = float64(s.shared.Tokens) / float64(s.shared.input)
		out.Shared = &s.shared
	}
	if first, last, n := x.clock.span(); n > 0 {
		duration := float64(last-first) / second
		out.Duration = &duration
		if duration > 0 {
			rate := float64(n-1) / duration
			out.Rate = &rate
		}
	}
	return out, nil
}

// A surveyor looks at one element after the other.
type surveyor struct {
	count         func(string) int
	input, output counted
	cache         workload.Cache
	spans         []workload.Span
	blocks        workload.Blocks
	shared        Sharing
	first         []FirstOne
}

func (s *surveyor) element(f found) {
	if len(s.first) < firstLines {
		s.first = append(s.first, FirstOne{f.number, beginning(f.data)})
	}
	for _, i := range f.items {
		s.entry(i.Entry)
	}
}

func (s *surveyor) entry(e workload.Entry) {
	in := e.Input
	if in == 0 {
		in = s.count(e.Text)
		for _, m := range e.Messages {
			in += s.count(m.Content)
		}
	}
	s.input.add(in)
	switch {
	case e.Output > 0:
		s.output.add(e.Output)
	case e.Recorded != "":
		s.output.add(s.count(e.Recorded))
	}
	s.share(e, in)
}

func (s *surveyor) share(e workload.Entry, in int) {
	if s.shared.Blocks >= mostBlocks {
		return
	}
	s.spans = e.Spans(s.spans[:0])
	for _, span := range s.spans {
		if s.blocks.Add(span.ID) {
			s.shared.Distinct++
		}
	}
	s.shared.Requests++
	s.shared.input += int64(in)
	s.shared.Blocks += len(s.spans)
	s.shared.Tokens += int64(workload.Found(s.cache.Send(s.spans, in).Tokens, in))
}

// beginning cuts a line where it gets long, not within a character.
func beginning(data []byte) string {
	if len(data) <= firstBytes {
		return string(data)
	}
	return strings.ToValidUTF8(string(data[:firstBytes]), "") + "…"
}
