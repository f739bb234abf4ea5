package proxy

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestTheProxyIsThatOfTheEnvironment(t *testing.T) {
	env := map[string]string{"HTTPS_PROXY": "http://u:p@secure:3128", "http_proxy": "plain:8080", "NO_PROXY": "internal.test,.corp"}
	for address, want := range map[string]string{
		"https://far.test/v1":     "http://u:p@secure:3128",
		"http://far.test/v1":      "http://plain:8080",
		"http://internal.test/":   "",
		"https://x.corp/":         "",
		"http://127.0.0.1:8000/":  "",
		"http://localhost:8000/":  "",
		"https://internal.test:9": "",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := For(u, func(name string) string { return env[name] })
		text := ""
		if got != nil {
			text = got.String()
		}
		if err != nil || text != want {
			t.Errorf("For(%s) = %q, %v, want %q", address, text, err, want)
		}
	}
	u, _ := url.Parse("http://far.test")
	if p, err := For(u, func(string) string { return "" }); p != nil || err != nil {
		t.Errorf("without an environment: %v, %v", p, err)
	}
	if _, err := For(u, func(string) string { return "socks5://s:1080" }); err == nil || !strings.Contains(err.Error(), "socks5") {
		t.Errorf("a proxy that is not known: %v", err)
	}
}

// tunnel asks a proxy in virtual time, which answers so, for a connection.
func tunnel(t *testing.T, answer string, limit time.Duration) (asked *http.Request, rest string, at time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		l := memwire.Listen(func() int64 { return int64(time.Since(start)) }, memwire.Link{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			c, err := l.Accept()
			if err != nil {
				return
			}
			asked, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, answer) // what follows the head is in the same segment
			if answer == "" {
				_, _ = c.Read(make([]byte, 1)) // it says nothing until the other side goes
			}
			c.Close()
		}()
		p, _ := url.Parse("http://user:pass@proxy:3128")
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		c, _, dialed := Through(p, l.Dial, true)(ctx, "tcp", "server.test:443")
		at, err = time.Since(start), dialed
		if err == nil {
			all, _ := io.ReadAll(c)
			rest = string(all)
			c.Close()
		}
		l.Close()
		<-done
	})
	return asked, rest, at, err
}

func TestATunnelIsAskedForAndNothingBehindItsAnswerIsTaken(t *testing.T) {
	asked, rest, _, err := tunnel(t, "HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\nserver's own", time.Minute)
	if err != nil || rest != "server's own" {
		t.Fatalf("rest %q, %v", rest, err)
	}
	if asked.Method != "CONNECT" || asked.Host != "server.test:443" || asked.Header.Get("Proxy-Authorization") != "Basic dXNlcjpwYXNz" {
		t.Errorf("asked %s %s %v", asked.Method, asked.Host, asked.Header)
	}
}

func TestATunnelThatIsNotGrantedIsAConnectErrorWithTheProxysWord(t *testing.T) {
	for answer, says := range map[string]string{
		"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n":          "407 Proxy Authentication Required",
		"HTTP/1.1 200 OK\r\nHalf":                                     "EOF",
		"SSH-2.0-OpenSSH_9.2\r\n\r\n":                                 "SSH-2.0",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", longestAnswer): "no end",
		"": "deadline", // nothing, until the limit
	} {
		_, _, at, err := tunnel(t, answer, 20*time.Second)
		if wire.KindOf(err) != record.ErrConnect || !strings.Contains(err.Error(), says) {
			t.Errorf("after %.30q: %v (%s), want a connect error with %q", answer, err, wire.KindOf(err), says)
		}
		if answer == "" && at != 20*time.Second {
			t.Errorf("a silent proxy was waited for %v, want 20 s", at)
		}
	}
}
