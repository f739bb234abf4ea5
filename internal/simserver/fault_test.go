package simserver

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// askWith posts a stream of 30 tokens with a fault and returns what comes.
func askWith(t *testing.T, address, fault string, headers ...string) (status int, body string, header http.Header, err error) {
	t.Helper()
	c := dial(t, address)
	lines := append([]string{faultHeader + ": " + fault + "\r\n"}, headers...)
	io.WriteString(c, ask("/v1/completions", streamOf("a", 30), lines...))
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, "", nil, err
	}
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), resp.Header, err
}

func TestARequestGetsTheFaultItAsksFor(t *testing.T) {
	s, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1ms", "itl": "100us"}})
	if status, body, _, err := askWith(t, address, "error"); status != 500 || !strings.Contains(body, "server_error") {
		t.Errorf("error: %d %s %v", status, body, err)
	}
	if status, body, header, err := askWith(t, address, "reject,for=1500ms"); status != 429 || header.Get("Retry-After") != "2" {
		t.Errorf("reject: %d %s %v %v", status, body, header, err)
	}
	if _, _, _, err := askWith(t, address, "garbage"); err == nil {
		t.Error("garbage is HTTP")
	}
	if status, body, _, err := askWith(t, address, "cut,after=7"); status != 200 || err == nil || strings.Count(body, "data: ") != 7 {
		t.Errorf("cut: %d, %d events, %v, want 7 and an end too early", status, strings.Count(body, "data: "), err)
	}
	if status, body, _, _ := askWith(t, address, "thunder"); status != 400 || !strings.Contains(body, "there is no fault") {
		t.Errorf("an unknown fault: %d %s", status, body)
	}
	s.truth.settle()
	s.driver.mu.Lock()
	defer s.driver.mu.Unlock()
	if n := len(s.driver.streams); n != 0 {
		t.Errorf("%d replies are left in the engine", n)
	}
}

func TestAStallAndASlowHeadComeLateAndWhole(t *testing.T) {
	const held = 150 * time.Millisecond
	_, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1ms", "itl": "100us"}})
	for fault, late := range map[string]int{"stall,after=10,for=150ms": 11, "slow_head,for=150ms": 0} {
		// The first event that is late is the eleventh token, or the head.
		if _, body, _, err := askWith(t, address, fault, "X-Request-ID: "+fault+"\r\n"); err != nil || tokensOf(t, body) != 30 {
			t.Errorf("%s: %s %v", fault, body, err)
		}
		all, _ := truths(t, address)
		for _, one := range all {
			if one.RequestID != fault {
				continue
			}
			from := one.Accepted
			if late > 0 {
				from = one.Events[late-1].After
			}
			if gap := one.Events[late].Before - from; gap < int64(held)-1_000_000 {
				t.Errorf("%s: the silence is %d ns, want %d", fault, gap, held)
			}
		}
	}
}

func TestWhoLeavesDuringAStallIsNotWaitedFor(t *testing.T) {
	s, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "0s", "itl": "1ms", "fault_stall": "100%", "fault_stall_after": "0", "fault_stall_for": "1h"}})
	c := dial(t, address)
	io.WriteString(c, ask("/v1/completions", completionAsk))
	if _, err := c.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	c.Close()
	s.truth.settle()
	if entries, _ := s.truth.snapshot(); len(entries) != 1 || entries[0].truth.Ended == nil {
		t.Error("the reply waits on")
	}
	// Two are still stalled when the server ends; one has its next request waiting.
	one := ask("/v1/completions", completionAsk)
	for _, requests := range []string{one, one + one} {
		c := dial(t, address)
		io.WriteString(c, requests)
		if _, err := c.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDrawnFaultsHappenToTheirShare(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Set: map[string]string{"fault_error": "30%", "fault_reject": "20%", "fault_slow_accept": "100%", "fault_slow_accept_for": "20ms", "seed": "3"}})
	got := map[int]int{}
	for range 400 {
		status, _, _ := post(t, address, "/v1/completions", completionAsk)
		got[status]++
	}
	// Five standard deviations of a binomial count.
	if n := got[500]; n < 120-46 || n > 120+46 {
		t.Errorf("%d of 400 fail, want 120", n)
	}
	if n := got[429]; n < 80-40 || n > 80+40 {
		t.Errorf("%d of 400 are turned away, want 80", n)
	}
	before := time.Now()
	c := dial(t, address)
	io.WriteString(c, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := c.Read(make([]byte, 10)); err != nil || time.Since(before) < 20*time.Millisecond {
		t.Errorf("a new connection is answered after %v, %v, want 20 ms", time.Since(before), err)
	}
}
