package simserver_test

// The client against this server over real sockets: the dispatcher, its HTTP,
// its scanner, its dialects and the kernel's stamps.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/record"
	"assay/internal/simserver"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/workload"
)

// serve runs a server until the test ends.
func serve(t *testing.T, c simserver.Config) (base string) {
	t.Helper()
	s, err := simserver.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// client is a stream of this endpoint and model to the server, with the kernel's stamps.
func client(t *testing.T, base, endpoint, model string, clock *host.Clock, tokens int) dispatch.Stream {
	t.Helper()
	d, ok := dialect.Find(endpoint)
	if !ok {
		t.Fatalf("there is no dialect %s", endpoint)
	}
	u, err := url.Parse(base + d.Path)
	if err != nil {
		t.Fatal(err)
	}
	dialer := &wire.Dialer{Now: clock.Now, FromWall: clock.FromWall, Kernel: true}
	pool := http1.NewPool(http1.Config{URL: u, Dial: dialer.DialContext, Now: clock.Now, ConnectLimit: 10 * time.Second})
	t.Cleanup(pool.Close)
	return dispatch.Stream{
		Name: endpoint, Dialect: d, Streamed: true,
		Targets: []dispatch.Target{{URL: u.String(), Pool: pool}},
		Limits:  dispatch.Limits{Idle: int64(time.Second), Request: int64(20 * time.Second)},
		Prepare: func(seq uint64) (dispatch.Prepared, error) {
			body, err := d.Encode(workload.Request{Prompt: "weigh it", OutputTokens: tokens}, dialect.Options{Model: model, Stream: true})
			if err != nil {
				return dispatch.Prepared{}, err
			}
			id := strconv.FormatUint(seq, 10)
			b, err := http1.Encode(u, "POST", [][2]string{{"X-Request-ID", id}}, body)
			return dispatch.Prepared{Bytes: b, RequestID: id}, err
		},
	}
}

func stamps(t *testing.T) {
	t.Helper()
	held, err := wire.EnableKernelStamps()
	if err != nil {
		t.Logf("the kernel gives no stamps: %v", err)
		return
	}
	t.Cleanup(func() { held.Close() })
}

func TestTheClientMakesOfEveryCaseWhatItsScriptWants(t *testing.T) {
	stamps(t)
	base := serve(t, simserver.Config{Preset: "null"})
	for _, script := range simserver.Cases() {
		for _, endpoint := range []string{"chat", "completions"} {
			if script.Only != "" && script.Only != endpoint {
				continue
			}
			t.Run(script.Name+"/"+endpoint, func(t *testing.T) {
				t.Parallel()
				clock := host.NewClock(host.Monotonic())
				stream := client(t, base, endpoint, "case/"+script.Name, clock, 4)
				d := &dispatch.Dispatcher{Workers: 1, Now: clock.Now}
				// Twice: the second request meets what the first left behind.
				for seq := range uint64(2) {
					r, err := d.Once(t.Context(), &stream, seq)
					if err != nil {
						t.Fatal(err)
					}
					check(t, &r, script.Want)
				}
			})
		}
	}
}

func check(t *testing.T, r *record.Record, want simserver.Want) {
	t.Helper()
	if err := r.Check(); err != nil {
		t.Errorf("the record breaks an invariant: %v", err)
	}
	status, content := record.OK, ""
	if want.Error != "" {
		status = record.Failed
	}
	for _, e := range r.Events {
		content += e.Kind().String()[:1]
	}
	if r.Status != status || r.ErrorKind != want.Error || r.HTTPStatus != want.HTTP || content != want.Content {
		t.Errorf("the client records %v %q, HTTP %d, content %q, want %v %q, %d, %q (%s)",
			r.Status, r.ErrorKind, r.HTTPStatus, content, status, want.Error, want.HTTP, want.Content, r.ErrorMessage)
	}
	if want.Tokens > 0 && r.Output != want.Tokens {
		t.Errorf("the client counts %d tokens, want %d", r.Output, want.Tokens)
	}
	if want.Error != "" && r.ErrorMessage == "" {
		t.Errorf("%s has no example", want.Error)
	}
}

func TestKernelStampsLieBetweenTheServersClocks(t *testing.T) {
	stamps(t)
	const requests, tokens = 40, 50
	base := serve(t, simserver.Config{Preset: "fixed", Set: map[string]string{"ttft": "3ms", "itl": "2ms"}})
	epoch := host.Monotonic()
	clock := host.NewClock(epoch)
	stream := client(t, base, "chat", "m", clock, tokens)
	stream.Concurrency, stream.Requests = 8, requests
	var mu sync.Mutex
	records := map[string]record.Record{}
	d := &dispatch.Dispatcher{Workers: 1, Now: clock.Now,
		Sleep: func(ctx context.Context, until int64) error {
			ctx, cancel := context.WithTimeout(ctx, time.Duration(until-clock.Now()))
			defer cancel()
			<-ctx.Done()
			return nil
		},
		Emit: func(r *record.Record) {
			mu.Lock()
			defer mu.Unlock()
			kept := *r
			kept.Events, kept.Marks = slices.Clone(r.Events), slices.Clone(r.Marks)
			records[kept.RequestID] = kept
		},
	}
	if err := d.Run(t.Context(), []dispatch.Stream{stream}, int64(10*time.Second)); err != nil {
		t.Fatal(err)
	}
	alone := 0
	for _, truth := range truths(t, base) {
		r, ok := records[truth.RequestID]
		if !ok || len(r.Events) != tokens {
			t.Fatalf("request %q has %d events, want %d: %v %s %s", truth.RequestID, len(r.Events), tokens, r.Status, r.ErrorKind, r.ErrorMessage)
		}
		alone += between(t, &r, truth, epoch)
	}
	// How many share a read is up to the machine's load, but not most.
	if alone < requests*tokens/10 {
		t.Errorf("only %d events of %d were alone in their read", alone, requests*tokens)
	}
}

// between checks the events that were alone in their read and returns how many.
func between(t *testing.T, r *record.Record, truth simserver.Truth, epoch int64) (alone int) {
	t.Helper()
	i := 0
	for _, w := range truth.Events {
		if w.Kind != "text" {
			continue
		}
		e := r.Events[i]
		shared := i > 0 && r.Events[i-1].Read() == e.Read() || i+1 < len(r.Events) && r.Events[i+1].Read() == e.Read() ||
			slices.ContainsFunc(r.Marks, func(m record.Mark) bool { return m.T == e.Arrived }) ||
			// Behind the last event of some APIs only the end of the body follows: nothing tells that it came along.
			i == len(r.Events)-1 && !slices.ContainsFunc(r.Marks, func(m record.Mark) bool { return m.T > e.Arrived })
		i++
		if shared || !e.Stamped() {
			continue
		}
		alone++
		if at := epoch + e.Arrived; at < w.Before || at > w.After {
			t.Errorf("request %s, event %d: the stamp is %d ns after the server's write began and %d ns before it ended",
				r.RequestID, i-1, at-w.Before, w.After-at)
		}
	}
	return alone
}

func truths(t *testing.T, base string) (all []simserver.Truth) {
	t.Helper()
	resp, err := http.Get(base + "/assay/truth")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one simserver.Truth
		if err := json.NewDecoder(bytes.NewReader(lines.Bytes())).Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}
