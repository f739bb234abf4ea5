package cli

// A fleet that grows: one process whose core is taken by others is refused,
// and named as the limit; allowed to grow, and with the others gone, twice the
// processes settle what the first could not.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// grown is what these tests read of a result.
type grown struct {
	Verdict  ruledBy
	Client   struct{ Processes int }
	Attempts []struct {
		Processes int
		ruledBy
	}
}

type ruledBy struct {
	Status  string
	Reasons []struct{ Code string }
}

// names tells whether any of these codes is a reason.
func (r ruledBy) names(codes ...string) bool {
	return slices.ContainsFunc(r.Reasons, func(x struct{ Code string }) bool { return slices.Contains(codes, x.Code) })
}

// clientAlone wants a ruling against the client that more processes can mend.
func clientAlone(t *testing.T, r ruledBy) {
	t.Helper()
	if r.Status != "invalid" || !r.names("cpu", "send_lag", "read_lag") || r.names("machine_cpu", "incomplete") {
		t.Errorf("%+v, want invalid because of cpu or lag, and of nothing that the machine did", r)
	}
}

// besideLoops runs a command whose first worker shares one core with busy
// loops, which end when relief appears, and returns its exit status and output.
func besideLoops(t *testing.T, relief string, args ...string) (status int, output []byte) {
	t.Helper()
	url := serveTruth(t, "--preset", "fixed", "--set", "ttft=20ms", "--set", "itl=4ms")
	run := exec.Command("assay", append([]string{"run", "--url", url, "--rate", "20/s", "--duration", "5s", "--warmup", "1s", "--processes", "1",
		"--input-tokens", "20", "--output-tokens", "50", "--slo", "ttft p50 < 500ms", "--json"}, args...)...)
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() { disturb(t, run.Process.Pid, relief, done) })
	err := run.Wait()
	close(done)
	beside.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Logf("%s", stderr.Bytes())
	}
	return run.ProcessState.ExitCode(), stdout.Bytes()
}

// disturb pins the first worker of a run to one core and keeps that core busy
// until the run is done or a file appears.
func disturb(t *testing.T, coordinator int, relief string, done <-chan struct{}) {
	var core unix.CPUSet
	core.Set(allowed(t)[0])
	worker := 0
	for worker == 0 && again(done) {
		worker = workerOf(coordinator)
	}
	pin(worker, &core)
	var loops []*exec.Cmd
	for range 6 {
		loop := exec.Command("sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			t.Error(err)
			break
		}
		pin(loop.Process.Pid, &core)
		loops = append(loops, loop)
	}
	for again(done) {
		pin(worker, &core) // threads that it has started since
		if _, err := os.Stat(relief); err == nil {
			break
		}
	}
	for _, loop := range loops {
		_ = loop.Process.Kill()
		_ = loop.Wait()
	}
}

// again rests a moment and tells whether to go on.
func again(done <-chan struct{}) bool {
	select {
	case <-done:
		return false
	case <-time.After(5 * time.Millisecond):
		return true
	}
}

// workerOf is a worker that a coordinator has started; 0 when there is none. Go
// forks once for a moment before it starts the first process, to see what the
// kernel can do: a child need not be a worker.
func workerOf(pid int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that has ended there is none
		for _, field := range strings.Fields(string(text)) {
			command, _ := os.ReadFile("/proc/" + field + "/cmdline")
			if !bytes.HasSuffix(command, []byte("\x00worker\x00")) {
				continue
			}
			child, _ := strconv.Atoi(field)
			return child
		}
	}
	return 0
}

// pin keeps every thread of a process, which may have ended, on a core.
func pin(pid int, core *unix.CPUSet) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		_ = unix.SchedSetaffinity(tid, core)
	}
}

// allowed are the cores that this process may use.
func allowed(t *testing.T) []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Error(err)
	}
	var list []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list
}

// needsTwoCores tells whether there is a second core to grow to.
func needsTwoCores(t *testing.T) bool {
	if runtime.NumCPU() < 2 {
		t.Log("there is no second core to grow to")
		return false
	}
	return true
}

func TestOneProcessWhoseCoreIsTakenIsRefusedAndNamedAsTheLimit(t *testing.T) {
	if !needsTwoCores(t) {
		return
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, output := besideLoops(t, filepath.Join(dir, "never"), "--no-grow", "--out", dir)
	if status != 4 {
		t.Fatalf("exit status %d, want 4\n%s", status, output)
	}
	var r grown
	if err := json.Unmarshal(output, &r); err != nil {
		t.Fatal(err)
	}
	clientAlone(t, r.Verdict)
	if len(r.Attempts) != 1 {
		t.Errorf("%d attempts, want 1: it was not to grow", len(r.Attempts))
	}
}

func TestTwiceTheProcessesPassWhereOneWasTheLimit(t *testing.T) {
	if !needsTwoCores(t) {
		return
	}
	for try := 1; ; try++ {
		dir := filepath.Join(t.TempDir(), "run")
		first := filepath.Join(dir, "attempts", "1")
		status, output := besideLoops(t, first, "--out", dir)
		var r grown
		if err := json.Unmarshal(output, &r); err != nil {
			t.Fatalf("exit status %d, %v\n%s", status, err, output)
		}
		if len(r.Attempts) > 1 && r.Attempts[1].Status == "invalid" && try < 4 {
			t.Log("attempt 2 is invalid too: this machine was busy; once more")
			continue
		}
		if status != 0 || r.Verdict.Status != "pass" || r.Client.Processes != 2 || len(r.Attempts) != 2 {
			t.Fatalf("exit status %d, %+v; want 0 and a pass by 2 processes after 2 attempts", status, r)
		}
		clientAlone(t, r.Attempts[0].ruledBy)
		if a := r.Attempts; a[0].Processes != 1 || a[1].Processes != 2 || a[1].Status != "pass" {
			t.Errorf("attempts %+v, want 1 process, and a pass by 2", a)
		}
		judgedAlone(t, first, 1)
		return
	}
}

// judgedAlone wants a folder to be a run's like any other, and to be refused.
func judgedAlone(t *testing.T, dir string, processes int) {
	t.Helper()
	written, err := os.ReadFile(filepath.Join(dir, resultName))
	if err != nil {
		t.Fatal(err)
	}
	judged, err := exec.Command("assay", "judge", dir, "--json").Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 4 || !bytes.Equal(judged, written) {
		t.Errorf("judge %s: %v, want exit status 4 and the bytes of its result", dir, err)
	}
	var r grown
	if err := json.Unmarshal(judged, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Attempts) != 1 || r.Client.Processes != processes {
		t.Errorf("%d attempts by %d processes, want 1 by %d", len(r.Attempts), r.Client.Processes, processes)
	}
	clientAlone(t, r.Verdict)
}
