package dialect

import "assay/internal/record"

// A usage is what the server counted; record.NoCount where it did not say.
type usage struct {
	input, output, cached, reasoning int

	written int // of the prompt, into a cache
}

var noUsage = usage{record.NoCount, record.NoCount, record.NoCount, record.NoCount, record.NoCount}

// empty tells a usage that says nothing: Ollama puts one full of zeros on
// every chunk of completions before the true one.
func (u usage) empty() bool {
	return max(u.input, u.output, u.cached, u.reasoning) <= 0
}

// over is u where it tells, else old.
func (u usage) over(old usage) usage {
	pick := func(now, before int) int {
		if now == record.NoCount {
			return before
		}
		return now
	}
	return usage{
		pick(u.input, old.input), pick(u.output, old.output),
		pick(u.cached, old.cached), pick(u.reasoning, old.reasoning),
		pick(u.written, old.written),
	}
}

// usage reads a usage object. Servers agree on the two main counts and on
// little else: the details stand in an object of their own (OpenAI, vLLM), or
// beside the counts (DeepSeek, SGLang, Moonshot), or under the names of
// another API behind a gateway.
func (s *scanner) usage() usage {
	u := noUsage
	if !s.open('{') {
		s.skip()
		return u
	}
	for first := true; ; first = false {
		key, ok := s.member(first)
		if !ok {
			return u
		}
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			s.countInto(&u.input)
		case "completion_tokens", "output_tokens":
			s.countInto(&u.output)
		case "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens":
			s.countInto(&u.cached)
		case "cache_creation_input_tokens":
			s.countInto(&u.written)
		case "reasoning_tokens":
			s.countInto(&u.reasoning)
		case "prompt_tokens_details", "input_tokens_details":
			s.detail("cached_tokens", &u.cached)
		case "completion_tokens_details", "output_tokens_details":
			s.detail("reasoning_tokens", &u.reasoning)
		default:
			s.skip()
		}
	}
}

// countInto sets *n if the next value tells a count.
func (s *scanner) countInto(n *int) {
	if v, told := s.count(); told {
		*n = v
	}
}

// detail reads the one member of a details object that is of interest.
func (s *scanner) detail(name string, n *int) {
	if !s.open('{') {
		s.skip()
		return
	}
	for first := true; ; first = false {
		key, ok := s.member(first)
		if !ok {
			return
		}
		if string(key) == name {
			s.countInto(n)
		} else {
			s.skip()
		}
	}
}
