package cli

// The instrument against the truth: the embedded server notes its clock before
// and after each write, and shares no timing code with the client.

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/rundir"
)

// serveTruth starts an embedded server for a test and returns its address.
func serveTruth(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("assay", append([]string{"simulate", "--listen", "127.0.0.1:0", "--die-with-parent", "--json"}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var ready struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal([]byte(line), &ready); err != nil {
		t.Fatal(err)
	}
	return ready.URL
}

// truth is what the server says of one request.
type truth struct {
	RequestID string `json:"request_id"`
	Events    []struct {
		Kind   string `json:"kind"`
		Before int64  `json:"before_ns"`
		After  int64  `json:"after_ns"`
	} `json:"events"`
}

// fetchTruth asks the server for its truth, by request, content events only.
func fetchTruth(t *testing.T, url string) map[string][][2]int64 {
	t.Helper()
	resp, err := http.Get(url + "/assay/truth")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	writes := map[string][][2]int64{}
	for d := json.NewDecoder(resp.Body); d.More(); {
		var one truth
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		for _, e := range one.Events {
			if e.Kind == "text" {
				writes[one.RequestID] = append(writes[one.RequestID], [2]int64{e.Before, e.After})
			}
		}
	}
	return writes
}

// stampsAgainstTruth counts the events that are the last or only ones of their
// read, and those of them whose kernel stamp is outside of the server's two looks at its clock.
func stampsAgainstTruth(t *testing.T, dir string, writes map[string][][2]int64) (alone, outside int) {
	t.Helper()
	r, err := rundir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	epoch := epochOf(t, r)
	for rec, err := range r.Records()() {
		if err != nil {
			t.Fatal(err)
		}
		truth := writes[rec.RequestID]
		if rec.Status != record.OK || len(truth) != len(rec.Events) {
			t.Errorf("request %d: %v (%s) with %d events, the server wrote %d", rec.Seq, rec.Status, rec.ErrorMessage, len(rec.Events), len(truth))
			continue
		}
		for i, e := range rec.Events {
			if !e.Stamped() || rec.SharesRead(i) {
				continue
			}
			alone++
			at := e.Arrived + epoch
			if at < truth[i][0] || at > truth[i][1] {
				outside++
				t.Logf("request %d event %d: %d ns before the write began, %d ns after it ended", rec.Seq, i, truth[i][0]-at, at-truth[i][1])
			}
		}
	}
	return alone, outside
}

func epochOf(t *testing.T, r *rundir.Reader) int64 {
	t.Helper()
	lines, err := r.Observations()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range lines {
		if o.Kind == observation.KindEpoch {
			return o.Epoch.Monotonic
		}
	}
	t.Fatal("no epoch in the observations")
	return 0
}

func TestKernelStampsLieBetweenTheServersLooksAtItsClock(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("kernel stamps exist on Linux only")
		return
	}
	for _, c := range []struct {
		name string
		hogs int
	}{{"idle", 0}, {"all cores busy", runtime.NumCPU()}} {
		t.Run(c.name, func(t *testing.T) {
			url := serveTruth(t, "--preset", "fixed", "--set", "ttft=30ms", "--set", "itl=7ms")
			for range c.hogs {
				busyLoop(t)
			}
			dir := filepath.Join(t.TempDir(), "run")
			out, err := exec.Command("assay", "run", "--url", url, "--rate", "30/s", "--duration", "3s", "--warmup", "500ms", "--anyway",
				"--input-tokens", "20", "--output-tokens", "uniform(5, 30)", "--slo", "ttft p50 < 10s", "--out", dir, "--quiet").CombinedOutput()
			if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 4) {
				t.Fatalf("%v\n%s", err, out) // 4: with busy cores the run is rightly refused
			}
			alone, outside := stampsAgainstTruth(t, dir, fetchTruth(t, url))
			if alone < 500 {
				t.Errorf("only %d events were alone in their read", alone)
			}
			if outside > 0 {
				t.Errorf("%d of %d kernel stamps lie outside", outside, alone)
			}
			t.Logf("%d of %d inside", alone-outside, alone)
		})
	}
}

// busyLoop burns one core until the test ends.
func busyLoop(t *testing.T) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}
