package cli

// A client whose core is taken by others must not rule on a server: the
// kernel gives the time to somebody else, and the receipts say so.

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// startOnOneCore starts commands that may use one core only, the same for all.
func startOnOneCore(t *testing.T, commands ...*exec.Cmd) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if before.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.SchedSetaffinity(0, &before); err != nil {
			t.Fatal(err)
		}
	}()
	for _, c := range commands {
		if err := c.Start(); err != nil { // a child inherits the thread's cores
			t.Fatal(err)
		}
	}
}

func TestARunWhoseCoreIsTakenByBusyLoopsIsInvalid(t *testing.T) {
	folder := t.TempDir()
	var stdout, stderr bytes.Buffer
	run := exec.CommandContext(t.Context(), "assay", "run", "--simulate", "fixed", "--rate", "20/s", "--duration", "4s", "--warmup", "1s",
		"--slo", "ttft p50 < 10s", "--processes", "2", "--input-tokens", "20", "--output-tokens", "20", "--json", "--out", "out")
	run.Dir, run.Stdout, run.Stderr = folder, &stdout, &stderr
	commands := []*exec.Cmd{run}
	for range 4 {
		commands = append(commands, exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done"))
	}
	startOnOneCore(t, commands...)
	err := run.Wait()
	for _, c := range commands[1:] {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 4 {
		t.Fatalf("run beside busy loops: %v, want exit status 4\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	var r struct {
		Verdict struct {
			Status  string
			Reasons []struct{ Code string }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	taken := slices.ContainsFunc(r.Verdict.Reasons, func(x struct{ Code string }) bool { return x.Code == "cpu" || x.Code == "machine_cpu" })
	if r.Verdict.Status != "invalid" || !taken {
		t.Errorf("verdict %+v, want invalid because of cpu or machine_cpu", r.Verdict)
	}
}
