// This file writes a request as the bytes that will go out, ahead of its time.

package http1

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"assay/internal/wire"
)

// Encode returns head and body of a request in one buffer, for one write. It
// adds Host, Content-Length and Accept-Encoding: identity (a compressed stream
// would hide when each event arrived) unless header names Host or
// Accept-Encoding. It refuses what would change the framing or break out of a
// header line.
func Encode(u *url.URL, method string, header [][2]string, body []byte) ([]byte, error) {
	return encode(u, u.RequestURI(), method, header, body)
}

// EncodeAbsolute is Encode for a proxy, which is told the server in the
// request's first line.
func EncodeAbsolute(u *url.URL, method string, header [][2]string, body []byte) ([]byte, error) {
	return encode(u, u.Scheme+"://"+u.Host+u.RequestURI(), method, header, body)
}

func encode(u *url.URL, target, method string, header [][2]string, body []byte) ([]byte, error) {
	host, err := wire.HostOf(u)
	if err != nil {
		return nil, err
	}
	if !wire.IsToken(method) {
		return nil, fmt.Errorf("method %q is not a token", method)
	}
	if !wire.IsVisible(target) {
		return nil, fmt.Errorf("path %q has characters that a request line can't hold", target)
	}
	coding := "identity"
	for _, h := range header {
		if err := wire.CheckHeader(h[0], h[1]); err != nil {
			return nil, err
		}
		switch strings.ToLower(h[0]) {
		case "host":
			host = ""
		case "accept-encoding":
			coding = ""
		}
	}
	b := make([]byte, 0, 256+len(target)+len(body)+64*len(header))
	b = append(b, method...)
	b = append(b, ' ')
	b = append(b, target...)
	b = append(b, " HTTP/1.1\r\n"...)
	b = appendHeader(b, "Host", host)
	for _, h := range header {
		b = appendHeader(b, h[0], h[1])
	}
	b = appendHeader(b, "Accept-Encoding", coding)
	if len(body) > 0 || method == "POST" || method == "PUT" || method == "PATCH" {
		b = appendHeader(b, "Content-Length", strconv.Itoa(len(body)))
	}
	b = append(b, "\r\n"...)
	return append(b, body...), nil
}

// appendHeader leaves a header out whose value is empty.
func appendHeader(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, strings.Trim(value, " \t")...)
	return append(b, "\r\n"...)
}
