package simserver

// Scripted replies: exact bytes with exact write boundaries, for everything
// that a well-behaved engine never does. A request asks for one by the header
// X-Assay-Case or by the model "case/NAME".

import (
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"assay/internal/simserver/face"
)

const (
	caseHeader = "X-Assay-Case"
	caseModel  = "case/"
)

// A Case is one scripted reply.
type Case struct {
	Name  string
	About string
	Only  string // the endpoint it is for; "" for all
	Want  Want
	steps func(voice) []Step
}

// A Want is what a client must make of a case, in the words of its records.
type Want struct {
	Error   string // error kind; "" when the request is ok
	HTTP    int    // status of the answer; 0 when no head can be read
	Content string // kinds of the content-bearing events in order, by their first letters (text and tool share one): "rtt"
	Tokens  int    // output tokens by the best source; 0 where none can be told
}

// Steps are what the case sends to a request of this endpoint.
func (c Case) Steps(endpoint string) []Step { return c.steps(voice{chat: endpoint == "chat"}) }

// A Step is one write, or the end.
type Step struct {
	Wait  time.Duration // before it
	Bytes string        // in one write; with End: Close, both arrive together
	End   End
}

// End is how a step leaves the connection.
type End uint8

const (
	Open  End = iota
	Close     // orderly
	Reset     // by RST
	Hang      // silent until the client leaves
)

// caseOf tells which case a request asks for; "" for none.
func caseOf(req *http.Request, ask face.Ask) string {
	if name := req.Header.Get(caseHeader); name != "" {
		return name
	}
	if name, ok := strings.CutPrefix(ask.Model, caseModel); ok {
		return name
	}
	return ""
}

// play carries out a case and reports whether the connection can go on.
func (c *conn) play(req *http.Request, f face.Face, name string, accepted int64) bool {
	script, ok := findCase(name)
	if !ok || script.Only != "" && script.Only != f.Name || f.Name != "chat" && f.Name != "completions" {
		return c.refuse(http.StatusBadRequest, "there is no case "+name+" of "+f.Name)
	}
	truth := c.s.truth.begin(Truth{RequestID: req.Header.Get("X-Request-ID"), Endpoint: f.Name, Accepted: accepted, Arrived: c.ear.arrived(c.s.clock.now())})
	alive := true
	for _, step := range script.Steps(f.Name) {
		time.Sleep(step.Wait)
		if step.Bytes != "" {
			if step.End == Close {
				cork(c.raw)
			}
			before := c.s.clock.now()
			_, err := io.WriteString(c.c, step.Bytes)
			truth.wrote("raw", 0, before, c.s.clock.now())
			alive = err == nil
		}
		if alive = alive && step.End == Open; !alive {
			c.part(step.End)
			break
		}
	}
	c.s.truth.end(truth, c.s.clock.now(), 0, !alive)
	return alive
}

// part ends the connection as the step says.
func (c *conn) part(end End) {
	switch end {
	case Reset:
		if tcp, ok := c.raw.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
		c.raw.Close()
	case Hang:
		_, _ = c.r.ReadByte()
	}
}

func findCase(name string) (Case, bool) {
	for _, c := range Cases() {
		if c.Name == name {
			return c, true
		}
	}
	return Case{}, false
}
