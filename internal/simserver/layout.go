package simserver

import (
	"strconv"
	"time"

	"assay/internal/simserver/face"
)

// layHead lays out the head of a stream, with what the API says before any text.
func (r *reply) layHead() {
	kind := "text/event-stream; charset=utf-8"
	if r.face.Lines {
		kind = "application/x-ndjson"
	}
	r.out = append(append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: "...), kind...)
	r.out = append(r.out, "\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n"...)
	r.out = append(append(r.out, r.header...), "\r\n"...)
	r.kind = "head"
	if len(r.shape.Opening) > 0 {
		r.layEvents(r.shape.Opening)
		r.kind = "role"
	}
	r.rest = r.out
}

// lay lays out the next write of the emission under way: an event each, and
// after the last one what the API says then, the end marker together with the
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
	default:
		r.layEnding()
	}
	r.part++
	r.rest = r.out
	return true
}

// layEnding lays out usage and the like, or the end.
func (r *reply) layEnding() {
	if r.part == r.now.Events {
		r.ending = r.shape.Closing(r.said(0, true), r.ask.Usage)
	}
	r.out = r.out[:0]
	if last := len(r.ending) - 1; last > 0 {
		r.layEvents(r.ending[:last])
		r.ending, r.kind = r.ending[last:], "usage"
		return
	}
	r.part = r.now.Events + 1
	r.layEvents(r.ending)
	r.out = append(r.out, "0\r\n\r\n"...)
	r.kind = "end"
}

// said is where the reply stands with so many tokens more.
func (r *reply) said(tokens int, last bool) face.Said {
	s := face.Said{Input: r.input, Output: r.output + tokens, Cached: r.cached, Tokens: tokens, Last: last}
	if last {
		s.Reason = r.reason(s.Output)
		s.All = func() string { return string(r.s.vocabulary.appendTo(nil, r.id, 0, s.Output)) }
	}
	return s
}

func (r *reply) layText() {
	var words [256]byte
	from, n := r.output, r.now.Tokens
	if r.face.Repeats {
		from, n = 0, r.output+r.now.Tokens
	}
	text := r.s.vocabulary.appendTo(words[:0], r.id, from, n)
	last := r.now.Last && r.part == r.now.Events-1
	r.frame = r.shape.Text(r.open(r.shape.Name), text, r.said(r.now.Tokens, last))
	r.out = r.layFrame(r.out[:0])
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
	body := r.answer()
	r.out = append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"...)
	r.out = append(r.out, r.header...)
	r.out = append(strconv.AppendInt(append(r.out, "Content-Length: "...), int64(len(body)), 10), "\r\n\r\n"...)
	r.out = append(r.out, body...)
	r.kind, r.rest = "body", r.out
	return true
}

// answer is the body of a reply that is no stream.
func (r *reply) answer() []byte {
	if r.face.Answer != nil {
		return r.face.Answer(strconv.FormatUint(r.id, 16), time.Now().Unix(), r.ask, r.said(0, true))
	}
	return r.shape.Whole(r.whole(), r.said(0, true))
}

// layEvents adds events to the write, a chunk each.
func (r *reply) layEvents(events []face.Event) {
	for _, e := range events {
		r.frame = append(r.open(e.Name), e.Data...)
		r.out = r.layFrame(r.out)
	}
}

// open begins an event in the API's framing.
func (r *reply) open(name string) []byte {
	r.frame = r.frame[:0]
	if r.face.Lines {
		return r.frame
	}
	if name != "" {
		r.frame = append(append(append(r.frame, "event: "...), name...), '\n')
	}
	return append(r.frame, "data: "...)
}

// layFrame adds the event under construction as one chunk.
func (r *reply) layFrame(dst []byte) []byte {
	end := "\n\n"
	if r.face.Lines {
		end = "\n"
	}
	dst = strconv.AppendInt(dst, int64(len(r.frame)+len(end)), 16)
	dst = append(append(dst, "\r\n"...), r.frame...)
	return append(append(dst, end...), "\r\n"...)
}
