package simserver

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"assay/internal/sim"
	"assay/internal/simserver/face"
)

// A reply is one request being answered.
type reply struct {
	*conn
	outlet
	ask    face.Ask
	face   face.Face
	shape  face.Shape
	ending []face.Event // what follows the text; nil until it is said
	fault  sim.Fault
	id     uint64 // the driver's
	header string // the request's ID, back to its sender
	input  int
	hashes []uint64 // of the prompt's blocks
	cached int      // tokens of the prompt found in the cache; -1 without one
	output int      // tokens that have left
	close  bool
	alive  bool // once done: the connection can go on
	truth  *truthEntry

	account account // the driver's; under its lock

	// Of who writes.
	now     sim.Emission // under way
	part    int          // of it, to come next
	kind    string       // of the write that is laid out; "" when none is
	rest    []byte       // of it, not yet written
	before  int64        // when it began
	hold    int64        // nothing is written before
	stalled bool
}

// begin lays the reply out. Its outlet is taken: the head comes first.
func (c *conn) begin(req *http.Request, f face.Face, ask face.Ask, fault sim.Fault, p counted, accepted int64) *reply {
	r := &reply{conn: c, face: f, ask: ask, fault: fault, input: p.tokens, hashes: p.hashes, cached: -1, close: req.Close}
	r.taken, r.left, r.done = true, make(chan struct{}), make(chan struct{})
	requestID := req.Header.Get("X-Request-ID")
	if requestID != "" {
		r.header = "X-Request-ID: " + requestID + "\r\n"
	}
	if c.s.settings.BlockSize() > 0 {
		r.cached = 0
	}
	if fault.Kind == sim.SlowHead {
		r.hold = accepted + fault.For
	}
	r.truth = c.s.truth.begin(Truth{RequestID: requestID, Endpoint: f.Name, Accepted: accepted, Arrived: c.ear.arrived(c.s.clock.now()), InputTokens: p.tokens, Items: itemsOf(f, ask)})
	return r
}

// itemsOf is what an answer that is no text has.
func itemsOf(f face.Face, ask face.Ask) int {
	if f.Answer == nil {
		return 0
	}
	return ask.Items()
}

// serve admits the request and answers it; it returns when all is written, or
// nobody listens any more.
func (r *reply) serve(f face.Face, accepted int64) bool {
	q := sim.Request{Input: r.input, Output: r.s.limit(r.ask.Limit, r.input), Hashes: r.hashes}
	at, ok := r.s.driver.admit(accepted, q, r)
	if !ok {
		r.finish(false)
		return false
	}
	r.truth.admitted(r.id, at, q.Output)
	if f.Shape != nil {
		r.shape = f.Shape(strconv.FormatUint(r.id, 16), time.Now().Unix(), r.ask.Model)
	}
	if r.ask.Stream {
		r.layHead()
	}
	r.start()
	// Whatever the client sends or does next is read here: the next request,
	// which waits, or its leaving, which frees what the reply holds at once.
	_, err := r.conn.r.Peek(1)
	if err != nil && r.leave() {
		r.finish(false)
	}
	<-r.done
	return r.alive && err == nil
}

// pump writes what is queued, unless somebody is at it.
func (r *reply) pump() {
	if r.take() {
		r.start()
	}
}

// start writes here as long as nothing has to wait. The caller has the outlet.
func (r *reply) start() {
	if r.canTry() {
		r.write(false)
	} else {
		r.s.work.Go(func() { r.write(true) })
	}
}

// write writes what is laid out and then what is queued, until the queue is
// empty or the reply is through. Where it must not wait and would have to, it
// hands on to a goroutine.
func (r *reply) write(mayWait bool) {
	for {
		if r.kind == "" && !r.lay() {
			if r.part > 0 && r.now.Last {
				r.finish(true)
				return
			}
			e, ok, gone := r.next()
			if gone {
				r.finish(false)
			}
			if !ok {
				return
			}
			r.now, r.part = e, 0
			if e.Cached > 0 {
				r.cached = e.Cached
			}
			continue
		}
		if r.fails() {
			r.raw.Close()
			r.finish(false)
			return
		}
		if !mayWait && r.hold > r.s.clock.now() {
			r.s.work.Go(func() { r.write(true) })
			return
		}
		sent, err := r.send(mayWait)
		if err != nil {
			r.finish(false)
			return
		}
		if !sent {
			r.s.work.Go(func() { r.write(true) })
			return
		}
	}
}

// send writes what is laid out and notes the clock around it. sent is false
// when it had to wait and must not: then it goes on from there.
func (r *reply) send(mayWait bool) (sent bool, err error) {
	if mayWait {
		r.wait()
	}
	if r.before == 0 {
		r.before = r.s.clock.now()
	}
	if mayWait {
		_, err = r.c.Write(r.rest)
		r.rest = nil
	} else {
		var n int
		n, err = r.try(r.rest)
		r.rest = r.rest[n:]
	}
	if err != nil || len(r.rest) > 0 {
		return false, err
	}
	r.truth.wrote(r.kind, r.due(), r.before, r.s.clock.now())
	r.kind, r.before = "", 0
	return true, nil
}

// due is when the engine wanted what is laid out to leave; 0 when it is none
// of the engine's.
func (r *reply) due() int64 {
	if r.kind == "text" || r.kind == "body" {
		return r.now.At
	}
	return 0
}

// finish closes the books of the reply. Who calls it has the outlet.
func (r *reply) finish(alive bool) {
	if !r.end() {
		return
	}
	if !alive {
		r.s.driver.cancel(r)
	}
	r.s.truth.end(r.truth, r.s.clock.now(), r.output, !alive)
	r.alive = alive
	if r.close {
		r.c.Close()
	}
	close(r.done)
}

// reason is why a reply of so many tokens ends.
func (r *reply) reason(output int) string {
	if output == r.ask.Limit {
		return "length"
	}
	return "stop"
}

// limit is the length of a reply to a prompt of this length: what the request
// allows, or what the preset and the context allow.
func (s *Server) limit(asked, input int) int {
	if longest := s.settings.Longest(); asked == 0 && longest > 0 {
		return min(s.settings.Output(), longest-input)
	}
	return asked
}

// whole is the text of a reply that is no stream.
func (r *reply) whole() string {
	return strings.TrimSpace(string(r.s.vocabulary.appendTo(nil, r.id, 0, r.output)))
}
