// This file is what a request may say about itself, in any version of HTTP.

package wire

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// HostOf is what a request names as the server's host.
func HostOf(u *url.URL) (string, error) {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("scheme %q is neither http nor https", u.Scheme)
	case u.Hostname() == "":
		return "", errors.New("the URL names no host")
	case u.User != nil:
		return "", errors.New("the URL holds credentials, which are never sent from there")
	case !IsVisible(u.Host):
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

// CheckHeader refuses what would change the framing or break out of its line.
func CheckHeader(name, value string) error {
	if !IsToken(name) {
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

// IsToken tells whether s can name a header or a method.
func IsToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// IsVisible tells whether s is ASCII without spaces, and not empty.
func IsVisible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}
