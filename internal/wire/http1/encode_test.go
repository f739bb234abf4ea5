// This file tests requests against the parser of net/http.

package http1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnEncodedRequestIsWhatNetHTTPUnderstands(t *testing.T) {
	u, err := url.Parse("http://server.test:8000/v1/chat%20x/\u00e4?a=b&c=%2F")
	if err != nil {
		t.Fatal(err)
	}
	body := `{"a":"b"}`
	b, err := Encode(u, "POST", [][2]string{{"Content-Type", "application/json"}, {"X-Request-ID", "7"}, {"x-empty", ""}}, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b)))
	if err != nil {
		t.Fatalf("net/http: %v in %q", err, b)
	}
	got, err := io.ReadAll(req.Body)
	if err != nil || string(got) != body {
		t.Errorf("body %q, %v; want %q", got, err, body)
	}
	if req.Method != "POST" || req.Host != "server.test:8000" || req.RequestURI != "/v1/chat%20x/%C3%A4?a=b&c=%2F" || req.Proto != "HTTP/1.1" {
		t.Errorf("%s %s %s, host %s", req.Method, req.RequestURI, req.Proto, req.Host)
	}
	want := http.Header{
		"Content-Type": {"application/json"}, "X-Request-Id": {"7"},
		"Accept-Encoding": {"identity"}, "Content-Length": {"9"},
	}
	if diff := cmp.Diff(want, req.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestEncodeIsExact(t *testing.T) {
	for _, c := range []struct {
		url, method, body, want string
		header                  [][2]string
	}{
		{url: "http://a", method: "GET", want: "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n"},
		{url: "https://a/x#frag", method: "POST", want: "POST /x HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\nContent-Length: 0\r\n\r\n"},
		{url: "http://[fe80::1%25eth0]:80/", method: "GET", want: "GET / HTTP/1.1\r\nHost: [fe80::1]:80\r\nAccept-Encoding: identity\r\n\r\n"},
		{url: "http://a", method: "GET", header: [][2]string{{"host", "b"}, {"accept-encoding", "gzip"}}, want: "GET / HTTP/1.1\r\nhost: b\r\naccept-encoding: gzip\r\n\r\n"},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Encode(u, c.method, c.header, []byte(c.body))
		if err != nil || string(got) != c.want {
			t.Errorf("Encode(%s) = %q, %v; want %q", c.url, got, err, c.want)
		}
	}
}

func TestEncodeRefusesWhatWouldBreakTheRequest(t *testing.T) {
	ok := "http://a/"
	for _, c := range []struct {
		url, method, name, value string
	}{
		{ok, "POST", "X-A", "b\r\nX-C: d"}, {ok, "POST", "X-A", "b\nX-C: d"}, {ok, "POST", "X-A", "b\rc"}, {ok, "POST", "X-A", "\x00"}, {ok, "POST", "X-A", "\x7f"},
		{ok, "POST", "X A", "b"}, {ok, "POST", "X-A:", "b"}, {ok, "POST", "", "b"}, {ok, "POST", "X\r\n", "b"}, {ok, "POST", "\u00e4", "b"},
		{ok, "POST", "Content-Length", "5"}, {ok, "POST", "transfer-encoding", "chunked"}, {ok, "POST", "Expect", "100-continue"}, {ok, "POST", "Upgrade", "h2c"},
		{ok, "PO ST", "X-A", "b"}, {ok, "", "X-A", "b"},
		{"ftp://a/", "GET", "X-A", "b"}, {"http:///x", "GET", "X-A", "b"}, {"http://user:secret@a/", "GET", "X-A", "b"}, {"http://b\u00fccher.test/", "GET", "X-A", "b"},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Encode(u, c.method, [][2]string{{c.name, c.value}}, nil)
		if err == nil {
			t.Errorf("Encode(%q, %q, %q: %q) = %q, want an error", c.url, c.method, c.name, c.value, got)
		} else if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "X-C") {
			t.Errorf("the error shows the value: %v", err)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("/v1/x?y=z", "POST", "X-A", "b", []byte("{}"))
	f.Add("/a b", "GET", "Cookie", "\t x ", []byte(nil))
	f.Fuzz(func(t *testing.T, path, method, name, value string, body []byte) {
		u := &url.URL{Scheme: "http", Host: "server.test", Path: "/" + path}
		b, err := Encode(u, method, [][2]string{{name, value}}, body)
		if err != nil || method == "CONNECT" || strings.EqualFold(name, "host") {
			return
		}
		br := bufio.NewReader(bytes.NewReader(b))
		req, err := http.ReadRequest(br)
		if err != nil {
			t.Fatalf("net/http: %v in %q", err, b)
		}
		got, err := io.ReadAll(req.Body)
		if err != nil || !bytes.Equal(got, body) || req.Method != method || req.Host != "server.test" {
			t.Errorf("%q: method %q, host %q, body %q, %v", b, req.Method, req.Host, got, err)
		}
		if v := strings.Trim(value, " \t"); v != "" && strings.TrimSpace(req.Header.Get(name)) != strings.TrimSpace(v) && !strings.EqualFold(name, "connection") {
			t.Errorf("%q: header %q = %q, want %q", b, name, req.Header.Get(name), v)
		}
		if br.Buffered() != 0 {
			t.Errorf("%q: %d bytes behind the request", b, br.Buffered())
		}
	})
}

func TestAProxyIsToldTheServerInTheFirstLine(t *testing.T) {
	u, err := url.Parse("http://far.test:81/v1/x?y=1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := EncodeAbsolute(u, "POST", nil, []byte("{}"))
	if want := "POST http://far.test:81/v1/x?y=1 HTTP/1.1\r\nHost: far.test:81\r\n"; err != nil || !strings.HasPrefix(string(b), want) {
		t.Errorf("EncodeAbsolute = %q, %v, want it to begin with %q", b, err, want)
	}
}
