// Package proxy finds the proxy that the environment names for an address, and
// goes through it: for https by a tunnel (CONNECT), so that TLS is the
// server's own. It refuses proxies that are not spoken to in plain HTTP.
package proxy

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpproxy"

	"assay/internal/record"
	"assay/internal/wire"
)

// For is the proxy for u by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in capitals
// or not; nil for none. Loopback addresses never have one.
func For(u *url.URL, env func(string) string) (*url.URL, error) {
	either := func(name, small string) string {
		if v := env(name); v != "" {
			return v
		}
		return env(small)
	}
	c := httpproxy.Config{
		HTTPProxy:  either("HTTP_PROXY", "http_proxy"),
		HTTPSProxy: either("HTTPS_PROXY", "https_proxy"),
		NoProxy:    either("NO_PROXY", "no_proxy"),
	}
	p, err := c.ProxyFunc()(u)
	if err != nil || p == nil {
		return nil, err
	}
	if p.Scheme != "http" {
		return nil, fmt.Errorf("the proxy %s is spoken to by %s: only http is known", p.Redacted(), p.Scheme)
	}
	return p, nil
}

// Authorization is the value of Proxy-Authorization; "" where the proxy's URL
// holds no credentials.
func Authorization(p *url.URL) string {
	if p.User == nil {
		return ""
	}
	password, _ := p.User.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(p.User.Username()+":"+password))
}

// A Dial makes a connection that stamps what it receives.
type Dial = func(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error)

// Through has dial connect to the proxy. With a tunnel what it returns is a
// connection to the address that was asked for; without, the proxy reads
// requests of its own form.
func Through(p *url.URL, dial Dial, tunnel bool) Dial {
	via := p.Host
	if p.Port() == "" {
		via = net.JoinHostPort(p.Hostname(), "80")
	}
	return func(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error) {
		c, times, err := dial(ctx, network, via)
		if err != nil || !tunnel {
			return c, times, err
		}
		// The connection's own deadline does the waiting, so that ctx may end it.
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		err = connect(c, addr, Authorization(p))
		if !stop() {
			err = ctx.Err()
		}
		if err != nil {
			_ = c.Close()
			return nil, times, refused(err)
		}
		return c, times, nil
	}
}

func refused(err error) error {
	if errors.Is(err, context.Canceled) {
		return wire.DialError(err)
	}
	return &wire.Error{Kind: record.ErrConnect, Err: fmt.Errorf("through the proxy: %w", err)}
}

// longestAnswer bounds what a proxy may say before the tunnel stands.
const longestAnswer = 16 << 10

// connect asks for a tunnel to addr. The answer is read byte by byte: what
// follows it is the server's.
func connect(c net.Conn, addr, authorization string) error {
	request := "CONNECT " + addr + " HTTP/1.1\r\nHost: " + addr + "\r\n"
	if authorization != "" {
		request += "Proxy-Authorization: " + authorization + "\r\n"
	}
	if _, err := c.Write([]byte(request + "\r\n")); err != nil {
		return err
	}
	head := make([]byte, 0, 256)
	for {
		var b [1]byte
		n, err := c.Read(b[:])
		if err != nil {
			return err
		}
		head = append(head, b[:n]...)
		if len(head) > longestAnswer {
			return errors.New("its answer has no end")
		}
		if ended(head) {
			return granted(head)
		}
	}
}

func ended(head []byte) bool {
	n := len(head)
	return n >= 4 && string(head[n-4:]) == "\r\n\r\n" || n >= 2 && string(head[n-2:]) == "\n\n"
}

// granted is nil for an answer that begins a tunnel.
func granted(head []byte) error {
	major, _, ok := http.ParseHTTPVersion(firstWord(head))
	if !ok || major != 1 {
		return fmt.Errorf("it answered %q", head[:min(len(head), 40)])
	}
	var status int
	if _, err := fmt.Sscanf(string(head[len(firstWord(head)):]), "%d", &status); err != nil {
		return fmt.Errorf("it answered %q", head[:min(len(head), 40)])
	}
	if status/100 != 2 {
		return fmt.Errorf("it answered %d %s", status, http.StatusText(status))
	}
	return nil
}

func firstWord(head []byte) string {
	for i, b := range head {
		if b == ' ' {
			return string(head[:i])
		}
	}
	return ""
}
