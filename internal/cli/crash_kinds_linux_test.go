//go:build crash

package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"assay/internal/observation"
	"assay/internal/record"
)

func TestAKilledCoordinatorTakesAllWithItAndLosesNoMoreThanASecond(t *testing.T) {
	var answered atomic.Int64
	crashes(t, t.Name(), func(c *crash, after time.Duration, r *rand.Rand) {
		c.kill("run", after, r)
		c.wait()
		c.leavesNobody()
		output, err := exec.Command("assay", "recover", c.dir).CombinedOutput()
		var exit *exec.ExitError
		switch {
		case !c.exists():
			return // it died before it had a folder
		case errors.As(err, &exit) && strings.Contains(string(output), "nothing was measured"),
			strings.Contains(string(output), "is no run's folder"):
			return // it died while it made its folder
		case strings.Contains(string(output), "the run is complete"):
			c.settled() // it died after its last record
			return
		}
		verdict := c.settled()
		if err == nil || exit.ExitCode() != 5 || verdict.Verdict.Status != "invalid" || !verdict.has("incomplete") {
			t.Errorf("recover: %v, status %s, reasons %v; want 5, invalid, incomplete\n%s", err, verdict.Verdict.Status, verdict.Verdict.Reasons, output)
		}
		marked := false
		for _, o := range c.observed(observation.KindNote) {
			marked = marked || o.Note.Code == observation.NoteRecovered
		}
		if !marked {
			c.t.Error("the recovered run has no note of it")
		}
		answered.Add(int64(c.keepsWhatWasMeasured()))
		if again, _ := exec.Command("assay", "recover", c.dir).CombinedOutput(); !strings.Contains(string(again), "the run is complete") {
			c.t.Errorf("recover again: %s", again)
		}
	})
	if answered.Load() == 0 {
		t.Error("no request was answered a second before a kill: nothing was tested")
	}
	t.Logf("%d requests were answered a second before a kill, and are in the records", answered.Load())
}

func TestAKilledWorkerMakesTheRunIncompleteAndKeepsWhatWasMeasured(t *testing.T) {
	var answered atomic.Int64
	crashes(t, t.Name(), func(c *crash, after time.Duration, r *rand.Rand) {
		c.kill("worker", after, r)
		status := c.wait()
		c.leavesNobody()
		if !c.exists() {
			if status != 5 || !strings.Contains(c.stderr.String(), "died before the start") {
				c.t.Errorf("status %d, want 5 for a worker that died before the start\n%s", status, c.stderr.String())
			}
			return
		}
		verdict := c.settled()
		deaths := len(c.observed(observation.KindDeath))
		if status != 5 {
			// It was killed when it had nothing left to do.
			if !hasVerdict(status) || deaths > 0 || verdict.has("incomplete") {
				c.t.Errorf("status %d with %d deaths, reasons %v", status, deaths, verdict.Verdict.Reasons)
			}
			return
		}
		if deaths != 1 || verdict.Verdict.Status != "invalid" || !verdict.has("incomplete") {
			c.t.Errorf("%d deaths, status %s, reasons %v; want 1, invalid, incomplete", deaths, verdict.Verdict.Status, verdict.Verdict.Reasons)
		}
		answered.Add(int64(c.keepsWhatWasMeasured()))
	})
	if answered.Load() == 0 {
		t.Error("no request was answered a second before a kill: nothing was tested")
	}
	t.Logf("%d requests were answered a second before a kill, and are in the records", answered.Load())
}

func TestAKilledServerIsCountedAndTheRunGoesOnToItsVerdict(t *testing.T) {
	var failed atomic.Int64
	crashes(t, t.Name(), func(c *crash, after time.Duration, r *rand.Rand) {
		c.kill("simulate", after, r)
		status := c.wait()
		c.leavesNobody()
		if !c.exists() {
			if status != 5 || !strings.Contains(c.stderr.String(), "assay: error: ") {
				c.t.Errorf("status %d, want 5 for a server that died before the load\n%s", status, c.stderr.String())
			}
			return
		}
		verdict := c.settled()
		if !hasVerdict(status) || verdict.has("incomplete") {
			c.t.Errorf("status %d, reasons %v: a dead server is no fault of the harness\n%s", status, verdict.Verdict.Reasons, c.stderr.String())
		}
		q := verdict.Requests
		if q.Due != q.OK+q.Failed+q.Censored || q.Local+q.Cancelled > 0 || (q.Failed > 0) != (len(verdict.Errors) > 0) {
			c.t.Errorf("requests %+v with %d kinds of error do not add up", q, len(verdict.Errors))
		}
		for rec := range c.records() {
			switch {
			case rec.Stream == "outside" && rec.Status != record.OK:
				c.t.Errorf("request %d to the other server: %v, %s", rec.Seq, rec.Status, rec.ErrorMessage)
			case rec.Stream == "inside" && rec.Status == record.Failed:
				failed.Add(1)
				if rec.ErrorKind != record.ErrConnect && rec.ErrorKind != record.ErrReset {
					c.t.Errorf("request %d to the dead server: %s, %s; want connect or reset", rec.Seq, rec.ErrorKind, rec.ErrorMessage)
				}
			}
		}
	})
	if failed.Load() == 0 {
		t.Error("no request failed: nothing was tested")
	}
	t.Logf("%d requests to dead servers were counted", failed.Load())
}

// noRoom runs with a disk of its own, so small that the journal fits and
// records.parquet does not; then the disk grows.
const noRoom = `
mkdir disk && mount -t tmpfs -o size=%dk tmpfs disk || exit 99
assay run crash.yaml --anyway --out disk/run --quiet 2>run.err; echo $? >run.status
assay recover disk/run 2>full.err; echo $? >full.status
mount -o remount,size=10m disk || exit 99
assay recover disk/run 2>recover.err; echo $? >recover.status
cp -r disk/run run
`

func TestADiskThatIsFullAtAnyPointLosesNothingThatWasWritten(t *testing.T) {
	url := serveTruth(t, "--preset", "fixed", "--set", "ttft=20ms", "--set", "itl=10ms")
	ends := 0 // that were reached before the disk was full
	for _, size := range []int{16, 48, 84, 104, 112, 120} {
		t.Run(fmt.Sprintf("%d KiB", size), func(t *testing.T) {
			c := &crash{t: t, url: url, dir: filepath.Join(t.TempDir(), "run")}
			folder := filepath.Dir(c.dir)
			if err := os.WriteFile(filepath.Join(folder, "crash.yaml"), fmt.Appendf(nil, victims, url), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", fmt.Sprintf(noRoom, size))
			cmd.Dir = folder
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Unshareflags: syscall.CLONE_NEWNS}
			if os.Getuid() != 0 {
				cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
				cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
				cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
			}
			if output, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: this test mounts a small disk\n%s", err, output)
			}
			said := func(name string) string {
				data, err := os.ReadFile(filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				return strings.TrimSpace(string(data))
			}
			if said("run.status") != "5" || !strings.Contains(said("run.err"), "no space left") || !strings.Contains(said("run.err"), "assay: hint: make room") {
				t.Errorf("run ended with %s: %s", said("run.status"), said("run.err"))
			}
			if said("recover.status") != "5" || !strings.Contains(said("recover.err"), "recovered ") {
				t.Errorf("recover ended with %s: %s", said("recover.status"), said("recover.err"))
			}
			if verdict := c.settled(); verdict.Verdict.Status != "invalid" || !verdict.has("incomplete") {
				t.Errorf("status %s, reasons %v; want invalid, incomplete", verdict.Verdict.Status, verdict.Verdict.Reasons)
			}
			n := 0
			for range c.records() {
				n++
			}
			if strings.Contains(said("run.err"), "records.parquet") {
				ends++
			}
			t.Logf("%d records; %s", n, said("run.err"))
		})
	}
	if ends == 0 {
		t.Error("no disk was full at the end of a run only: that was not tested")
	}
}
