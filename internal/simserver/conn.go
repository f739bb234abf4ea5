package simserver

import (
	"bufio"
	"bytes"
	"crypto/subtle"
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
	s      *Server
	raw    net.Conn // the socket under TLS
	c      net.Conn
	r      *bufio.Reader
	ear    *ear // of r; nil where the kernel gives no stamps
	body   bytes.Buffer
	out    []byte // the write under construction
	*trier        // nil where a write may have to wait
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
	if !req.ProtoAtLeast(1, 1) {
		return c.refuse(http.StatusHTTPVersionNotSupported, "this server speaks HTTP/1.1")
	}
	f, isFace := c.s.faces[req.URL.Path]
	if handle := pages[req.URL.Path]; handle != nil {
		if req.Method != http.MethodGet && req.Method != http.MethodHead {
			return c.refuse(http.StatusMethodNotAllowed, req.URL.Path+" is read with GET")
		}
		if req.URL.Path == "/v1/models" && !c.admitted(req) {
			return c.refuse(http.StatusUnauthorized, "a valid bearer token is needed")
		}
		return handle(c, req)
	}
	switch {
	case !isFace:
		return c.refuse(http.StatusNotFound, "there is nothing at "+req.URL.Path)
	case req.Method != http.MethodPost:
		return c.refuse(http.StatusMethodNotAllowed, req.URL.Path+" is asked with POST")
	case !c.admitted(req):
		return c.refuse(http.StatusUnauthorized, "a valid bearer token is needed")
	}
	return c.reply(req, f, accepted)
}

func (c *conn) admitted(req *http.Request) bool {
	key := c.s.config.APIKey
	return key == "" || subtle.ConstantTimeCompare([]byte(req.Header.Get("Authorization")), []byte("Bearer "+key)) == 1
}

// reply checks what is asked and serves it.
func (c *conn) reply(req *http.Request, f face.Face, accepted int64) bool {
	ask, err := f.Parse(c.body.Bytes())
	if name := caseOf(req, ask); name != "" {
		return c.play(req, f, name, accepted)
	}
	if err != nil {
		return c.refuse(http.StatusBadRequest, err.Error())
	}
	if known := c.s.config.Models; len(known) > 0 && !slices.Contains(known, ask.Model) {
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
