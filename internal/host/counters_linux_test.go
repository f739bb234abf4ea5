package host

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"assay/internal/observation"
)

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

// The files as a kernel wrote them; by hand: 90 ports less one that is reserved.
func procFiles() fstest.MapFS {
	return fstest.MapFS{
		"pressure/cpu": file("some avg10=22.11 avg60=19.63 avg300=10.70 total=71755869\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n"),
		"net/snmp": file("Ip: Forwarding RetransSegs\nIp: 1 99\n" +
			"Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\n" +
			"Tcp: 1 200 120000 -1 17532 17512 0 659 20002 8493956 8490568 12 0 492 0\n"),
		"net/sockstat":                         file("sockets: used 20020\nTCP: inuse 4 orphan 0 tw 16 alloc 20004 mem 0\nUDP: inuse 7 mem 0\n"),
		"net/sockstat6":                        file("TCP6: inuse 2\nUDP6: inuse 9\n"),
		"sys/net/ipv4/ip_local_port_range":     file("1001\t1090\n"),
		"sys/net/ipv4/ip_local_reserved_ports": file("1005\n"),
	}
}

func TestCountersTellWhatGrewSinceTheSampleBefore(t *testing.T) {
	proc := procFiles()
	group := fstest.MapFS{
		"a/cpu.max":  file("50000 100000\n"),
		"a/cpu.stat": file("usage_usec 9\nnr_periods 4\nnr_throttled 2\nthrottled_usec 700\n"),
	}
	c := counters{proc: proc, group: newCgroup("0::/a\n", group)}
	var first, second observation.Machine
	c.sample(&first)
	if want := (observation.Machine{Ports: 4 + 2 + 16, PortsResting: 16, PortsLimit: 89}); first != want {
		t.Errorf("first sample %+v, want %+v", first, want)
	}
	proc["pressure/cpu"] = file("some avg10=0.00 avg60=0.00 avg300=0.00 total=71756000\n")
	proc["net/snmp"] = file("Tcp: OutSegs RetransSegs\nTcp: 900 15\n")
	group["a/cpu.stat"] = file("throttled_usec 1200\n")
	delete(proc, "net/sockstat6") // a machine without IPv6
	c.sample(&second)
	if want := (observation.Machine{Pressure: 131_000, Throttled: 500_000, Retransmits: 3, Ports: 4 + 16, PortsResting: 16, PortsLimit: 89}); second != want {
		t.Errorf("second sample %+v, want %+v", second, want)
	}
	proc["net/snmp"] = file("Tcp: OutSegs RetransSegs\nTcp: 0 0\n")
	c.sample(&second)
	if second.Retransmits != 0 || second.RetransmitsUnavail != "net/snmp ran backwards" {
		t.Errorf("after a counter ran backwards: %+v", second)
	}
}

func TestCountersThatCantBeReadSayWhyAndAreNotZero(t *testing.T) {
	var m observation.Machine
	c := counters{proc: fstest.MapFS{}, group: newCgroup("", fstest.MapFS{})}
	c.sample(&m)
	for _, x := range []struct{ got, want string }{
		{m.PressureUnavailable, "read /proc/pressure/cpu: file does not exist"},
		{m.ThrottledUnavail, "no control group can be seen here"},
		{m.RetransmitsUnavail, "read /proc/net/snmp: file does not exist"},
		{m.PortsUnavailable, "read /proc/sys/net/ipv4/ip_local_port_range: file does not exist"},
	} {
		if x.got != x.want {
			t.Errorf("got %q, want %q", x.got, x.want)
		}
	}
	strange := procFiles()
	strange["pressure/cpu"] = file("")
	strange["net/snmp"] = file("Tcp: InSegs\nTcp: 1\n")
	strange["net/sockstat"] = file("sockets: used 1\n")
	c = counters{proc: strange, group: newCgroup("0::/\n", fstest.MapFS{"cpu.max": file("50000 100000"), "cpu.stat": file("usage_usec 1\n")})}
	c.sample(&m)
	for _, got := range []string{m.PressureUnavailable, m.ThrottledUnavail, m.RetransmitsUnavail, m.PortsUnavailable} {
		if got == "" {
			t.Errorf("a file that can't be understood was read: %+v", m)
		}
	}
}

func TestPressureIsThatOfTheOwnGroupWhereItTells(t *testing.T) {
	group := fstest.MapFS{"unified/cpu.pressure": file("some avg10=0 avg60=0 avg300=0 total=8\n"), "unified/a/x": file("")}
	c := counters{proc: procFiles(), group: newCgroup("1:cpu:/\n0::/a\n", group)}
	if source, ns, err := c.stalled(); source != "unified" || ns != 8000 || err != nil {
		t.Errorf("stalled() = %q, %d, %v, want unified, 8000", source, ns, err)
	}
	c.group = newCgroup("1:cpu:/\n0::/a\n", fstest.MapFS{})
	if source, ns, err := c.stalled(); source != "/proc/pressure/cpu" || ns != 71_755_869_000 || err != nil {
		t.Errorf("stalled() = %q, %d, %v, want the machine's", source, ns, err)
	}
}

func TestThrottlingIsThatOfTheTightestGroup(t *testing.T) {
	const v1 = "nr_periods 10\nnr_throttled 3\nthrottled_time 77\n"
	for _, x := range []struct {
		name, own string
		files     fstest.MapFS
		source    string
		ns        int64
		fails     bool
	}{
		{"version 1", "1:cpu:/x\n", fstest.MapFS{"cpu/x/cpu.cfs_quota_us": file("5"), "cpu/x/cpu.cfs_period_us": file("10"), "cpu/x/cpu.stat": file(v1)}, "cpu/x", 77, false},
		{"the tighter one is above", "0::/a/b\n", fstest.MapFS{
			"a/b/cpu.max": file("90 100"), "a/b/cpu.stat": file("throttled_usec 1"),
			"a/cpu.max": file("10 100"), "a/cpu.stat": file("throttled_usec 6")}, "a", 6000, false},
		{"no quota holds nothing back", "1:cpu:/\n", fstest.MapFS{"cpu/cpu.cfs_quota_us": file("-1"), "cpu/cpu.stat": file(v1)}, "", 0, false},
		{"no group", "", fstest.MapFS{}, "", 0, true},
	} {
		source, ns, err := newCgroup(x.own, x.files).throttled()
		if source != x.source || ns != x.ns || (err != nil) != x.fails {
			t.Errorf("%s: throttled() = %q, %d, %v, want %q, %d", x.name, source, ns, err, x.source, x.ns)
		}
	}
}

func TestAQuotaThatIsSetLaterCountsFromThere(t *testing.T) {
	group := fstest.MapFS{"cpu.max": file("max 100000"), "cpu.stat": file("throttled_usec 9000000")}
	c := counters{proc: procFiles(), group: newCgroup("0::/", group)}
	var m observation.Machine
	for i, x := range []struct {
		quota, stat string
		want        int64
	}{
		{"max 100000", "throttled_usec 9000000", 0},
		{"50000 100000", "throttled_usec 9000100", 0}, // since when, nobody knows
		{"50000 100000", "throttled_usec 9000150", 50_000},
	} {
		group["cpu.max"], group["cpu.stat"] = file(x.quota), file(x.stat)
		if c.sample(&m); m.Throttled != x.want || m.ThrottledUnavail != "" {
			t.Errorf("sample %d: %d, %q, want %d", i, m.Throttled, m.ThrottledUnavail, x.want)
		}
	}
}

func TestTheDescriptorsOfAProcessHaveItsOwnLimit(t *testing.T) {
	var own syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &own); err != nil {
		t.Fatal(err)
	}
	p, _ := NewProcessSampler(0).Sample()
	if want := int(min(own.Cur, math.MaxInt32)); p.FDsLimit != want {
		t.Errorf("FDsLimit = %d, want %d", p.FDsLimit, want)
	}
	child := startChild(t, "idle", -1)
	text, err := os.ReadFile("/proc/" + strconv.Itoa(child.Process.Pid) + "/limits") // another way to learn it
	if err != nil {
		t.Fatal(err)
	}
	p, _ = NewProcessSampler(child.Process.Pid).Sample()
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Max open files"); ok && strings.Fields(rest)[0] != strconv.Itoa(p.FDsLimit) {
			t.Errorf("FDsLimit = %d, the kernel says %s", p.FDsLimit, rest)
		}
	}
}

func BenchmarkMachineSample(b *testing.B) {
	s := NewMachineSampler()
	for b.Loop() {
		s.Sample()
	}
}
