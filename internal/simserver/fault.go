package simserver

// What goes wrong on purpose: by the settings for some requests, or for one
// that asks for it in a header.

import (
	"net/http"
	"strconv"
	"time"

	"assay/internal/sim"
)

const faultHeader = "X-Assay-Fault"

// faultOf is the fault of a request: what its header asks for, or what the
// settings draw for it.
func (s *Server) faultOf(req *http.Request) (sim.Fault, error) {
	if text := req.Header.Get(faultHeader); text != "" {
		return s.settings.ParseFault(text)
	}
	return s.settings.Fault(s.requests.Add(1)), nil
}

// spoil answers a request whose fault leaves it no reply. done is false when
// there will be one.
func (c *conn) spoil(fault sim.Fault) (alive, done bool) {
	switch fault.Kind {
	case sim.ErrorFault:
		return c.complain(http.StatusInternalServerError, "server_error", "this request fails on purpose", nil), true
	case sim.RejectFault:
		seconds := (fault.For + int64(time.Second) - 1) / int64(time.Second)
		retry := []string{"Retry-After: " + strconv.FormatInt(seconds, 10)}
		return c.complain(http.StatusTooManyRequests, "rate_limit_error", "this request is turned away on purpose", retry), true
	case sim.Garbage:
		_, _ = c.c.Write([]byte("\x16\x03\x01 this is not HTTP, on purpose\r\n\r\n"))
		return false, true
	}
	return true, false
}

// fails tells whether the reply is to be cut before the write that is laid
// out; and it sets the hold of a stall.
func (r *reply) fails() bool {
	if r.kind != "text" && r.kind != "body" || r.before != 0 || r.stalled {
		return false
	}
	before := r.output - r.now.Tokens
	if r.kind == "body" {
		before = r.output
	}
	if before < r.fault.After {
		return false
	}
	switch r.fault.Kind {
	case sim.CutFault:
		r.output = before
		return true
	case sim.StallFault:
		r.stalled = true
		r.hold = r.s.clock.now() + r.fault.For
	}
	return false
}

// wait waits for the end of a hold, the client's leaving or the server's end.
func (r *reply) wait() {
	held := r.hold - r.s.clock.now()
	if held <= 0 {
		return
	}
	t := time.NewTimer(time.Duration(held))
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.left:
	case <-r.s.ended:
	}
}
