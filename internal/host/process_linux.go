// What one process took of the CPUs, and how long it was kept waiting for
// one. Waiting is what makes a client late while its CPU time looks small.
package host

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"assay/internal/observation"
)

// A ProcessSampler samples one process over and over. It serves one
// goroutine at a time.
type ProcessSampler struct {
	pid     int
	folder  string
	started string           // tells the process from a later one with its number
	at      int64            // Monotonic of the last sample
	cpu     int64            // and the counters then
	waits   map[string]int64 // by thread
	limit   int              // of descriptors; 0: unknown
}

// NewProcessSampler returns a sampler of a process, or of this one for 0. The
// first interval begins here.
func NewProcessSampler(pid int) *ProcessSampler {
	if pid == 0 {
		pid = os.Getpid()
	}
	s := &ProcessSampler{pid: pid, folder: filepath.Join("/proc", strconv.Itoa(pid)), waits: map[string]int64{}}
	s.started, _ = s.state()
	// A process raises its limit when it starts, if at all: once is enough.
	var files unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &files) == nil {
		s.limit = int(min(files.Cur, math.MaxInt32))
	}
	s.Sample()
	return s
}

// Sample returns what the process took since the sample before, and whether
// it is still there. MaxProcs is for the caller to fill in.
func (s *ProcessSampler) Sample() (p observation.Process, alive bool) {
	started, alive := s.state()
	if !alive || started != s.started {
		return observation.Process{PID: s.pid}, false
	}
	now := Monotonic()
	p = observation.Process{PID: s.pid, Interval: now - s.at, RSS: s.rss(), FDs: s.descriptors(), FDsLimit: s.limit}
	s.at = now
	cpu, err := s.cpuTime()
	if err != nil {
		p.Unavailable = err.Error()
		return p, true
	}
	p.CPU, s.cpu = cpu-s.cpu, cpu
	if p.Wait, err = s.wait(cpu); err != nil {
		p.CPU, p.Wait, p.Unavailable = 0, 0, err.Error()
	}
	return p, true
}

// state returns the start time of the process, and whether it lives: one that
// ended and was not yet buried does not.
func (s *ProcessSampler) state() (started string, alive bool) {
	stat, err := os.ReadFile(s.folder + "/stat")
	if err != nil {
		return "", false
	}
	// The name before the last parenthesis may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const state, start = 0, 19 // fields 3 and 22 of the manual
	if len(fields) <= start {
		return "", false
	}
	return string(fields[start]), fields[state][0] != 'Z' && fields[state][0] != 'X'
}

// cpuTime is the time on a CPU of all threads, also of those that ended, to
// the nanosecond: the clock of another process.
func (s *ProcessSampler) cpuTime() (int64, error) {
	const scheduler = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^s.pid<<3|scheduler), &t); err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", s.pid, err)
	}
	return t.Nano(), nil
}

// wait is how long threads were runnable and waiting since the last sample.
// What a thread waited between then and its own end is lost.
func (s *ProcessSampler) wait(cpu int64) (int64, error) {
	tasks, err := os.ReadDir(s.folder + "/task")
	if err != nil {
		return 0, fmt.Errorf("read threads: %w", err)
	}
	waits := make(map[string]int64, len(tasks))
	var sum, ran int64
	for _, task := range tasks {
		text, err := os.ReadFile(filepath.Join(s.folder, "task", task.Name(), "schedstat"))
		if os.IsNotExist(err) {
			if _, gone := os.Stat(filepath.Join(s.folder, "task", task.Name())); gone != nil {
				continue // the thread has just ended
			}
		}
		if err != nil {
			return 0, fmt.Errorf("read the time spent waiting for a CPU: %w", err)
		}
		r, w, err := parseSchedstat(text)
		if err != nil {
			return 0, err
		}
		waits[task.Name()] = w
		ran += r
		if before := s.waits[task.Name()]; w >= before {
			sum += w - before
		} else {
			sum += w // another thread under the same number
		}
	}
	s.waits = waits
	if ran == 0 && cpu > int64(unaccounted) {
		return 0, fmt.Errorf("this kernel does not account for the time spent waiting for a CPU")
	}
	return sum, nil
}

// unaccounted is CPU time that can't be missing from schedstat where it counts.
const unaccounted = 1e8

// parseSchedstat reads "ran waited slices", ns and ns.
func parseSchedstat(text []byte) (ran, waited int64, err error) {
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, 0, fmt.Errorf("schedstat is %q", text)
	}
	if ran, err = strconv.ParseInt(string(fields[0]), 10, 64); err != nil {
		return 0, 0, fmt.Errorf("schedstat: %w", err)
	}
	if waited, err = strconv.ParseInt(string(fields[1]), 10, 64); err != nil {
		return 0, 0, fmt.Errorf("schedstat: %w", err)
	}
	return ran, waited, nil
}

func (s *ProcessSampler) rss() int64 {
	text, err := os.ReadFile(s.folder + "/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// descriptors is the number of open files. Newer kernels tell it as the size
// of the folder; listing tens of thousands each second would cost.
func (s *ProcessSampler) descriptors() int {
	var st unix.Stat_t
	if unix.Stat(s.folder+"/fd", &st) == nil && st.Size > 0 && st.Size < math.MaxInt32 {
		return int(st.Size)
	}
	f, err := os.Open(s.folder + "/fd")
	if err != nil {
		return 0
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return len(names)
}
