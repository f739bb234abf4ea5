// This file writes a request as the bytes that will go out, ahead of its time.

package http1

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
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
	host, err := hostHeader(u)
	if err != nil {
		return nil, err
	}
	if !isToken(method) {
		return nil, fmt.Errorf("method %q is not a token", method)
	}
	if !isVisible(target) {
		return nil, fmt.Errorf("path %q has characters that a request line can't hold", target)
	}
	coding := "identity"
	for _, h := range header {
		if err := checkHeader(h[0], h[1]); err != nil {
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

func hostHeader(u *url.URL) (string, error) {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("scheme %q is neither http nor https", u.Scheme)
	case u.Hostname() == "":
		return "", errors.New("the URL names no host")
	case u.User != nil:
		return "", errors.New("the URL holds credentials, which are never sent from there")
	case !isVisible(u.Host):
		return "", fmt.Errorf("host %q is not ASCII: write it in its xn-- form", u.Host)
	}
	// A zone is this machine's business, not the server's.
	if from := strings.IndexByte(u.Host, '%'); from >= 0 {
		if to := strings.IndexByte(u.Host[from:], ']'); to >= 0 {
			return u.Host[:from] + u.Host[from+to:], nil
		}
	}
	return u.Host, nil
}

func checkHeader(name, value string) error {
	if !isToken(name) {
		return fmt.Errorf("header name %q is not a token", name)
	}
	switch strings.ToLower(name) {
	case "content-length", "transfer-encoding":
		return fmt.Errorf("header %s is set by the body", name)
	case "expect", "upgrade":
		return fmt.Errorf("header %s asks for an exchange of another kind", name)
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			// The value may be a secret: it is not shown.
			return fmt.Errorf("header %s: its value holds a control character (0x%02x)", name, c)
		}
	}
	return nil
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

func isVisible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}
