package simserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"

	"assay/internal/simserver/face"
)

// maxBody bounds a request.
const maxBody = 64 << 20

// A conn is one connection with everything its requests need, reused from one
// to the next.
type conn struct {
	s     *Server
	raw   net.Conn // the socket under TLS
	c     net.Conn
	r     *bufio.Reader
	ear   *ear // of r; nil where the kernel gives no stamps
	body  bytes.Buffer
	out   []byte // the write under construction
	frame []byte // the event under construction

	refusal func(status int, kind, message string) []byte // of the face that is asked; nil: as OpenAI words it

	*trier // nil where a write may have to wait
}

func newConn(s *Server, raw, c net.Conn) *conn {
	made := &conn{s: s, raw: raw, c: c, ear: newEar(c), trier: newTrier(c)}
	var from io.Reader = c
	if made.ear != nil {
		from = made.ear
	}
	made.r = bufio.NewReaderSize(from, 4096)
	return made
}

// canTry tells whether a write need not wait.
func (c *conn) canTry() bool { return c.trier != nil }

// loop answers requests until one of the two sides has enough.
func (c *conn) loop() {
	for {
		req, err := http.ReadRequest(c.r)
		if err != nil {
			if !errors.Is(err, io.EOF) && !isNetwork(err) {
				c.refuse(http.StatusBadRequest, "this is not HTTP/1.1: "+err.Error())
			}
			return
		}
		if req.Header.Get("Expect") == "100-continue" {
			if _, err := io.WriteString(c.c, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
				return
			}
		}
		c.body.Reset()
		n, err := c.body.ReadFrom(io.LimitReader(req.Body, maxBody+1))
		if err != nil {
			return
		}
		accepted := c.s.clock.now()
		if n > maxBody {
			c.refuse(http.StatusRequestEntityTooLarge, "the body is too large")
			return
		}
		if !c.answer(req, accepted) || req.Close || !req.ProtoAtLeast(1, 1) {
			return
		}
	}
}

func isNetwork(err error) bool {
	var n net.Error
	return errors.As(err, &n)
}

// answer serves one request and reports whether the connection can go on.
func (c *conn) answer(req *http.Request, accepted int64) bool {
	c.refusal = nil
	if !req.ProtoAtLeast(1, 1) {
		return c.refuse(http.StatusHTTPVersionNotSupported, "this server speaks HTTP/1.1")
	}
	if handle := pages[req.URL.Path]; handle != nil {
		if req.Method != http.MethodGet && req.Method != http.MethodHead {
			return c.refuse(http.StatusMethodNotAllowed, req.URL.Path+" is read with GET")
		}
		if req.URL.Path == "/v1/models" && !c.admitted(req, anyPlace) {
			return c.refuse(http.StatusUnauthorized, "a valid bearer token is needed")
		}
		return handle(c, req)
	}
	if req.URL.Path == tokenizePath {
		return c.tokenize(req)
	}
	ways := c.s.waysTo(req.URL.Path)
	if len(ways) == 0 {
		return c.refuse(http.StatusNotFound, "there is nothing at "+req.URL.Path)
	}
	f, ask, err := c.understand(ways)
	c.refusal = f.Refusal
	switch {
	case req.Method != http.MethodPost:
		return c.refuse(http.StatusMethodNotAllowed, req.URL.Path+" is asked with POST")
	case !c.admitted(req, f.Keys):
		return c.refuse(http.StatusUnauthorized, "a valid bearer token is needed")
	}
	for _, name := range f.Needs {
		if req.Header.Get(name) == "" {
			return c.refuse(http.StatusBadRequest, name+": header is required")
		}
	}
	return c.reply(req, f, ask, err, accepted)
}

// anyPlace are those in which any API has the key.
var anyPlace = []string{"Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key", "?key"}

// reply checks what is asked and serves it; err is what is wrong with its body.
func (c *conn) reply(req *http.Request, f face.Face, ask face.Ask, err error, accepted int64) bool {
	if name := caseOf(req, ask); name != "" {
		return c.play(req, f, name, accepted)
	}
	if err != nil {
		return c.refuse(http.StatusBadRequest, err.Error())
	}
	if known := c.s.config.Models; len(known) > 0 && ask.Model != "" && !slices.Contains(known, ask.Model) {
		return c.refuse(http.StatusNotFound, "the model `"+ask.Model+"` does not exist")
	}
	prompt := c.s.read(f, ask)
	input := prompt.tokens
	if longest := c.s.settings.Longest(); longest > 0 && max(1, input)+max(1, ask.Limit) > longest {
		return c.refuse(http.StatusBadRequest, fmt.Sprintf("%d tokens and a reply of %d are more than the %d of this model's context", input, max(1, ask.Limit), longest))
	}
	fault, err := c.s.faultOf(req)
	if err != nil {
		return c.refuse(http.StatusBadRequest, faultHeader+": "+err.Error())
	}
	if alive, done := c.spoil(fault); done {
		return alive
	}
	return c.begin(req, f, ask, fault, prompt, accepted).serve(f, accepted)
}
