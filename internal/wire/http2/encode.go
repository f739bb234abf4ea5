// This file writes a request as the bytes that will go out, ahead of its time,
// but for what only its connection knows: the stream's number and the windows.

package http2

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	h2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"assay/internal/wire"
)

// perConnection are headers that HTTP/2 has no place for.
var perConnection = map[string]bool{"connection": true, "keep-alive": true, "proxy-connection": true, "te": true}

// Encode returns head and body of a request: four bytes that hold the head's
// length, the head, the body. It adds content-length and accept-encoding:
// identity (a compressed stream would hide when each event arrived) unless
// header names that, and takes Host as the authority. Fields are written so
// that no later one depends on them: then any connection can carry them.
func Encode(u *url.URL, method string, header [][2]string, body []byte) ([]byte, error) {
	host, err := wire.HostOf(u)
	if err != nil {
		return nil, err
	}
	if !wire.IsToken(method) {
		return nil, fmt.Errorf("method %q is not a token", method)
	}
	path := u.RequestURI()
	if !wire.IsVisible(path) {
		return nil, fmt.Errorf("path %q has characters that a request can't hold", path)
	}
	fields, coding := [][2]string{}, "identity"
	for _, h := range header {
		name, value := strings.ToLower(h[0]), strings.Trim(h[1], " \t")
		if err := wire.CheckHeader(h[0], h[1]); err != nil {
			return nil, err
		}
		switch {
		case perConnection[name]:
			return nil, fmt.Errorf("header %s is of a connection, and HTTP/2 has no place for it", h[0])
		case name == "host":
			host = value
			continue
		case name == "accept-encoding":
			coding = ""
		}
		fields = append(fields, [2]string{name, value})
	}
	fields = append(fields, [2]string{"accept-encoding", coding})
	if len(body) > 0 || method == "POST" || method == "PUT" || method == "PATCH" {
		fields = append(fields, [2]string{"content-length", strconv.Itoa(len(body))})
	}
	pseudo := [][2]string{{":method", method}, {":scheme", u.Scheme}, {":authority", host}, {":path", path}}
	return assemble(append(pseudo, fields...), body)
}

func assemble(fields [][2]string, body []byte) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, lengthSize))
	e := hpack.NewEncoder(&b)
	for _, f := range fields {
		if f[1] == "" {
			continue
		}
		// "Sensitive" keeps a field out of the tables that the ends share.
		if err := e.WriteField(hpack.HeaderField{Name: f[0], Value: f[1], Sensitive: true}); err != nil {
			return nil, fmt.Errorf("header %s: %w", f[0], err)
		}
	}
	head := b.Len() - lengthSize
	out := append(b.Bytes(), body...)
	binary.BigEndian.PutUint32(out, uint32(head))
	return out, nil
}

const lengthSize = 4

// parts are the head and the body of an encoded request.
func parts(request []byte) (head, body []byte, err error) {
	if len(request) < lengthSize {
		return nil, nil, fmt.Errorf("internal error: a request of %d bytes", len(request))
	}
	n := int(binary.BigEndian.Uint32(request))
	if n > len(request)-lengthSize {
		return nil, nil, fmt.Errorf("internal error: a head of %d bytes in a request of %d", n, len(request))
	}
	return request[lengthSize : lengthSize+n], request[lengthSize+n:], nil
}

// Decode is what an encoded request says, for showing it.
func Decode(request []byte) (fields [][2]string, body []byte, err error) {
	head, body, err := parts(request)
	if err != nil {
		return nil, nil, err
	}
	all, err := hpack.NewDecoder(0, nil).DecodeFull(head)
	if err != nil {
		return nil, nil, fmt.Errorf("internal error: an encoded head: %w", err)
	}
	for _, f := range all {
		fields = append(fields, [2]string{f.Name, f.Value})
	}
	return fields, body, nil
}

// appendFrame appends one frame.
func appendFrame(b []byte, kind h2.FrameType, flags h2.Flags, stream uint32, payload ...byte) []byte {
	n := len(payload)
	b = append(b, byte(n>>16), byte(n>>8), byte(n), byte(kind), byte(flags))
	b = binary.BigEndian.AppendUint32(b, stream)
	return append(b, payload...)
}

// appendHead appends the head of a stream, in as many frames as it needs.
func appendHead(b []byte, stream uint32, head []byte, end bool, largest int) []byte {
	kind, flags := h2.FrameHeaders, h2.Flags(0)
	if end {
		flags = h2.FlagHeadersEndStream
	}
	for {
		n := min(len(head), largest)
		if n == len(head) {
			flags |= h2.FlagHeadersEndHeaders // the same bit in a continuation
		}
		b = appendFrame(b, kind, flags, stream, head[:n]...)
		if head = head[n:]; len(head) == 0 {
			return b
		}
		kind, flags = h2.FrameContinuation, 0
	}
}

// appendBody appends body bytes of a stream, in as many frames as they need.
func appendBody(b []byte, stream uint32, body []byte, end bool, largest int) []byte {
	for len(body) > 0 {
		n, flags := min(len(body), largest), h2.Flags(0)
		if end && n == len(body) {
			flags = h2.FlagDataEndStream
		}
		b = appendFrame(b, h2.FrameData, flags, stream, body[:n]...)
		body = body[n:]
	}
	return b
}

func word(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
