package contract

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestHowRequestsTravelHasDefaults(t *testing.T) {
	c := resolved(t, "target: {url: [http://a, http://b], wait_for: health, model: m}\ntraffic: {rate: 1/s}\n")
	got := c.Streams[0].Target
	if got.HTTP != HTTP1 || got.Multiplex != 0 {
		t.Errorf("http %q, multiplex %d", got.HTTP, got.Multiplex)
	}
	if two := resolved(t, "target: {url: http://a, http: 2}\ntraffic: {rate: 1/s}\n").Streams[0].Target; two.HTTP != HTTP2 || two.Multiplex != 1 {
		t.Errorf("http 2: %+v", two)
	}
	if got.Connections != Pooled || got.Proxy != FromEnvironment || got.Affinity != BySession || got.WaitLimit != waitLimit || got.Weights != nil {
		t.Errorf("target = %+v", got)
	}
	if one := resolved(t, "target: {url: http://a}\ntraffic: {rate: 1/s}\n").Streams[0].Target; one.Affinity != "" || one.WaitLimit != 0 {
		t.Errorf("of one URL without a wait: %+v", one)
	}
}

func TestASocketIsAnAddress(t *testing.T) {
	for address, name := range map[string]string{"unix:/run/vllm.sock": "vllm.sock", "unix:/run/a/b.sock:/base": "b.sock"} {
		c := resolved(t, "target: {url: \""+address+"\"}\ntraffic: {rate: 1/s}\n")
		if c.Streams[0].Target.URL[0] != address || c.Name != name {
			t.Errorf("%s: url %v, name %q, want %q", address, c.Streams[0].Target.URL, c.Name, name)
		}
	}
}

func TestWhatCannotTravelIsRefused(t *testing.T) {
	for _, c := range []struct{ target, traffic, says string }{
		{"url: http://a, connections: stciky", "rate: 1/s", "did you mean sticky?"},
		{"url: http://a, connections: sticky", "rate: 1/s", "nobody to stick to"},
		{"url: [http://a, http://b], weights: [1]", "rate: 1/s", "has 1 numbers for 2 URLs"},
		{"url: [http://a, http://b], weights: [1, 0]", "rate: 1/s", "0 is no weight"},
		{"url: [http://a, http://b], weights: [1, 2000]", "rate: 1/s", "2000 is no weight"},
		{"url: http://a, weights: [1, 2]", "rate: 1/s", "has 2 numbers for 1 URLs"},
		{"url: http://a, affinity: session", "rate: 1/s", "is of several URLs"},
		{"url: [http://a, http://b], affinity: sesion", "rate: 1/s", "did you mean session?"},
		{"url: https://a, cert_file: me.pem", "rate: 1/s", "key_file: is missing"},
		{"url: https://a, key_file: me.pem", "rate: 1/s", "cert_file: is missing"},
		{"url: http://a, proxy: off", "rate: 1/s", "known are environment, none"},
		{"url: http://a, http: 3", "rate: 1/s", "did you mean 2?"},
		{"url: http://a, multiplex: 4", "rate: 1/s", "write http: 2"},
		{"url: http://a, http: 2, multiplex: 0", "rate: 1/s", "is zero"},
		{"url: http://a, http: 2, multiplex: 5000", "rate: 1/s", "5000 requests can't share"},
		{"url: http://a, wait_limit: 1m", "rate: 1/s", "there is none"},
		{"url: http://a, wait_for: model", "rate: 1/s", "did you mean models?"},
		{"url: http://a, wait_for: models, wait_limit: 0", "rate: 1/s", "is zero"},
		{"url: \"unix:server.sock\"", "rate: 1/s", "no address of a socket"},
		{"url: \"unix:/run/server.sock:v1\"", "rate: 1/s", "no address of a socket"},
		{"url: \"unix://run/server.sock\"", "rate: 1/s", "no address of a socket"},
	} {
		text := "target: {" + c.target + "}\ntraffic: {" + c.traffic + "}\n"
		k, err := Load("test.yaml", []byte(text))
		if err == nil {
			err = k.Resolve()
		}
		if err == nil || !strings.Contains(err.Error()+hintOf(err), c.says) {
			t.Errorf("%s: %v, want %q", text, err, c.says)
		}
	}
	for _, traffic := range []string{"concurrency: 4", "users: 4, think: 1s"} {
		if c := resolved(t, "target: {url: http://a, connections: sticky}\ntraffic: {"+traffic+"}\n"); c.Streams[0].Target.Connections != Sticky {
			t.Errorf("%s: %+v", traffic, c.Streams[0].Target)
		}
	}
}

func TestWeightsSurviveTheirCanonicalForm(t *testing.T) {
	c := resolved(t, "target: {url: [http://a, http://b], weights: [3, 1], affinity: none}\ntraffic: {rate: 1/s}\n")
	back := resolved(t, string(canonicalOf(t, c)))
	if got := back.Streams[0].Target; !slices.Equal(got.Weights, []int{3, 1}) || got.Affinity != NoAffinity {
		t.Errorf("target = %+v", got)
	}
}

// hintOf is the advice of an error.
func hintOf(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return " " + e.Hint
}
