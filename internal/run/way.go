package run

// A way is how requests reach one address: over TCP or a socket of this
// machine, through a proxy or not, with TLS or without.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/dispatch"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/wire/http2"
	"assay/internal/wire/proxy"
)

// connectLimit bounds how long a connection may take to be made.
const connectLimit = 10 * time.Second

// A way is one address of a stream.
type way struct {
	target contract.Target
	url    *url.URL // whose host is localhost where there is a socket
	socket string   // its path; "" over TCP
	proxy  *url.URL // nil without
}

// newWay is the way to a full address, which may be that of a socket.
func newWay(t contract.Target, raw string, a access, env func(string) string) (way, error) {
	w := way{target: t}
	address, socket := cutSocket(raw)
	u, err := url.Parse(address)
	if err != nil {
		return way{}, usage(fmt.Errorf("target url %q: %w", raw, err), "")
	}
	w.url, w.socket = a.address(u, t.Model), socket
	if w.proxy, err = proxyFor(t, raw, env); err == nil && w.plain() && w.two() {
		err = usage(fmt.Errorf("the proxy %s does not carry HTTP/2 to %s without TLS", w.proxy.Redacted(), u.Host), "go without: --set target.proxy=none")
	}
	return w, err
}

// two tells whether HTTP/2 is spoken.
func (w *way) two() bool { return w.target.HTTP == contract.HTTP2 }

// proxyFor is the proxy to an address; nil for none.
func proxyFor(t contract.Target, raw string, env func(string) string) (*url.URL, error) {
	address, socket := cutSocket(raw)
	u, err := url.Parse(address)
	if err != nil || socket != "" || t.Proxy == contract.NoProxy {
		return nil, nil // what is wrong with the address is said elsewhere
	}
	p, err := proxy.For(u, env)
	if err != nil {
		return nil, usage(fmt.Errorf("a proxy of the environment: %w", err), "go without: --set target.proxy=none")
	}
	return p, nil
}

// proxySecrets are what the ways' proxies are shown and nobody else.
func proxySecrets(ways []way) []string {
	var secrets []string
	for _, w := range ways {
		if w.proxy == nil || w.proxy.User == nil {
			continue
		}
		secrets = append(secrets, proxy.Authorization(w.proxy))
		if password, ok := w.proxy.User.Password(); ok && password != "" {
			secrets = append(secrets, password)
		}
	}
	return secrets
}

// proxyNotes says which proxies stand between this client and the servers.
func proxyNotes(c *contract.Contract, s *servers) []string {
	var notes []string
	for i := range c.Streams {
		for _, raw := range s.urls[c.Streams[i].Name] {
			p, err := proxyFor(c.Streams[i].Target, raw, os.Getenv)
			u, bad := url.Parse(raw)
			if err != nil || p == nil || bad != nil {
				continue
			}
			if note := p.Scheme + "://" + p.Host + " before " + u.Scheme + "://" + u.Host; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// cutSocket parts unix:SOCKET:PATH into an HTTP address and the socket; any
// other address has none.
func cutSocket(raw string) (address, socket string) {
	rest, ok := strings.CutPrefix(raw, "unix:")
	if !ok {
		return raw, ""
	}
	socket, path, _ := strings.Cut(rest, ":")
	return "http://localhost" + path, socket
}

// joinSocket is its inverse.
func joinSocket(u *url.URL, socket string) string {
	if socket == "" {
		return u.String()
	}
	return "unix:" + socket + ":" + u.RequestURI()
}

// shown is the address as records have it.
func (w *way) shown() string {
	if w.socket == "" {
		return shown(w.url)
	}
	return "unix:" + w.socket + ":" + w.url.Path
}

// plain tells whether a proxy reads the requests themselves.
func (w *way) plain() bool { return w.proxy != nil && w.url.Scheme == "http" }

// encode makes the bytes of a request.
func (w *way) encode(headers [][2]string, body []byte) ([]byte, error) {
	if w.two() {
		return http2.Encode(w.url, "POST", headers, body)
	}
	if w.target.Connections == contract.PerRequest {
		headers = append(headers, [2]string{"Connection", "close"}) // so the server need not wait for another
	}
	if !w.plain() {
		return http1.Encode(w.url, "POST", headers, body)
	}
	if auth := proxy.Authorization(w.proxy); auth != "" {
		headers = append(headers, [2]string{"Proxy-Authorization", auth})
	}
	return http1.EncodeAbsolute(w.url, "POST", headers, body)
}

// dial is how a connection of the way is made.
func (w *way) dial(dialer *wire.Dialer) proxy.Dial {
	switch {
	case w.socket != "":
		return func(ctx context.Context, _, _ string) (wire.Conn, wire.DialTimes, error) {
			return dialer.DialContext(ctx, "unix", w.socket)
		}
	case w.proxy != nil:
		return proxy.Through(w.proxy, dialer.DialContext, !w.plain())
	}
	return dialer.DialContext
}

// open makes a pool without connections.
func (w *way) open(now wire.Clock, dialer *wire.Dialer) (dispatch.Target, error) {
	trust, err := tlsFor(w.target)
	if err != nil {
		return dispatch.Target{}, err
	}
	var pool wire.Pool
	if w.two() {
		pool = http2.NewPool(http2.Config{
			URL: w.url, TLS: trust, Dial: w.dial(dialer), Now: now, ConnectLimit: connectLimit,
			Policy: policyOf(w.target), Streams: w.target.Multiplex,
		})
	} else {
		pool = http1.NewPool(http1.Config{
			URL: w.url, TLS: trust, Dial: w.dial(dialer), Now: now, ConnectLimit: connectLimit, Policy: policyOf(w.target),
		})
	}
	return dispatch.Target{URL: w.shown(), Pool: pool}, nil
}

// readable is an encoded request as people read it.
func (w *way) readable(request []byte) string {
	if !w.two() {
		return string(request)
	}
	fields, body, err := http2.Decode(request)
	if err != nil {
		return err.Error()
	}
	text := ""
	for _, f := range fields {
		text += f[0] + ": " + f[1] + "\r\n"
	}
	return text + "\r\n" + string(body)
}

// client asks what is not measured: the models, the health.
func (w *way) client() (*http.Client, error) {
	config, err := tlsFor(w.target)
	if err != nil {
		return nil, err
	}
	t := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}
	if w.two() {
		t.Protocols = &http.Protocols{}
		t.Protocols.SetHTTP2(true)
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	if w.socket != "" {
		t.DialContext = dialSocket(w.socket)
	}
	if w.proxy != nil {
		t.Proxy = http.ProxyURL(w.proxy)
	}
	return &http.Client{Transport: t}, nil
}

// clientFor is that of a base.
func clientFor(t contract.Target, base string, a access) (*http.Client, error) {
	w, err := newWay(t, base, a, os.Getenv)
	if err != nil {
		return nil, err
	}
	return w.client()
}

// policyOf is how a target's requests share connections.
func policyOf(t contract.Target) wire.Policy {
	switch t.Connections {
	case contract.PerRequest:
		return wire.PerRequest
	case contract.Sticky:
		return wire.Sticky
	}
	return wire.Pooled
}

// targets opens a pool for each address.
func (l *line) targets(now wire.Clock, dialer *wire.Dialer) ([]dispatch.Target, error) {
	var out []dispatch.Target
	for i := range l.ways {
		t, err := l.ways[i].open(now, dialer)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
