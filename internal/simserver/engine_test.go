package simserver

// The batching engine behind sockets.

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/seed"
	"assay/internal/sim"
	"assay/internal/tokenizer"
)

// prompt is n words, the first `common` of which others share.
func prompt(n, common int, own string) string {
	var b strings.Builder
	for i := range n {
		if i < common {
			fmt.Fprintf(&b, "w%d ", i)
		} else {
			fmt.Fprintf(&b, "%s%d ", own, i)
		}
	}
	return strings.TrimSpace(b.String())
}

func streamOf(text string, limit int) string {
	return fmt.Sprintf(`{"model":"m","prompt":%q,"stream":true,"stream_options":{"include_usage":true},"max_tokens":%d}`, text, limit)
}

// The same requests, admitted in virtual time at the instants of the truth,
// come due at the very same nanoseconds: nothing of the sockets gets into the
// model. And no event leaves before it is due, however busy the machine is.
func TestTheEngineInVirtualTimeAgreesWithTheOneBehindSockets(t *testing.T) {
	set := map[string]string{"kv_blocks": "300", "max_num_seqs": "12", "draft_tokens": "2", "tail_share": "0.05", "tail_position": "20"}
	_, address := start(t, Config{Preset: "h100-8b", Set: set})
	prompts := map[string]string{}
	var clients sync.WaitGroup
	for i := range 40 {
		r := seed.Rand(1, "test/agree", uint64(i))
		id := fmt.Sprint(i)
		text := prompt(20+r.IntN(400), 100, id+"x")
		prompts[id] = text
		limit, stream := 1+r.IntN(60), r.IntN(8) > 0
		clients.Go(func() {
			time.Sleep(time.Duration(r.IntN(600)) * time.Millisecond)
			body := streamOf(text, limit)
			if !stream {
				body = strings.Replace(body, `"stream":true,"stream_options":{"include_usage":true},`, "", 1)
			}
			post(t, address, "/v1/completions", body, "X-Request-ID", id)
		})
	}
	clients.Wait()
	all, _ := truths(t, address)
	if len(all) != 40 {
		t.Fatalf("the truth of %d requests, want 40", len(all))
	}
	replayed := replay(t, set, all, prompts)
	for _, one := range all {
		var due []int64
		for _, w := range one.Events {
			if w.Kind == "text" || w.Kind == "body" {
				due = append(due, w.Due)
				if w.Before < w.Due {
					t.Errorf("request %s: an event leaves %d ns before it is due", one.RequestID, w.Due-w.Before)
				}
			}
		}
		want := replayed[one.ID]
		if len(due) == 1 && one.Events[0].Kind == "body" {
			want = want[len(want)-1:]
		}
		if !slices.Equal(due, want) {
			t.Errorf("request %s: due at %v behind sockets, at %v in virtual time", one.RequestID, due, want)
		}
	}
}

// replay drives a fresh engine through the truth and returns when each
// request's events are due.
func replay(t *testing.T, set map[string]string, all []Truth, prompts map[string]string) map[uint64][]int64 {
	t.Helper()
	settings, err := sim.Configure("h100-8b", set)
	if err != nil {
		t.Fatal(err)
	}
	due := map[uint64][]int64{}
	emit := func(e sim.Emission) { due[e.ID] = append(due[e.ID], e.At) }
	engine := settings.Engine()
	for _, one := range slices.SortedFunc(slices.Values(all), func(a, b Truth) int { return int(a.ID) - int(b.ID) }) {
		at := engine.Admit(one.Admitted, sim.Request{
			ID: one.ID, Input: one.InputTokens, Output: one.Limit,
			Hashes: hashes(prompts[one.RequestID], settings.BlockSize()),
		}, emit)
		if at != one.Admitted || one.Admitted < one.Accepted || one.ID == 1 && one.Admitted != one.Accepted {
			t.Errorf("request %s was accepted at %d, admitted at %d, and again at %d", one.RequestID, one.Accepted, one.Admitted, at)
		}
	}
	for engine.Next() != sim.Never {
		engine.Advance(engine.Next(), emit)
	}
	if st := engine.Stats(); st.Hit == 0 || st.Preempted == 0 {
		t.Logf("prefix hits %d, preemptions %d", st.Hit, st.Preempted)
	}
	return due
}

func TestACachedPromptIsToldInTheUsage(t *testing.T) {
	_, address := start(t, Config{Preset: "h100-8b"})
	for _, want := range []string{`"cached_tokens":0`, `"cached_tokens":48`} {
		_, body, _ := post(t, address, "/v1/completions", streamOf(prompt(60, 50, "x"), 3))
		if !strings.Contains(body, want) {
			t.Errorf("the usage of %s lacks %s", body, want)
		}
	}
	_, body, _ := post(t, address, "/v1/completions", strings.Replace(streamOf(prompt(60, 40, "y"), 3), `"stream":true,"stream_options":{"include_usage":true},`, "", 1))
	if !strings.Contains(body, `"cached_tokens":32`) {
		t.Errorf("the usage of %s lacks the 32 tokens of two common blocks", body)
	}
}

func hashes(text string, block int) []uint64 {
	h := hasher{hash: basis, block: block}
	h.words(text)
	return h.hashes
}

func TestBlocksOfAPromptAreCutWhereItsTokensAreCounted(t *testing.T) {
	r := seed.Rand(1, "test/hashes", 0)
	pieces := []string{"gold", " ", "\n", "\u00a0", "金", "ゆ", "é", "\xff", "x", "\t", "\u3000", "…"}
	for range 2000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		for _, block := range []int{1, 3, 16} {
			if got, want := len(hashes(text, block)), tokenizer.Words(text)/block; got != want {
				t.Fatalf("%q has %d blocks of %d, want %d", text, got, block, want)
			}
		}
	}
	a, b := hashes(prompt(64, 40, "a"), 16), hashes(prompt(64, 40, "b"), 16)
	for i, same := range []bool{true, true, false, false} {
		if (a[i] == b[i]) != same {
			t.Errorf("block %d is the same: %t, want %t", i, a[i] == b[i], same)
		}
	}
	if hashes("a b", 0) != nil {
		t.Error("without a cache there are hashes")
	}
}

func TestWhatDoesNotFitTheContextIsRefused(t *testing.T) {
	_, address := start(t, Config{Preset: "h100-8b", Set: map[string]string{"kv_blocks": "10", "output_tokens": "1000"}})
	if status, body, _ := post(t, address, "/v1/completions", streamOf(prompt(100, 0, "x"), 61)); status != 400 || !strings.Contains(body, "more than the 160") {
		t.Errorf("161 tokens are answered %d %s, want a refusal", status, body)
	}
	if status, body, _ := post(t, address, "/v1/completions", streamOf(prompt(100, 0, "x"), 60)); status != 200 || !strings.Contains(body, `"completion_tokens":60`) {
		t.Errorf("160 tokens are answered %d %s", status, body)
	}
	// Without a limit the reply takes what is left.
	_, body, _ := post(t, address, "/v1/completions", `{"model":"m","prompt":"`+prompt(100, 0, "x")+`"}`)
	if !strings.Contains(body, `"completion_tokens":60`) {
		t.Errorf("a reply without limit: %s, want the 60 tokens that are left", body)
	}
}

// A client that waits in the queue and goes frees its place though nothing is
// written to it.
func TestAClientThatLeavesFreesItsPlaceBeforeItsFirstToken(t *testing.T) {
	s, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1h"}})
	for _, reset := range []bool{false, true} {
		c := dial(t, address)
		io.WriteString(c, ask("/v1/completions", completionAsk))
		if _, err := c.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if reset {
			c.(*net.TCPConn).SetLinger(0)
		}
		c.Close()
		// settle waits a second at most; the token is an hour away.
		s.truth.settle()
		s.driver.mu.Lock()
		if n := s.driver.engine.Stats().Running; n != 0 || len(s.driver.streams) != 0 {
			t.Errorf("reset %t: %d are still in the engine", reset, n)
		}
		s.driver.mu.Unlock()
	}
	if got := scrape(t, address)[`vllm:request_success_total{model_name="sim",engine="0",finished_reason="abort"}`]; got != 2 {
		t.Errorf("%v requests are counted as aborted, want 2", got)
	}
}

// A client that does not read fills its socket; the others get theirs, and it
// gets everything once it reads.
func TestAClientThatDoesNotReadHoldsNobodyUp(t *testing.T) {
	_, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "0s", "itl": "5us", "tokens_per_event": "40"}})
	const tokens = 1_000_000
	slow := dial(t, address)
	io.WriteString(slow, ask("/v1/completions", streamOf("a", tokens)))
	time.Sleep(50 * time.Millisecond)
	_, body, _ := post(t, address, "/v1/completions", streamOf("a", 4000))
	if n := tokensOf(t, body); n != 4000 {
		t.Errorf("the other gets %d tokens, want 4000", n)
	}
	resp, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if n := tokensOf(t, string(b)); err != nil || n != tokens {
		t.Errorf("the one that did not read gets %d tokens, %v, want %d", n, err, tokens)
	}
}

// tokensOf counts the words of a stream of completions.
func tokensOf(t *testing.T, body string) (n int) {
	t.Helper()
	for _, e := range listen(t, body) {
		for _, c := range e.Choices {
			n += tokenizer.Words(c.Text)
		}
	}
	return n
}

func TestAStreamIsTheLastThingOnAConnectionThatIsToClose(t *testing.T) {
	_, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": "1ms", "itl": "100us"}})
	c := dial(t, address)
	io.WriteString(c, ask("/v1/completions", streamOf("a", 9), "Connection: close\r\n"))
	b, err := io.ReadAll(c)
	if _, body, ok := strings.Cut(string(b), "\r\n\r\n"); err != nil || !ok || !strings.HasSuffix(body, "[DONE]\n\n\r\n0\r\n\r\n") {
		t.Errorf("the connection ends with %v after %s", err, b)
	}
}
