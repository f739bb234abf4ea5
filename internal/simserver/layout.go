package simserver

import "strconv"

// layHead lays out the head of a stream, with the role where the API has one.
func (r *reply) layHead() {
	r.out = append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n"...)
	r.out = append(append(r.out, r.header...), "\r\n"...)
	r.kind = "head"
	if r.shape.Opening != nil {
		r.out = appendEvent(r.out, r.shape.Opening, nil, nil)
		r.kind = "role"
	}
	r.rest = r.out
}

// lay lays out the next write of the emission under way: an event each, and
// after the last one usage, if asked for, and the end marker together with the
// end of the body. It reports false when there is no more.
func (r *reply) lay() bool {
	switch {
	case r.now.Events == 0:
		return false
	case !r.ask.Stream:
		return r.layWhole()
	case r.part < r.now.Events:
		r.layText()
	case !r.now.Last || r.part > r.now.Events+1:
		return false
	case r.part == r.now.Events && r.ask.Usage:
		r.out = appendEvent(r.out[:0], r.shape.Usage(r.input, r.output, r.cached), nil, nil)
		r.kind = "usage"
	default:
		r.part = r.now.Events + 1
		r.out = append(appendEvent(r.out[:0], r.shape.Ending, nil, nil), "0\r\n\r\n"...)
		r.kind = "end"
	}
	r.part++
	r.rest = r.out
	return true
}

func (r *reply) layText() {
	var text [256]byte
	after := r.shape.After
	if r.now.Last && r.part == r.now.Events-1 {
		after = r.shape.Stop
		if r.reason(r.output+r.now.Tokens) == "length" {
			after = r.shape.Length
		}
	}
	r.out = appendEvent(r.out[:0], r.shape.Before, r.s.vocabulary.appendTo(text[:0], r.output, r.now.Tokens), after)
	r.output += r.now.Tokens
	r.kind = "text"
}

// layWhole lays the whole answer out once the last token is due.
func (r *reply) layWhole() bool {
	if r.part > 0 {
		return false
	}
	r.part++
	r.output += r.now.Events * r.now.Tokens
	if !r.now.Last {
		return false
	}
	body := r.shape.Whole(r.whole(), r.reason(r.output), r.input, r.output, r.cached)
	r.out = append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"...)
	r.out = append(r.out, r.header...)
	r.out = append(strconv.AppendInt(append(r.out, "Content-Length: "...), int64(len(body)), 10), "\r\n\r\n"...)
	r.out = append(r.out, body...)
	r.kind, r.rest = "body", r.out
	return true
}

// appendEvent appends one server-sent event as one chunk.
func appendEvent(dst, before, text, after []byte) []byte {
	const frame = len("data: ") + len("\n\n")
	dst = strconv.AppendInt(dst, int64(frame+len(before)+len(text)+len(after)), 16)
	dst = append(dst, "\r\ndata: "...)
	dst = append(append(append(dst, before...), text...), after...)
	return append(dst, "\n\n\r\n"...)
}
