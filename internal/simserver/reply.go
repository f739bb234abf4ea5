package simserver

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"assay/internal/sim"
	"assay/internal/simserver/face"
	"assay/internal/tokenizer"
)

// A reply is one request being answered.
type reply struct {
	*conn
	ask    face.Ask
	shape  face.Shape
	id     uint64 // the driver's
	header string // the request's ID, back to its sender
	input  int
	output int // tokens that have left
	truth  *truthEntry
}

// begin admits the request to the engine.
func (c *conn) begin(req *http.Request, f face.Face, ask face.Ask, accepted int64) *reply {
	r := &reply{conn: c, ask: ask, input: tokenizer.Words(ask.Prompt)}
	requestID := req.Header.Get("X-Request-ID")
	if requestID != "" {
		r.header = "X-Request-ID: " + requestID + "\r\n"
	}
	r.truth = c.s.truth.begin(Truth{RequestID: requestID, Endpoint: f.Name, Accepted: accepted, InputTokens: r.input})
	r.id = c.s.driver.admit(accepted, r.input, ask.Limit, c.from)
	r.shape = f.Shape(strconv.FormatUint(r.id, 16), time.Now().Unix(), ask.Model)
	return r
}

// end closes the books of the reply and passes on whether the connection lives.
func (r *reply) end(alive bool) bool {
	if !alive {
		r.s.driver.cancel(r.id)
	}
	r.s.truth.end(r.truth, r.s.clock.now(), r.output, !alive)
	return alive
}

// write sends what has been laid out, and notes the clock around it.
func (r *reply) write(kind string) bool {
	before := r.s.clock.now()
	_, err := r.c.Write(r.out)
	r.truth.wrote(kind, before, r.s.clock.now())
	return err == nil
}

// stream answers with events as they come due.
func (r *reply) stream() bool {
	r.out = append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n"...)
	r.out = append(append(r.out, r.header...), "\r\n"...)
	kind := "head"
	if r.shape.Opening != nil {
		r.out = appendEvent(r.out, r.shape.Opening, nil, nil)
		kind = "role"
	}
	if !r.write(kind) {
		return r.end(false)
	}
	for {
		due, ok := r.from.take(r.due[:0])
		if !ok {
			return r.end(false)
		}
		r.due = due
		for _, e := range due {
			if !r.emit(e) {
				return r.end(false)
			}
			if e.Last {
				return r.end(r.close())
			}
		}
	}
}

// emit writes the events of one emission, each by itself.
func (r *reply) emit(e sim.Emission) bool {
	var text [256]byte
	for i := range e.Events {
		after := r.shape.After
		if e.Last && i == e.Events-1 {
			after = r.shape.Stop
			if r.output+e.Tokens == r.ask.Limit {
				after = r.shape.Length
			}
		}
		r.out = appendEvent(r.out[:0], r.shape.Before, appendWords(text[:0], r.output, e.Tokens), after)
		r.output += e.Tokens
		if !r.write("text") {
			return false
		}
	}
	return true
}

// close writes what follows the text: usage if asked for, and the end marker
// together with the end of the body.
func (r *reply) close() bool {
	if r.ask.Usage {
		r.out = appendEvent(r.out[:0], r.shape.Usage(r.input, r.output), nil, nil)
		if !r.write("usage") {
			return false
		}
	}
	r.out = append(appendEvent(r.out[:0], r.shape.Ending, nil, nil), "0\r\n\r\n"...)
	return r.write("end")
}

// whole answers at once when the last token is due.
func (r *reply) whole() bool {
	for last := false; !last; {
		due, ok := r.from.take(r.due[:0])
		if !ok {
			return r.end(false)
		}
		r.due = due
		for _, e := range due {
			r.output += e.Events * e.Tokens
			last = last || e.Last
		}
	}
	reason := "stop"
	if r.output == r.ask.Limit {
		reason = "length"
	}
	text := strings.TrimSpace(string(appendWords(nil, 0, r.output)))
	body := r.shape.Whole(text, reason, r.input, r.output)
	r.out = append(r.out[:0], "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"...)
	r.out = append(r.out, r.header...)
	r.out = append(strconv.AppendInt(append(r.out, "Content-Length: "...), int64(len(body)), 10), "\r\n\r\n"...)
	r.out = append(r.out, body...)
	return r.end(r.write("body"))
}

// appendEvent appends one server-sent event as one chunk.
func appendEvent(dst, before, text, after []byte) []byte {
	const frame = len("data: ") + len("\n\n")
	dst = strconv.AppendInt(dst, int64(frame+len(before)+len(text)+len(after)), 16)
	dst = append(dst, "\r\ndata: "...)
	dst = append(append(append(dst, before...), text...), after...)
	return append(dst, "\n\n\r\n"...)
}
