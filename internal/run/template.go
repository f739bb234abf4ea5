package run

// What a server adds to each prompt (the template of a chat, a mark of the
// beginning) is told by its usage: the preflight's prompts were counted, and
// what is above that came from the server. It is taken off the prompts of the
// load, so that the server counts what the contract asks for.

import (
	"fmt"

	"assay/internal/contract"
	"assay/internal/observation"
)

// wantsTemplate tells whether it is to be measured: prompts can be made to fit,
// and the contract does not say.
func (l *line) wantsTemplate() bool {
	return l.source.Exact() && l.stream.Workload.TemplateTokens == nil
}

// longer is by how much the other prompt exceeds one that can't be halved.
const longer = 32

// shorter is the line with a prompt of half the length: what is added to both
// alike is no matter of counting.
func (l *line) shorter() *line {
	other := *l
	first := l.source.Count(l.source.Request(l.preflightSeq(0)))
	by := first / 2
	if by == 0 {
		by = -longer
	}
	other.runID, other.source = l.runID+"-again", l.source.Around(by)
	return &other
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
