package dialect

// What the chunks of chat and completions have in common: the object around
// the choices. The choices' own content is read in chat.go and completions.go.

// openAI is the reading of both APIs; member reads a member of a choice that
// only one has, and reports whether it was one.
func openAI(member func(d *decoder, key []byte) bool) api {
	choice := func(d *decoder, position int) { d.choice(position, member) }
	return api{
		marker: "[DONE]",
		member: func(d *decoder, key []byte) {
			switch string(key) {
			case "choices":
				d.choices(choice)
			case "usage":
				d.usage()
			case "x_groq": // Groq's own place for usage
				d.object("", (*decoder).groq)
			case "error":
				d.fails()
			case "detail": // as FastAPI says it
				d.now.faint = d.says() || d.now.faint
			case "object":
				raw, ok := d.in.text()
				if !ok {
					d.in.skip()
				}
				d.now.faint = string(raw) == "error" || d.now.faint // as older vLLM says it
			default:
				d.in.skip()
			}
		},
	}
}

func (d *decoder) groq(key []byte) {
	if string(key) == "usage" {
		d.usage()
	} else {
		d.in.skip()
	}
}

// choices reads the array. Content of any choice counts.
func (d *decoder) choices(choice func(d *decoder, position int)) {
	if d.in.null() {
		return
	}
	if !d.in.open('[') {
		d.strange("choices is no array")
		return
	}
	for n := 0; d.in.more(n == 0, ']'); n++ {
		choice(d, n)
		d.now.said = true
	}
}

func (d *decoder) choice(position int, member func(d *decoder, key []byte) bool) {
	if !d.in.open('{') {
		d.strange("a choice is no object")
		return
	}
	index, ids, logprobs := position, 0, 0
	before := len(d.kept)
	var finish []byte
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "index":
			if n, told := d.in.count(); told {
				index = n
			}
		case "finish_reason":
			finish = d.word("finish_reason")
		case "token_ids":
			ids = d.in.length()
		case "logprobs":
			logprobs = d.in.logprobs()
		default:
			if !member(d, key) {
				d.in.skip()
			}
		}
	}
	if index != 0 {
		d.kept = d.kept[:before] // a conversation goes on with the first choice
	}
	if ids == 0 {
		ids = logprobs
	}
	d.now.tokens += ids
	if len(finish) > 0 {
		d.now.finish = finish
	}
	d.sum.see(index, len(finish) > 0)
}

// logprobs counts the tokens that a logprobs object lists: chat has them in
// "content" (and "refusal"), completions in "tokens".
func (s *scanner) logprobs() int {
	if !s.open('{') {
		s.skip()
		return 0
	}
	n := 0
	for first := true; ; first = false {
		key, ok := s.member(first)
		if !ok {
			return n
		}
		switch string(key) {
		case "content", "refusal", "tokens":
			n += s.length()
		default:
			s.skip()
		}
	}
}
