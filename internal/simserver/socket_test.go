package simserver

// What only a bare socket shows: bytes, boundaries, and the ends of connections.

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"assay/internal/sim"
)

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func ask(path, body string, headers ...string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s", path, strings.Join(headers, ""), len(body), body)
}

func TestAConnectionServesOneRequestAfterAnother(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	c := dial(t, address)
	r := bufio.NewReader(c)
	whole := strings.Replace(chatAsk, `"stream":true,"stream_options":{"include_usage":true},`, "", 1)
	// Streamed, whole, refused, and two that come together.
	requests := []string{ask("/v1/chat/completions", chatAsk), ask("/v1/chat/completions", whole), ask("/nowhere", "{}"), "GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n"}
	for _, request := range requests {
		io.WriteString(c, request)
		for range strings.Count(request, "HTTP/1.1\r\n") {
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatalf("after %.40q: %v", request, err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatalf("after %.40q: %v", request, err)
			}
		}
	}
	io.WriteString(c, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	if _, err := http.ReadResponse(r, nil); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "ok\n" {
		t.Errorf("after Connection: close come %q, %v, want the body and the end", rest, err)
	}
}

func TestAnInterimAnswerIsGivenToWhoExpectsOne(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	c := dial(t, address)
	io.WriteString(c, "POST /v1/completions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 26\r\n\r\n")
	r := bufio.NewReader(c)
	if line, err := r.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("before the body comes %q, %v", line, err)
	}
	r.ReadString('\n')
	io.WriteString(c, `{"model":"m","prompt":"a"}`)
	if resp, err := http.ReadResponse(r, nil); err != nil || resp.StatusCode != 200 {
		t.Errorf("after the body comes %v, %v", resp, err)
	}
}

func TestWhatIsNotHTTPIsRefused(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	for request, want := range map[string]string{
		"hello\r\n\r\n": "HTTP/1.1 400 ",
		"GET /health HTTP/1.0\r\nHost: x\r\n\r\n":    "HTTP/1.1 505 ",
		"GET /health HTTP/1.1\r\nno colon\r\n\r\n\n": "HTTP/1.1 400 ",
	} {
		c := dial(t, address)
		io.WriteString(c, request)
		if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%q is answered %q, %v, want %s", request, got, err, want)
		}
	}
}

func TestAClientThatLeavesIsForgotten(t *testing.T) {
	s, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1ms", "itl": "1ms"}})
	c := dial(t, address)
	io.WriteString(c, ask("/v1/completions", `{"model":"m","prompt":"a","stream":true,"max_tokens":1000000000}`, "X-Request-ID: gone\r\n"))
	if _, err := c.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
	s.truth.settle()
	entries, _ := s.truth.snapshot()
	if len(entries) != 1 || entries[0].truth.Ended == nil || !entries[0].truth.Cut {
		t.Errorf("the truth of a client that left is %+v, want a reply that was cut", entries[0].truth)
	}
	s.driver.mu.Lock()
	defer s.driver.mu.Unlock()
	if len(s.driver.streams) != 0 || s.driver.engine.Next() != sim.Never {
		t.Error("the engine still makes tokens for a client that left")
	}
}

func TestTheServerEndsThoughTheFirstTokenIsAnHourAway(t *testing.T) {
	_, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1h"}})
	c := dial(t, address)
	io.WriteString(c, ask("/v1/completions", completionAsk))
	if _, err := c.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
}

func TestHTTPSIsServedWithACertificateOfItsOwn(t *testing.T) {
	pair, pem, err := SelfSigned("127.0.0.1", "localhost")
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, Config{Preset: "null", TLS: &tls.Config{Certificates: []tls.Certificate{pair}}})
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatal("the certificate is not PEM")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport}
	resp, err := client.Post("https://"+address+"/v1/completions", "application/json", strings.NewReader(completionAsk))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || len(listen(t, string(body))) != 8 {
		t.Errorf("over TLS comes %s, %v", body, err)
	}
	if _, err := http.Get("https://" + address + "/health"); err == nil {
		t.Error("a stranger's certificate is trusted")
	}
}

func TestEveryCaseSendsItsBytesAndItsEnd(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	names := map[string]bool{}
	for _, script := range Cases() {
		if names[script.Name] || script.About == "" {
			t.Errorf("case %s is there twice or says nothing of itself", script.Name)
		}
		names[script.Name] = true
		for path, endpoint := range map[string]string{"/v1/chat/completions": "chat", "/v1/completions": "completions"} {
			if script.Only != "" && script.Only != endpoint {
				continue
			}
			t.Run(script.Name+"/"+endpoint, func(t *testing.T) {
				t.Parallel()
				c := dial(t, address)
				io.WriteString(c, ask(path, `{"model":"case/`+script.Name+`","messages":[{"content":"a"}],"prompt":"a"}`))
				checkCase(t, c, script.Steps(endpoint))
			})
		}
	}
}

func checkCase(t *testing.T, c net.Conn, steps []Step) {
	t.Helper()
	want, end := "", Open
	for _, s := range steps {
		want, end = want+s.Bytes, s.End
	}
	got := make([]byte, len(want))
	if n, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, []byte(want)) {
		t.Fatalf("the case sends %.200q (%v), want %.200q", got[:n], err, want)
	}
	if end == Hang {
		return
	}
	if end == Open {
		// The connection still serves.
		io.WriteString(c, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	}
	rest, err := io.ReadAll(c)
	if reset := errors.Is(err, syscall.ECONNRESET); reset != (end == Reset) || err != nil && !reset {
		t.Errorf("the connection ends with %v, want the end %d", err, end)
	}
	if served := strings.HasSuffix(string(rest), "ok\n"); served != (end == Open) {
		t.Errorf("after the case comes %q", rest)
	}
}

func TestACaseCanBeAskedForByHeaderAndAnUnknownOneIsRefused(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	if status, _, _ := post(t, address, "/v1/completions", `{"model":"m","prompt":"a"}`, caseHeader, "status-503"); status != 503 {
		t.Errorf("status = %d, want 503", status)
	}
	for _, name := range []string{"nothing", "tool-calls"} {
		if status, body, _ := post(t, address, "/v1/completions", completionAsk, caseHeader, name); status != 400 || !strings.Contains(body, "there is no case "+name+" of completions") {
			t.Errorf("case %s = %d %s, want a refusal", name, status, body)
		}
	}
}
