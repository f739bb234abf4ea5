package host

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// role names what this test binary does when it is started as a child.
const role = "ASSAY_HOST_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "spin": // until the parent hangs up
		os.Stdout.WriteString("here\n")
		go func() {
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		for n := uint(0); ; n++ {
		}
	case "idle":
		os.Stdout.WriteString("here\n")
		io.Copy(io.Discard, os.Stdin)
	}
}

// startChild starts this binary in a role, on one core if core ≥ 0, and
// returns when it runs.
func startChild(t *testing.T, name string, core int) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), role+"="+name)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// A child inherits the affinity of the thread that starts it.
	runtime.LockOSThread()
	var before, only unix.CPUSet
	if core >= 0 {
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			t.Fatal(err)
		}
		only.Set(core)
		if err := unix.SchedSetaffinity(0, &only); err != nil {
			t.Fatal(err)
		}
	}
	err = cmd.Start()
	if core >= 0 {
		if err := unix.SchedSetaffinity(0, &before); err != nil {
			t.Fatal(err)
		}
	}
	runtime.UnlockOSThread()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
		t.Fatalf("child said %q, %v", line, err)
	}
	return cmd
}

// pass lets real time go by: the kernel's accounting has no other clock.
func pass(t *testing.T, ns int64) {
	t.Helper()
	s, c := newSleeper(t)
	if err := s.Until(t.Context(), c.Now()+ns); err != nil {
		t.Fatal(err)
	}
}

// ticks10ms reads utime + stime of a process: another account of the same,
// in steps of 10 ms.
func ticks10ms(t *testing.T, pid int) int64 {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	user, _ := strconv.ParseInt(string(f[11]), 10, 64)
	system, _ := strconv.ParseInt(string(f[12]), 10, 64)
	return (user + system) * 10_000_000
}

func TestTheCPUOfABusyChildIsSeen(t *testing.T) {
	pid := startChild(t, "spin", -1).Process.Pid
	s := NewProcessSampler(pid)
	before := ticks10ms(t, pid)
	pass(t, 400_000_000)
	want := ticks10ms(t, pid) - before
	p, alive := s.Sample()
	if !alive || p.Unavailable != "" || p.PID != pid {
		t.Fatalf("Sample = %+v, alive %v", p, alive)
	}
	if p.CPU < want-20_000_000 || p.CPU > want+60_000_000 {
		t.Errorf("CPU = %d ms, the kernel's ticks say %d ms", p.CPU/1e6, want/1e6)
	}
	// It always wants a CPU: what it does not get it waits for, however busy
	// this machine is with other things. (Its other threads may wait too.)
	if p.CPU+p.Wait < p.Interval*9/10 || p.CPU > p.Interval*11/10 {
		t.Errorf("CPU %d ms + waiting %d ms in %d ms", p.CPU/1e6, p.Wait/1e6, p.Interval/1e6)
	}
	if p.RSS < 1<<20 || p.FDs < 3 {
		t.Errorf("RSS %d, FDs %d", p.RSS, p.FDs)
	}
}

func TestTwoBusyChildrenOnOneCoreAreSeenWaiting(t *testing.T) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		t.Fatal(err)
	}
	core := 0
	for !mask.IsSet(core) {
		core++
	}
	a := NewProcessSampler(startChild(t, "spin", core).Process.Pid)
	b := NewProcessSampler(startChild(t, "spin", core).Process.Pid)
	a.Sample()
	b.Sample()
	pass(t, 600_000_000)
	pa, _ := a.Sample()
	pb, _ := b.Sample()
	// One core for two: they wait at least as long as they run together, but
	// for what the scheduler books late.
	if cpu, wait := pa.CPU+pb.CPU, pa.Wait+pb.Wait; cpu > pa.Interval*105/100 || wait < pa.Interval*85/100 {
		t.Errorf("together %d ms of CPU and %d ms of waiting in %d ms on one core", cpu/1e6, wait/1e6, pa.Interval/1e6)
	}
	for _, p := range []int64{pa.Wait, pb.Wait} {
		if p < pa.Interval/4 {
			t.Errorf("one waited only %d ms of %d ms", p/1e6, pa.Interval/1e6)
		}
	}
}

func TestAnIdleChildTakesNothing(t *testing.T) {
	s := NewProcessSampler(startChild(t, "idle", -1).Process.Pid)
	pass(t, 100_000_000)
	p, alive := s.Sample()
	if !alive || p.Unavailable != "" || p.CPU > p.Interval/4 || p.CPU < 0 || p.Wait < 0 {
		t.Errorf("Sample = %+v, alive %v", p, alive)
	}
}

func TestAChildThatEndedIsNotAlive(t *testing.T) {
	cmd := startChild(t, "spin", -1)
	s := NewProcessSampler(cmd.Process.Pid)
	cmd.Process.Kill()
	// Unburied at first, then gone.
	for range 1000 {
		if _, alive := s.Sample(); !alive {
			break
		}
		pass(t, 1_000_000)
	}
	if _, alive := s.Sample(); alive {
		t.Error("an unburied child is alive")
	}
	cmd.Wait()
	if _, alive := s.Sample(); alive {
		t.Error("a child that is gone is alive")
	}
}

func TestThisProcessCanBeSampled(t *testing.T) {
	s := NewProcessSampler(0)
	p, alive := s.Sample()
	if !alive || p.PID != os.Getpid() || p.Unavailable != "" {
		t.Errorf("Sample = %+v, %v", p, alive)
	}
}

func TestSchedstatIsReadAsRanAndWaited(t *testing.T) {
	ran, waited, err := parseSchedstat([]byte("277101 72046 3\n"))
	if ran != 277101 || waited != 72046 || err != nil {
		t.Errorf("got %d, %d, %v", ran, waited, err)
	}
	for _, bad := range []string{"", "1", "a b c"} {
		if _, _, err := parseSchedstat([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
