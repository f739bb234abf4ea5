// How busy the CPUs are that this run may use, whoever uses them.
package host

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"assay/internal/observation"
)

// A MachineSampler samples the CPUs of this process's affinity mask over and
// over. Where a cgroup grants less than they are, its quota is the machine.
// It serves one goroutine at a time.
type MachineSampler struct {
	cpus     unix.CPUSet
	n        int
	group    *cgroup
	counters counters
	at       int64
	last     cpuTimes
	used     int64 // by the cgroup
}

// NewMachineSampler returns a sampler whose first interval begins here.
func NewMachineSampler() *MachineSampler {
	group := findCgroup()
	s := &MachineSampler{group: group, counters: counters{proc: os.DirFS("/proc"), group: group}}
	if unix.SchedGetaffinity(0, &s.cpus) == nil {
		s.n = s.cpus.Count()
	}
	s.Sample()
	return s
}

// Sample returns what was used since the sample before.
func (s *MachineSampler) Sample() observation.Machine {
	now := Monotonic()
	m := observation.Machine{Interval: now - s.at, Cores: s.cores()}
	s.at = now
	s.counters.sample(&m)
	if err := s.busy(&m); err != nil {
		m.Unavailable = err.Error()
	}
	return m
}

// busy fills in what was used of the CPUs.
func (s *MachineSampler) busy(m *observation.Machine) error {
	if s.n == 0 {
		return errors.New("read the affinity mask")
	}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return err
	}
	t, err := parseCPUTimes(text, &s.cpus)
	if err != nil {
		return err
	}
	first := s.last == cpuTimes{}
	d := t.minus(s.last)
	s.last = t
	wall := m.Interval * int64(s.n)
	if !first && d.total() < wall/2 && m.Interval > minInterval {
		return errors.New("the CPU times in /proc/stat do not move")
	}
	// What was not idle: time on a CPU is counted by ticks, idle time exactly.
	m.Busy = min(max(0, wall-d.idle), wall)
	m.Steal = min(d.steal, m.Busy)
	s.underQuota(m)
	return nil
}

// minInterval is below what ticks of 10 ms can tell.
const minInterval = 100_000_000

// cores is what this process may use: CPUs, or less by quota.
func (s *MachineSampler) cores() float64 {
	if q := s.group.quota(); q > 0 && q < float64(s.n) {
		return q
	}
	return float64(s.n)
}

// underQuota brings Busy and Steal to the quota: the share is that of the
// CPUs or that of the quota, whichever is larger.
func (s *MachineSampler) underQuota(m *observation.Machine) {
	used, ok := s.group.usage()
	d := used - s.used
	s.used = used
	if m.Cores >= float64(s.n) {
		return
	}
	scale := m.Cores / float64(s.n)
	m.Busy, m.Steal = int64(float64(m.Busy)*scale), int64(float64(m.Steal)*scale)
	if ok {
		m.Busy = max(m.Busy, min(d, int64(float64(m.Interval)*m.Cores)))
	}
}

// cpuTimes are sums over CPUs, in ns.
type cpuTimes struct{ idle, steal, rest int64 }

func (t cpuTimes) total() int64 { return t.idle + t.steal + t.rest }

func (t cpuTimes) minus(o cpuTimes) cpuTimes {
	return cpuTimes{t.idle - o.idle, t.steal - o.steal, t.rest - o.rest}
}

// tick is USER_HZ, 100 on every Linux.
const tick = 10_000_000

// parseCPUTimes sums the lines of /proc/stat that belong to CPUs of the set:
// cpuN user nice system idle iowait irq softirq steal guest guest_nice, where
// the guests are in user and nice already.
func parseCPUTimes(stat []byte, set *unix.CPUSet) (cpuTimes, error) {
	var t cpuTimes
	seen := 0
	for line := range bytes.Lines(stat) {
		fields := bytes.Fields(line)
		if len(fields) < 9 || !bytes.HasPrefix(fields[0], []byte("cpu")) {
			continue
		}
		n, err := strconv.Atoi(string(fields[0][3:]))
		if err != nil || !set.IsSet(n) {
			continue // the sum over all, or not ours
		}
		seen++
		for i, f := range fields[1:9] {
			v, err := strconv.ParseInt(string(f), 10, 64)
			if err != nil {
				return t, fmt.Errorf("/proc/stat: %w", err)
			}
			switch i {
			case 3, 4: // idle, and waiting for a disk
				t.idle += v * tick
			case 7:
				t.steal += v * tick
			default:
				t.rest += v * tick
			}
		}
	}
	if seen == 0 {
		return t, errors.New("/proc/stat has none of this process's CPUs")
	}
	return t, nil
}
