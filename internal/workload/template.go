// What a server puts around a prompt, taken off its text.

package workload

// Around returns the source for a server that adds so many tokens to every
// prompt: a chat's template, or a mark of the beginning. Synthetic text is
// shorter by them, so that the server counts what Lengths says; a text keeps
// one token at least. What Lengths says does not change, nor do the prompts of
// a file, which are sent as they are.
func (s *Source) Around(tokens int) *Source {
	other := *s
	other.around = tokens
	return &other
}

// Probe returns the source of requests that ask only how a server counts:
// prompts shorter by so many tokens (longer, where it is negative), words alone,
// and replies of one.
func (s *Source) Probe(shorter int) *Source {
	other := s.Around(shorter)
	other.brief = true
	return other
}

// Exact tells whether the source makes texts of an exact number of tokens, as a
// model's tokenizer counts them.
func (s *Source) Exact() bool { return s.cutter != nil && s.prompts == nil && s.filed == nil }

// Count counts the text of a request of an exact source.
func (s *Source) Count(r Request) int {
	n := 0
	for _, m := range r.Chat() {
		n += s.cutter.count(m.Content)
	}
	return n
}

// room is what a prompt of so many tokens leaves for its text.
func (s *Source) room(length int) int { return max(1, length-s.around) }
