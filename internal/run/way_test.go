package run

import (
	"net/url"
	"strings"
	"testing"

	"assay/internal/contract"
	"assay/internal/dialect"
)

func TestASocketsAddressIsKeptFromTheContractToTheRecord(t *testing.T) {
	chat, ok := dialect.Find("chat")
	if !ok {
		t.Fatal("no chat")
	}
	for base, want := range map[string]string{
		"unix:/run/s.sock":          "unix:/run/s.sock:/v1/chat/completions",
		"unix:/run/s.sock:/base/v1": "unix:/run/s.sock:/base/v1/chat/completions",
	} {
		u, err := endpointURL(base, &contract.Target{}, chat)
		if err != nil {
			t.Fatal(err)
		}
		_, socket := cutSocket(base)
		full := joinSocket(u, socket)
		w, err := newWay(contract.Target{}, full, access{}, func(string) string { return "http://proxy:1" })
		if err != nil || full != want || w.shown() != want || w.socket != "/run/s.sock" || w.proxy != nil {
			t.Errorf("%s: %s, %+v, %v", base, full, w, err)
		}
		b, err := w.encode(nil, nil)
		if _, path, _ := strings.Cut(want, ".sock:"); err != nil || !strings.HasPrefix(string(b), "POST "+path+" HTTP/1.1\r\nHost: localhost\r\n") {
			t.Errorf("request %q, %v", b, err)
		}
	}
}

func TestAProxyReadsPlainRequestsAndTunnelsTheOthers(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"HTTP_PROXY": "http://me:secret@proxy:1", "HTTPS_PROXY": "http://proxy:2"}[name]
	}
	for _, c := range []struct {
		raw, proxy string
		target     contract.Target
		first      string
		authorized bool
	}{
		{"http://far/x", "proxy:1", contract.Target{}, "POST http://far/x HTTP/1.1", true},
		{"https://far/x", "proxy:2", contract.Target{}, "POST /x HTTP/1.1", false},
		{"http://far/x", "", contract.Target{Proxy: contract.NoProxy}, "POST /x HTTP/1.1", false},
		{"http://127.0.0.1/x", "", contract.Target{}, "POST /x HTTP/1.1", false},
	} {
		w, err := newWay(c.target, c.raw, access{}, env)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if w.proxy != nil {
			got = w.proxy.Host
		}
		b, err := w.encode(nil, nil)
		if err != nil || got != c.proxy || !strings.HasPrefix(string(b), c.first) || strings.Contains(string(b), "Proxy-Authorization: Basic") != c.authorized {
			t.Errorf("%s %s: proxy %q, request %q, %v", c.raw, c.target.Proxy, got, b, err)
		}
		if secrets := strings.Join(proxySecrets([]way{w}), " "); strings.Contains(secrets, "secret") != c.authorized {
			t.Errorf("%s: secrets %q", c.raw, secrets)
		}
	}
}

func TestTheTurnsOfASessionGoOneWayUnlessTheyAreScattered(t *testing.T) {
	l := &line{stream: &contract.Stream{}, round: round{0, 1, 2}}
	for turn := range 3 {
		if got := l.route(4, turn); got != 1 {
			t.Errorf("turn %d of session 4 goes to %d, want 1", turn, got)
		}
	}
	l.stream.Target.Affinity = contract.NoAffinity
	for turn, want := range []int{1, 2, 0} {
		if got := l.route(4, turn); got != want {
			t.Errorf("scattered: turn %d of session 4 goes to %d, want %d", turn, got, want)
		}
	}
	l.ways = []way{{}, {}, {url: &url.URL{Host: "third"}}}
	if one := l.only(2); one.route(7, 0) != 0 || one.ways[0].url.Host != "third" {
		t.Errorf("only the third: %+v", one)
	}
}
