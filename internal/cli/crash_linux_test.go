//go:build crash

package cli

// Each process of a run is killed (-9) at twenty random moments, from before
// its first line to after its last, and what is promised for that moment is
// checked. Some minutes: `make crash` runs it.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/rundir"
)

var crashSeed = flag.Uint64("crash.seed", 0, "seed of the moments at which processes are killed; 0: from the clock")

const (
	moments = 20
	// late is how old an ended request may be and still be lost.
	late = time.Second
	// gone is how long the processes of a killed run may take to end.
	gone = 5 * time.Second
)

// victims is the traffic of these runs: one stream to a server that outlives
// them and knows the truth, one to a server of the run's own.
const victims = `
version: 1
name: crash
streams:
  - name: outside
    target: {url: %q, model: sim}
    traffic: {rate: 60/s, duration: 2500ms, warmup: 300ms, drain: 5s}
    workload: {input_tokens: 20, output_tokens: 5}
    slo: [ttft p50 < 2s, error_rate < 50%%]
  - name: inside
    target: {simulate: fixed, simulate_set: {ttft: 20ms, itl: 10ms}}
    traffic: {rate: 60/s, duration: 2500ms, warmup: 300ms, drain: 5s}
    workload: {input_tokens: 20, output_tokens: 5}
    slo: [ttft p50 < 2s, error_rate < 50%%]
client:
  processes: 3
  max_cpu: 100%%
  max_cpu_second: 100%%
  max_machine_cpu: 100%%
  max_send_lag: 10s
  max_coalesced: 100%%
  min_delivered: 50%%
`

// A crash is one run that something is killed of.
type crash struct {
	t      *testing.T
	url    string // of the server outside
	dir    string
	mark   string // in the environment of all its processes
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan struct{}
	killed int64 // when; 0: not
}

// startCrash starts a run.
func startCrash(t *testing.T, url string) *crash {
	t.Helper()
	folder := t.TempDir()
	c := &crash{t: t, url: url, dir: filepath.Join(folder, "run"), mark: "ASSAY_CRASH_TEST=" + folder, ended: make(chan struct{})}
	contract := filepath.Join(folder, "crash.yaml")
	if err := os.WriteFile(contract, fmt.Appendf(nil, victims, url), 0o644); err != nil {
		t.Fatal(err)
	}
	c.cmd = exec.Command("assay", "run", contract, "--anyway", "--out", c.dir, "--quiet")
	c.cmd.Stderr = &c.stderr
	c.cmd.Env = append(os.Environ(), c.mark)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = c.cmd.Wait()
		close(c.ended)
	}()
	return c
}

// wait waits for the run's end and returns its exit status.
func (c *crash) wait() int {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(time.Minute):
		_ = c.cmd.Process.Kill()
		c.t.Fatalf("the run did not end\n%s", c.stderr.String())
	}
	return c.cmd.ProcessState.ExitCode()
}

// processes are the run's own, by what they are: run, worker, simulate.
func (c *crash) processes() map[string][]int {
	found := map[string][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ")) // one that has ended has none
		if !slices.Contains(strings.Split(string(environ), "\x00"), c.mark) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if args := strings.Split(string(line), "\x00"); len(args) > 1 {
			found[args[1]] = append(found[args[1]], pid)
		}
	}
	return found
}

// kill kills one process of a kind after a time, or as soon as there is one.
func (c *crash) kill(kind string, after time.Duration, r *rand.Rand) {
	c.t.Helper()
	select {
	case <-time.After(after):
	case <-c.ended:
		return
	}
	for {
		if pids := c.processes()[kind]; len(pids) > 0 {
			slices.Sort(pids)
			if syscall.Kill(pids[r.IntN(len(pids))], syscall.SIGKILL) == nil {
				c.killed = host.Monotonic()
			}
			return
		}
		select {
		case <-c.ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// leavesNobody wants every process of the run to end.
func (c *crash) leavesNobody() {
	c.t.Helper()
	left := c.processes()
	for limit := time.Now().Add(gone); len(left) > 0; left = c.processes() {
		if time.Now().After(limit) {
			c.t.Errorf("still there after %s: %v", gone, left)
			for _, pids := range left {
				for _, pid := range pids {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// keepsWhatWasMeasured wants a record of every request that the server outside
// had answered a second before the kill, and none twice. It returns how many
// those were.
func (c *crash) keepsWhatWasMeasured() int {
	c.t.Helper()
	kept := map[string]int{}
	run := ""
	for r := range c.records() {
		kept[r.RequestID]++
		if kept[r.RequestID] > 1 {
			c.t.Errorf("request %s is there twice", r.RequestID)
		}
		if r.Stream == "outside" {
			run, _, _ = strings.Cut(r.RequestID, "-outside-")
		}
	}
	if run == "" {
		return 0 // nothing to tell this run's requests by: none had a second
	}
	answered := 0
	for id, end := range c.truth() {
		if of, _, _ := strings.Cut(id, "-outside-"); of != run || end > c.killed-int64(late) {
			continue
		}
		answered++
		if kept[id] == 0 {
			c.t.Errorf("request %s was answered %s before the kill and has no record", id, time.Duration(c.killed-end))
		}
	}
	return answered
}

// truth is when the server outside ended each request.
func (c *crash) truth() map[string]int64 {
	c.t.Helper()
	resp, err := http.Get(c.url + "/assay/truth")
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	ends := map[string]int64{}
	for d := json.NewDecoder(resp.Body); d.More(); {
		var one struct {
			RequestID string `json:"request_id"`
			Ended     *int64 `json:"ended_ns"`
			Cut       bool   `json:"cut"`
		}
		if err := d.Decode(&one); err != nil {
			c.t.Fatal(err)
		}
		if one.Ended != nil && !one.Cut {
			ends[one.RequestID] = *one.Ended
		}
	}
	return ends
}

func (c *crash) records() func(yield func(*record.Record) bool) {
	return func(yield func(*record.Record) bool) {
		r, err := rundir.Open(c.dir)
		if err != nil {
			c.t.Fatal(err)
		}
		defer r.Close()
		for rec, err := range r.Records()() {
			if err != nil {
				c.t.Fatal(err)
			}
			if err := rec.Check(); err != nil {
				c.t.Errorf("request %d: %v", rec.Seq, err)
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// observed are the observations of some kind.
func (c *crash) observed(kind observation.Kind) []observation.Observation {
	c.t.Helper()
	r, err := rundir.Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Close()
	all, err := r.Observations()
	if err != nil {
		c.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(o observation.Observation) bool { return o.Kind != kind })
}

// A ruling is what these tests read of a result.
type ruling struct {
	Verdict struct {
		Status  string
		Reasons []struct{ Code string }
	}
	Requests struct{ Due, OK, Failed, Censored, Cancelled, Local int }
	Errors   []struct{ Kind string }
}

func (r *ruling) has(code string) bool {
	return slices.ContainsFunc(r.Verdict.Reasons, func(x struct{ Code string }) bool { return x.Code == code })
}

// settled reads result.json of a folder that must be whole: the records in
// place, and the same bytes from judge.
func (c *crash) settled() *ruling {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, rundir.ResultFile))
	if err != nil {
		c.t.Fatalf("%v\n%s", err, c.stderr.String())
	}
	var r ruling
	if err := json.Unmarshal(data, &r); err != nil {
		c.t.Fatal(err)
	}
	if names := filesOf(c.dir); !slices.Contains(names, rundir.RecordsFile) || slices.Contains(names, rundir.JournalFile) {
		c.t.Errorf("files %v, want %s and no %s", names, rundir.RecordsFile, rundir.JournalFile)
	}
	if again, _ := exec.Command("assay", "judge", c.dir, "--json").Output(); !bytes.Equal(again, data) {
		c.t.Errorf("judge makes another result of the same files")
	}
	return &r
}

// exists tells whether the run came so far as to have a folder.
func (c *crash) exists() bool {
	_, err := os.Stat(c.dir)
	return err == nil
}

// crashes runs twenty crashes side by side, a few at a time.
func crashes(t *testing.T, name string, check func(c *crash, after time.Duration, r *rand.Rand)) {
	seed := *crashSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	fmt.Printf("%s: -crash.seed=%d\n", name, seed)
	url := serveTruth(t, "--preset", "fixed", "--set", "ttft=20ms", "--set", "itl=10ms")
	began := time.Now()
	calm := startCrash(t, url)
	if status := calm.wait(); !hasVerdict(status) {
		t.Fatalf("undisturbed, the run ended with %d\n%s", status, calm.stderr.String())
	}
	whole := time.Since(began)
	r := rand.New(rand.NewPCG(seed, 0))
	// Subtests that are parallel end after this function, so they have a group.
	t.Run("moments", func(t *testing.T) {
		for i := range moments {
			after := time.Duration(r.Int64N(int64(whole)))
			own := rand.New(rand.NewPCG(seed, uint64(i+1)))
			t.Run(after.Round(time.Millisecond).String(), func(t *testing.T) {
				t.Parallel()
				check(startCrash(t, url), after, own)
			})
		}
	})
}

// hasVerdict tells the statuses of runs that were carried out.
func hasVerdict(status int) bool { return slices.Contains([]int{0, 1, 3, 4}, status) }
