package simserver

import (
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// truths asks the server for its truth.
func truths(t *testing.T, address string) (all []Truth, dropped string) {
	t.Helper()
	status, body, header := get(t, address, "/assay/truth")
	if status != 200 {
		t.Fatalf("/assay/truth = %d %s", status, body)
	}
	for line := range strings.Lines(body) {
		var one Truth
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, one)
	}
	return all, header.Get("X-Assay-Truth-Dropped")
}

func TestTheKernelTellsWhenARequestHadArrived(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the kernel's stamps are read on Linux")
	}
	_, address := start(t, Config{Preset: "null"})
	for range 400 { // the kernel begins to stamp some time after it is first asked to
		post(t, address, "/v1/chat/completions", chatAsk)
		all, _ := truths(t, address)
		if last := all[len(all)-1]; last.Arrived != 0 {
			if last.Arrived > last.Accepted {
				t.Errorf("it arrived at %d and had been read at %d", last.Arrived, last.Accepted)
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("no request has a stamp")
}

func TestTheTruthTellsEveryWriteBetweenTwoClockReadings(t *testing.T) {
	s, address := start(t, Config{Preset: "null"})
	before := s.clock.now()
	post(t, address, "/v1/chat/completions", chatAsk, "X-Request-ID", "r1")
	whole := strings.Replace(completionAsk, `"stream":true,"stream_options":{"include_usage":true},`, "", 1)
	post(t, address, "/v1/completions", whole, "X-Request-ID", "r2")
	post(t, address, "/v1/completions", `{"model":"case/no-done","prompt":"a"}`, "X-Request-ID", "r3")
	all, dropped := truths(t, address)
	after := s.clock.now()
	if len(all) != 3 || dropped != "0" {
		t.Fatalf("the truth of %d requests, %s dropped, want 3 and 0", len(all), dropped)
	}
	for i, want := range []string{"role text text text text text text text usage end", "body", "raw raw raw raw raw"} {
		one := all[i]
		var kinds []string
		clock := one.Accepted
		for _, w := range one.Events {
			kinds = append(kinds, w.Kind)
			if w.Before < clock || w.After < w.Before {
				t.Errorf("%s: a write between %d and %d follows %d", one.RequestID, w.Before, w.After, clock)
			}
			clock = w.After
		}
		// The kernel begins to stamp some time after it is first asked to.
		if one.Arrived != 0 && (one.Arrived < before || one.Arrived > one.Accepted) {
			t.Errorf("%s arrived at %d, want between %d and %d", one.RequestID, one.Arrived, before, one.Accepted)
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%s: events %q, want %q", one.RequestID, got, want)
		}
		if one.Accepted < before || one.Ended == nil || *one.Ended < clock || *one.Ended > after || one.Cut {
			t.Errorf("%s is not inside the test, or was cut: %+v", one.RequestID, one)
		}
	}
	if all[0].Endpoint != "chat" || all[0].InputTokens != 5 || all[0].OutputTokens != 7 || all[1].OutputTokens != 7 {
		t.Errorf("the truth is %+v", all)
	}
}

func TestTheClockIsTheMonotonicOneOfTheMachine(t *testing.T) {
	c := newClock()
	base, at := monotonicBase()
	if off := base - c.base - int64(at.Sub(c.at)); off < -100_000 || off > 100_000 {
		t.Errorf("two calibrations of the clock are %d ns apart", off)
	}
}

func TestNoTokenLeavesBeforeItsTime(t *testing.T) {
	const ttft, itl, tokens, requests = 10 * time.Millisecond, 3 * time.Millisecond, 20, 25
	s, address := start(t, Config{Preset: "fixed", Set: map[string]string{"ttft": ttft.String(), "itl": itl.String()}})
	var clients sync.WaitGroup
	for range requests {
		clients.Go(func() {
			post(t, address, "/v1/completions", `{"model":"m","prompt":"a","stream":true,"max_tokens":20}`)
		})
	}
	clients.Wait()
	s.truth.settle()
	entries, _ := s.truth.snapshot()
	if len(entries) != requests {
		t.Fatalf("the truth of %d requests, want %d", len(entries), requests)
	}
	for _, e := range entries {
		i := 0
		for _, w := range e.truth.Events {
			if w.Kind != "text" {
				continue
			}
			if due := e.truth.Accepted + int64(ttft) + int64(i)*int64(itl); w.Before < due {
				t.Errorf("token %d left %d ns before its time", i, due-w.Before)
			}
			i++
		}
		if i != tokens {
			t.Errorf("%d tokens, want %d", i, tokens)
		}
	}
}

func TestTheTruthIsBoundedAndKeepsTheNewest(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Truth: 40})
	for i := range 20 {
		// Head, three tokens and the end: with itself, a request weighs six.
		post(t, address, "/v1/completions", `{"model":"m","prompt":"a","stream":true,"max_tokens":3}`, "X-Request-ID", string(rune('a'+i)))
	}
	all, dropped := truths(t, address)
	ids := ""
	for _, one := range all {
		ids += one.RequestID
	}
	if ids != "opqrst" || dropped != "14" {
		t.Errorf("kept are %q and %s dropped, want opqrst and 14", ids, dropped)
	}
}

func TestTheTruthCanBeOff(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Truth: -1})
	post(t, address, "/v1/completions", completionAsk)
	if all, dropped := truths(t, address); len(all) != 0 || dropped != "0" {
		t.Errorf("the truth is %+v", all)
	}
}

func TestWatchingTheClockIsRationed(t *testing.T) {
	v := vigil{credit: early, since: 0}
	if got := v.lead(0); got != early {
		t.Errorf("with credit it wakes %d ns early, want %d", got, early)
	}
	v.spent(early)
	if got := v.lead(int64(ration)*early - ration); got != 0 {
		t.Errorf("before the ration is back it wakes %d ns early, want 0", got)
	}
	if got := v.lead(int64(ration) * early); got != early {
		t.Errorf("after a twentieth of the time it wakes %d ns early, want %d", got, early)
	}
	v.lead(1 << 60)
	if v.credit != maxCredit {
		t.Errorf("after a long silence the credit is %d, want %d", v.credit, maxCredit)
	}
	v.off = true
	if got := v.lead(1 << 61); got != 0 {
		t.Errorf("on one core it wakes %d ns early, want 0", got)
	}
}
