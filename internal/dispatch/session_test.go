package dispatch

// Sessions in virtual time: when each turn goes, what it says, and where a
// session ends.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/arrival"
	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/wire/http1"
	"assay/internal/wire/memwire"
	"assay/internal/workload"
)

// talking makes a stream one of sessions. Request i of session n says
// "n.i" and all that it was told: [reply k] for each that it waits for.
func talking(n *network, s *Stream, turns ...Turn) {
	u := "http://server/v1/chat/completions"
	s.Targets[0].URL = u
	s.Session = func(number uint64) (*Session, error) {
		x := &Session{ID: "s" + strconv.FormatUint(number, 10), Turns: turns}
		x.Prepare = func(i int, replies []Reply) (Prepared, error) {
			body := fmt.Sprintf("%d.%d", number, i)
			for _, k := range turns[i].Waits {
				body += fmt.Sprintf(" [%s %d]", replies[k].Text, replies[k].Tokens)
			}
			return prepared(body)
		}
		return x, nil
	}
}

func prepared(body string) (Prepared, error) {
	b, err := http1.Encode(serverURL, "POST", nil, []byte(body))
	return Prepared{Bytes: b, WantInput: 1, WantOutput: 1}, err
}

// A listener keeps the bodies that a server received, and answers each after
// so long with what reply says.
type listener struct {
	mu    sync.Mutex
	heard []string
	after time.Duration
	slow  func(body string) time.Duration // on top
	reply func(body string) (text string, ok bool)
}

func (l *listener) answer(c *memwire.Conn, r *http.Request) bool {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.heard = append(l.heard, string(body))
	l.mu.Unlock()
	if l.slow != nil {
		time.Sleep(l.slow(string(body)))
	}
	time.Sleep(l.after)
	text, ok := "words", true
	if l.reply != nil {
		text, ok = l.reply(string(body))
	}
	if !ok {
		return write(c, "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno")
	}
	out := streamHead
	for _, part := range strings.SplitAfter(text, " ") {
		out += event(part)
	}
	return write(c, out+doneEvent+lastChunk)
}

func TestALaterTurnGoesWhenTheReplyBeforeItHasEndedAndItsPauseIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		oneWay := func(int) time.Duration { return 5 * time.Millisecond }
		l := &listener{after: 40 * time.Millisecond}
		n := newNetwork(t, memwire.Link{Up: oneWay, Down: oneWay}, l.answer)
		s := n.stream()
		schedule(&s, 1000*ms, 1000*ms)
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}, Role: "verifier"},
			Turn{Number: 3, Waits: []int{1}, Pause: 30 * ms}, Turn{Number: 4, Waits: []int{2}, Pause: 250 * ms})
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 4 {
			t.Fatalf("%d records, %v, want 4", len(records), err)
		}
		// Each takes 5 ms there, 40 at the server, 5 back.
		want := []struct{ due, ended int64 }{{0, 50}, {50, 100}, {130, 180}, {430, 480}}
		for i, r := range records {
			if w := want[i]; r.Due != w.due*ms || r.Free != r.Due || r.Released != r.Due || r.Sent != r.Due || r.Ended != w.ended*ms {
				t.Errorf("turn %d: due %d free %d released %d sent %d ended %d, want due %d, ended %d ms", i, r.Due, r.Free, r.Released, r.Sent, r.Ended, w.due, w.ended)
			}
			release, role := record.Turn, ""
			if i == 0 {
				release = record.AtDue
			}
			if i == 1 {
				role = "verifier"
			}
			if r.Seq != uint64(i) || r.Session != "s0" || r.Turn != i+1 || r.Turns != 4 || r.Role != role || r.Release != release || r.Phase != record.Measured || r.Status != record.OK {
				t.Errorf("turn %d: %+v", i, r)
			}
		}
	})
}

func TestTurnsGoSideBySideAndTheNextWaitsForTheLastOfThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := map[string]time.Duration{"0.0": 10, "0.1": 70, "0.2": 20, "0.3": 40}
		which := func(body string) string { first, _, _ := strings.Cut(body, " "); return first }
		l := &listener{
			slow:  func(body string) time.Duration { return slow[which(body)] * time.Millisecond },
			reply: func(body string) (string, bool) { return "of_" + which(body), true },
		}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		schedule(&s, 1000*ms, 1000*ms)
		talking(n, &s, Turn{Number: 1, Keep: true},
			Turn{Number: 2, Waits: []int{0}, Keep: true}, Turn{Number: 2, Waits: []int{0}, Keep: true}, Turn{Number: 2, Waits: []int{0}, Pause: 15 * ms, Keep: true},
			Turn{Number: 3, Waits: []int{3, 1}, Pause: 5 * ms})
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 5 {
			t.Fatalf("%d records, %v, want 5", len(records), err)
		}
		var freed []int64
		for _, r := range records {
			freed = append(freed, r.Free/ms)
		}
		// The join waits for request 1 (80) and 3 (10+15+40 = 65), and then 5 ms.
		if !slices.Equal(freed, []int64{0, 10, 10, 25, 85}) {
			t.Errorf("free at %v, want 0, 10, 10, 25, 85 ms", freed)
		}
		if !slices.Contains(l.heard, "0.4 [of_0.3 1] [of_0.1 1]") || !slices.Contains(l.heard, "0.1 [of_0.0 1]") {
			t.Errorf("the server heard %q", l.heard)
		}
	})
}

func TestASessionSendsItsHistory(t *testing.T) {
	const (
		first  = `{"model":"m","messages":[{"role":"user","content":"hi"}`
		second = first + `,{"role":"assistant","content":"one \"two\"\nthree é"},{"role":"user","content":"and?"}`
		third  = second + `,{"role":"assistant","content":"four"},{"role":"user","content":"bye"}`
		end    = `],"max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true}}`
	)
	synctest.Test(t, func(t *testing.T) {
		l := &listener{reply: func(body string) (string, bool) {
			if strings.Contains(body, "and?") {
				return "four", true
			}
			return `one \"two\"\nthree \u00e9`, true
		}}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		schedule(&s, 1000*ms, 1000*ms)
		words := []string{"hi", "and?", "bye"}
		s.Session = func(uint64) (*Session, error) {
			x := &Session{ID: "0", Turns: []Turn{{Number: 1, Keep: true}, {Number: 2, Waits: []int{0}, Keep: true}, {Number: 3, Waits: []int{1}}}}
			x.Prepare = func(i int, replies []Reply) (Prepared, error) {
				var r workload.Request
				for k := range i {
					r.Messages = append(r.Messages, workload.Message{Role: "user", Content: words[k]}, workload.Message{Role: "assistant", Content: replies[k].Text})
				}
				r.Messages = append(r.Messages, workload.Message{Role: "user", Content: words[i]})
				r.OutputTokens = 9
				body, err := s.Dialect.Encode(r, dialect.Options{Model: "m", Stream: true})
				if err != nil {
					return Prepared{}, err
				}
				return prepared(string(body))
			}
			return x, nil
		}
		if _, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s); err != nil {
			t.Fatal(err)
		}
		if want := []string{first + end, second + end, third + end}; !slices.Equal(l.heard, want) {
			t.Errorf("the server received\n%s\nwant\n%s", strings.Join(l.heard, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestASessionWhoseTurnFailedStopsThereAndFreesItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{after: 10 * time.Millisecond, reply: func(body string) (string, bool) { return "x", body != "0.1 [ 0]" }}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		s.Concurrency, s.Requests = 1, 2
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}}, Turn{Number: 3, Waits: []int{1}})
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 5 {
			t.Fatalf("%d records, %v, want 2 of the broken session and 3 of the next", len(records), err)
		}
		if r := records[1]; r.Status != record.Failed || r.Seq != 1 || r.Ended != 20*ms {
			t.Errorf("%+v", r)
		}
		if r := records[2]; r.Seq != record.MaxTurns || r.Session != "s1" || r.Release != record.Slot || r.Free != 20*ms {
			t.Errorf("the next session began with %+v, want number %d at 20 ms", r, record.MaxTurns)
		}
	})
}

func TestASlotIsHeldForTheWholeSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{after: 10 * time.Millisecond}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		s.Concurrency, s.Requests = 2, 4
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}, Pause: 100 * ms})
		// Longer than the drain limit: what the requests bound has no window
		// that could cut it.
		records, err := n.run(t.Context(), 0, 1, 50*ms, nil, s)
		if err != nil || len(records) != 8 {
			t.Fatalf("%d records, %v, want 4 sessions of 2", len(records), err)
		}
		for i, r := range records {
			// Two sessions at a time, 120 ms each.
			want := []int64{0, 110, 0, 110, 120, 230, 120, 230}[i]
			if r.Free != want*ms || r.Released != r.Free || r.Phase != record.Measured || r.Status != record.OK {
				t.Errorf("request %d: free %d released %d %v %v, want %d ms", r.Seq, r.Free, r.Released, r.Phase, r.Status, want)
			}
		}
	})
}

func TestNothingOfASessionIsReleasedOnceTheWindowIsOver(t *testing.T) {
	for _, closed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := &listener{after: 10 * time.Millisecond}
			n := newNetwork(t, memwire.Link{}, l.answer)
			s := n.stream()
			schedule(&s, 1000*ms, 1000*ms)
			if closed {
				s.Schedule, s.Concurrency = nil, 1
			}
			s.WindowStart = 300 * ms
			turns := []Turn{{Number: 1}}
			for i := 1; i < 6; i++ {
				turns = append(turns, Turn{Number: i + 1, Waits: []int{i - 1}, Pause: 240 * ms})
			}
			talking(n, &s, turns...)
			records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
			// At 0, 250, 500, 750 and not at 1000; the slot is not given to
			// another while its user thinks.
			if err != nil || len(records) != 4 {
				t.Fatalf("closed loop %v: %d records, %v, want 4", closed, len(records), err)
			}
			for i, r := range records[1:] {
				phase := record.Measured
				if i == 0 {
					phase = record.Warmup
				}
				if r.Released != int64(i+1)*250*ms || r.Phase != phase {
					t.Errorf("closed loop %v: turn %d released at %d, %v", closed, r.Turn, r.Released, r.Phase)
				}
			}
		})
	}
}

func TestTheFirstTurnsAreTheSameWhateverTheNumberOfWorkers(t *testing.T) {
	type first struct {
		due  int64
		body string
	}
	seen := func(workers int) (map[uint64]first, int) {
		all, later := map[uint64]first{}, 0
		for w := range workers {
			synctest.Test(t, func(t *testing.T) {
				l := &listener{after: 3 * time.Millisecond}
				n := newNetwork(t, memwire.Link{}, l.answer)
				s := n.stream()
				schedule(&s, 7*ms, 700*ms)
				talking(n, &s, Turn{Number: 1, Keep: true}, Turn{Number: 2, Waits: []int{0}, Pause: 20 * ms})
				records, err := n.run(t.Context(), w, workers, 1000*ms, nil, s)
				if err != nil {
					t.Fatal(err)
				}
				bodies := map[string]bool{}
				for _, b := range l.heard {
					bodies[b] = true
				}
				for _, r := range records {
					if r.Worker != w || int(record.SessionOf(r.Seq))%workers != w {
						t.Fatalf("worker %d of %d sent request %d", w, workers, r.Seq)
					}
					if r.Turn > 1 {
						later++
						continue
					}
					body := fmt.Sprintf("%d.0", record.SessionOf(r.Seq))
					if !bodies[body] {
						t.Fatalf("the server never heard %q", body)
					}
					all[r.Seq] = first{r.Due, body}
				}
			})
		}
		return all, later
	}
	one, laterOfOne := seen(1)
	eight, laterOfEight := seen(8)
	if len(one) != 100 || laterOfOne != 97 { // those due at 679 ms and later are cut
		t.Errorf("one worker sent %d first turns and %d later ones, want 100 and 97", len(one), laterOfOne)
	}
	if len(one) != len(eight) || laterOfOne != laterOfEight {
		t.Fatalf("one worker sent %d and %d, eight %d and %d", len(one), laterOfOne, len(eight), laterOfEight)
	}
	for seq, f := range one {
		if eight[seq] != f {
			t.Errorf("request %d: %+v with one worker, %+v with eight", seq, f, eight[seq])
		}
	}
}

func TestAThousandUsersWhoThinkShareOneTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		s.Concurrency, s.Requests = 1000, 1000
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}, Pause: 1000 * ms})
		var mu sync.Mutex
		now, most := 0, 0
		n.around = func(d int) {
			mu.Lock()
			defer mu.Unlock()
			now += d
			most = max(most, now)
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 2000 {
			t.Fatalf("%d records, %v, want 2000", len(records), err)
		}
		if most > 2 { // the clerk's, and the drain's
			t.Errorf("%d sleeps at once", most)
		}
		for _, r := range records {
			if want := int64(r.Turn-1) * 1000 * ms; r.Released != want {
				t.Fatalf("turn %d released at %d", r.Turn, r.Released)
			}
		}
	})
}

func TestAnInterruptionEndsWhatUsersThinkOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{after: 10 * time.Millisecond}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		s.Concurrency, s.Requests = 3, 3
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}, Pause: int64(time.Hour)})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		records, err := n.run(ctx, 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 3 || n.now() != 200*ms {
			t.Errorf("%d records, %v, over at %d ms; want the 3 first turns, at 200", len(records), err, n.now()/ms)
		}
	})
}

func TestATurnThatCannotBeBuiltEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{after: 10 * time.Millisecond}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		schedule(&s, 10*ms, 1000*ms)
		broken := errors.New("no words left")
		s.Session = func(number uint64) (*Session, error) {
			return &Session{ID: "x", Turns: []Turn{{Number: 1}, {Number: 2, Waits: []int{0}}}, Prepare: func(i int, _ []Reply) (Prepared, error) {
				if i == 1 && number == 2 {
					return Prepared{}, broken
				}
				return prepared("x")
			}}, nil
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
		if len(records) > 6 {
			t.Errorf("%d records: the sending went on", len(records))
		}
	})
}

func TestRepliesThatAreKeptCountAgainstTheMemoryOfTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{reply: func(string) (string, bool) { return strings.Repeat(strings.Repeat("x", 999)+" ", 40), true }}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		n.bounds = Bounds{Memory: 100_000}
		s.Concurrency, s.Requests = 1, 1
		turns := []Turn{{Number: 1, Keep: true}}
		for i := 1; i < 6; i++ {
			turns = append(turns, Turn{Number: i + 1, Waits: []int{i - 1}, Keep: true})
		}
		talking(n, &s, turns...)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		// A scanner of 16 KiB or more, and 40 kB a reply: the second fits, the third does not.
		if err != nil || len(records) != 3 || records[1].Status != record.OK || records[2].Status != record.Local {
			t.Errorf("%d records, %v: %+v", len(records), err, records)
		}
	})
}

func TestASessionStaysWithItsAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}}, Turn{Number: 3, Waits: []int{1}})
		second := s.Targets[0]
		second.URL = "http://other/v1/chat/completions"
		s.Targets = append(s.Targets, second)
		s.Schedule = func(yield func(arrival.Due) bool) {
			for seq := range uint64(4) {
				if !yield(arrival.Due{Seq: seq, At: int64(seq) * 10 * ms, Measured: true}) {
					return
				}
			}
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 12 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			if want := s.Targets[record.SessionOf(r.Seq)%2].URL; r.URL != want {
				t.Errorf("request %d went to %s, want %s", r.Seq, r.URL, want)
			}
		}
	})
}
