package host

import (
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"
)

func TestABusyCoreIsSeenOnTheMachine(t *testing.T) {
	s := NewMachineSampler()
	child := NewProcessSampler(startChild(t, "spin", -1).Process.Pid)
	s.Sample()
	child.Sample()
	pass(t, 500_000_000)
	p, _ := child.Sample()
	m := s.Sample()
	if m.Unavailable != "" {
		t.Fatal(m.Unavailable)
	}
	// Whatever else runs here, the child's time is part of it.
	if m.Busy < p.CPU*80/100 {
		t.Errorf("busy %d ms, the child alone took %d ms", m.Busy/1e6, p.CPU/1e6)
	}
	if limit := int64(float64(m.Interval) * m.Cores); m.Busy > limit {
		t.Errorf("busy %d ms of at most %d ms", m.Busy/1e6, limit/1e6)
	}
}

func TestOnlyTheCPUsOfTheMaskAreCounted(t *testing.T) {
	const stat = `cpu  600 0 600 6000 600 0 0 60 0 0
cpu0 100 10 100 1000 100 5 7 10 50 0
cpu1 200 0 200 2000 200 0 0 20 0 0
cpu2 300 0 300 3000 300 0 0 30 0 0
intr 1 2 3
`
	var set unix.CPUSet
	set.Set(0)
	set.Set(2)
	got, err := parseCPUTimes([]byte(stat), &set)
	// By hand: idle 1000+100+3000+300, steal 10+30, the rest 100+10+100+5+7 + 300+300.
	want := cpuTimes{idle: 4400 * 10_000_000, steal: 40 * 10_000_000, rest: 822 * 10_000_000}
	if got != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	var none unix.CPUSet
	none.Set(7)
	if _, err := parseCPUTimes([]byte(stat), &none); err == nil {
		t.Error("CPUs that are not there were counted")
	}
}

func TestTheQuotaIsThatOfTheTightestGroup(t *testing.T) {
	for _, c := range []struct {
		name, own string
		files     fstest.MapFS
		quota     float64
		usage     int64
	}{
		{
			"version 2, limited above", "0::/a/b\n",
			fstest.MapFS{
				"a/b/cpu.max": file("max 100000\n"), "a/cpu.max": file("150000 100000\n"),
				"a/b/cpu.stat": file("usage_usec 1234\nuser_usec 1\n"),
			},
			1.5, 1_234_000,
		},
		{
			"version 2, limited most within", "0::/a/b\n",
			fstest.MapFS{"a/b/cpu.max": file("25000 100000\n"), "a/cpu.max": file("150000 100000\n")},
			0.25, 0,
		},
		{
			"version 1", "3:cpu,cpuacct:/x\n4:memory:/x\n",
			fstest.MapFS{
				"cpu/x/cpu.cfs_quota_us": file("50000\n"), "cpu/x/cpu.cfs_period_us": file("100000\n"),
				"cpuacct/x/cpuacct.usage": file("77\n"),
			},
			0.5, 77,
		},
		{
			"a container that sees the host's path", "3:cpu:/docker/123\n5:cpuacct:/docker/123\n",
			fstest.MapFS{
				"cpu/cpu.cfs_quota_us": file("400000\n"), "cpu/cpu.cfs_period_us": file("100000\n"),
				"cpuacct/cpuacct.usage": file("88\n"),
			},
			4, 88,
		},
		{
			"no limit", "1:cpu:/\n0::/\n",
			fstest.MapFS{"cpu/cpu.cfs_quota_us": file("-1\n"), "cpu/cpu.cfs_period_us": file("100000\n")},
			0, 0,
		},
		{"nothing there", "", fstest.MapFS{}, 0, 0},
	} {
		g := newCgroup(c.own, c.files)
		usage, _ := g.usage()
		if got := g.quota(); got != c.quota || usage != c.usage {
			t.Errorf("%s: quota %v, usage %d; want %v, %d", c.name, got, usage, c.quota, c.usage)
		}
	}
}

func TestUnderAQuotaTheBusierViewCounts(t *testing.T) {
	files := fstest.MapFS{
		"cpu.max":  {Data: []byte("50000 100000")},
		"cpu.stat": {Data: []byte("usage_usec 400000")},
	}
	group := newCgroup("0::/", files)
	s := &MachineSampler{n: 2, group: group, counters: counters{proc: fstest.MapFS{}, group: group}}
	if got := s.cores(); got != 0.5 {
		t.Fatalf("cores = %v, want 0.5", got)
	}
	m := s.Sample()
	m.Interval, m.Cores, m.Busy, m.Steal = 1e9, 0.5, 4e8, 4e7 // 0.2 of two CPUs
	s.used = 0
	s.underQuota(&m)
	if m.Busy != 4e8 || m.Steal != 1e7 { // 0.4 s of the 0.5 s granted
		t.Errorf("busy %d, steal %d; want 400000000, 10000000", m.Busy, m.Steal)
	}
	m.Busy, s.used = 19e8, 399_000_000 // the CPUs are full of others
	s.underQuota(&m)
	if m.Busy != 475_000_000 {
		t.Errorf("busy %d, want 475000000", m.Busy)
	}
}

func TestReservedPortsAreNotCounted(t *testing.T) {
	for _, c := range []struct {
		span, reserved string
		want           int
	}{
		{"32768\t60999\n", "\n", 28232},
		{"1000 1999", "1500,1600-1609,1995-3000,5000", 1000 - 1 - 10 - 5},
	} {
		if got, err := countPorts(c.span, c.reserved); got != c.want || err != nil {
			t.Errorf("countPorts(%q, %q) = %d, %v, want %d", c.span, c.reserved, got, err, c.want)
		}
	}
	if _, err := countPorts("", ""); err == nil {
		t.Error("an empty range was read")
	}
}
