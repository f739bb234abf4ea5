package run

// What a server adds to each prompt (the template of a chat, a mark of the
// beginning) is told by its usage: the preflight's prompts were counted, and
// what is above that came from the server. It is taken off the prompts of the
// load, so that the server counts what the contract asks for.

import (
	"context"
	"fmt"

	"assay/internal/contract"
	"assay/internal/observation"
)

// wantsTemplate tells whether it is to be measured: prompts can be made to fit,
// and the contract does not say.
func (l *line) wantsTemplate() bool {
	return l.source.Exact() && l.stream.Workload.TemplateTokens == nil && !l.dialect.Textless()
}

// probes are the lengths of the prompts that ask how the server counts, in
// eighths of the first one's. Their texts have nothing in common: another
// tokenizer, whose mistakes are a few tokens, is off by the same number for one
// or two of them, and not for all.
var probes = []int{4, 5, 6, 7}

// longer is by how much each probe exceeds the one before it where a prompt
// can't be divided.
const longer = 32

// eighths are the lengths of this line's probes. Where the requests of the load
// have pictures or recordings they don't tell of a template: one more probe,
// of words alone, has the first one's length.
func (l *line) eighths() []int {
	if l.source.HasMedia() {
		return append(probes[:len(probes):len(probes)], 8)
	}
	return probes
}

// telling are the answers that tell of a template: those to words alone.
func (l *line) telling(first, probes []observation.Preflight) []observation.Preflight {
	if l.source.HasMedia() {
		return probes
	}
	return append(first[:len(first):len(first)], probes...)
}

// mediaWords is what the server counted beside the words of its first request
// and the template.
func mediaWords(l *line, p observation.Preflight, template int) string {
	load := l.words(0).Load()
	return fmt.Sprintf("stream %s: beside words and template the server counts %d tokens (pictures %d, recordings %.1f s)",
		l.stream.Name, p.InputTokens-p.Counted-template, load.Images, float64(load.Audio)/1e9)
}

// prober is the line with the prompts of probe k: what is added to all of them
// alike is no matter of counting.
func (l *line) prober(k int) *line {
	first := l.source.Count(l.words(0))
	by := first - first*l.eighths()[k]/8
	if first < 8 {
		by = -longer * (k + 1)
	}
	other := l.over(l.source.Probe(by))
	other.probed = l.probed + uint64(k) + 1
	return other
}

// probe sends a short request for each of the probes.
func (l *line) probe(ctx context.Context, say func(Event)) ([]observation.Preflight, error) {
	var out []observation.Preflight
	for k := range l.eighths() {
		p, err := l.prober(k).preflight(ctx, 0, say)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// templateOf is what all these answers say that their server adds; nil where
// they don't agree, with the reason.
func templateOf(flights []observation.Preflight) (tokens *int, why string) {
	added := flights[0].InputTokens - flights[0].Counted
	for _, p := range flights {
		switch {
		case p.Counted == 0:
			return nil, "the server gives no usage"
		case p.InputTokens < p.Counted:
			return nil, fmt.Sprintf("the server counts %d tokens where the tokenizer counts %d: it has another one", p.InputTokens, p.Counted)
		case p.InputTokens-p.Counted != added:
			return nil, fmt.Sprintf("to a prompt of %d tokens %d are added, to one of %d it is %d: the server has another tokenizer, or several templates",
				flights[0].Counted, added, p.Counted, p.InputTokens-p.Counted)
		}
	}
	return &added, ""
}

// templateWords is what a person who waits is told of it.
func templateWords(s *contract.Stream, tokens *int, why string) string {
	if tokens == nil {
		return fmt.Sprintf("stream %s: prompts are as long as the tokenizer counts them, whatever the server adds: %s", s.Name, why)
	}
	return fmt.Sprintf("stream %s: the server adds %d tokens to each prompt: they are taken off its text", s.Name, *tokens)
}

// fits refuses prompts that the template alone is as long as. Of lengths that
// are drawn, the few that are too short are told by the result.
func fits(s *contract.Stream, tokens int) error {
	if asked := s.Workload.InputTokens; asked.Law == "constant" && asked.A <= float64(tokens) {
		return usage(fmt.Errorf("stream %s: prompts of %s tokens can't be had: the server adds %d to each", s.Name, asked, tokens),
			"longer prompts, or --set workload.template_tokens=0 for prompts that are not made shorter")
	}
	return nil
}
