package host

import (
	"testing"
	"testing/fstest"
	"time"
)

func TestTheMemoryIsThatOfTheTightestGroup(t *testing.T) {
	for _, c := range []struct {
		name, own string
		files     fstest.MapFS
		want      int64
	}{
		{"version 2, limited above", "0::/a/b\n", fstest.MapFS{"a/b/memory.max": file("max\n"), "a/memory.max": file("1073741824\n")}, 1 << 30},
		{"version 2, limited most within", "0::/a/b\n", fstest.MapFS{"a/b/memory.max": file("512\n"), "a/memory.max": file("1024\n")}, 512},
		{"version 1", "3:cpu,cpuacct:/y\n4:memory:/x\n", fstest.MapFS{"memory/x/memory.limit_in_bytes": file("4096\n"), "memory/y/memory.limit_in_bytes": file("1\n")}, 4096},
		{"nothing there", "0::/\n", fstest.MapFS{}, 0},
	} {
		if got := newCgroup(c.own, c.files).memory(); got != c.want {
			t.Errorf("%s: memory() = %d, want %d", c.name, got, c.want)
		}
	}
}

func TestAPortRestsAMinuteUnlessTheKernelLendsItSooner(t *testing.T) {
	for _, c := range []struct {
		reuse    string
		loopback bool
		want     time.Duration
	}{
		{"0", true, time.Minute}, {"0", false, time.Minute},
		{"1", true, time.Second}, {"1", false, time.Second},
		{"2", true, time.Second}, {"2", false, time.Minute},
	} {
		if got := portRest(c.reuse, c.loopback); got != c.want {
			t.Errorf("portRest(%q, %v) = %v, want %v", c.reuse, c.loopback, got, c.want)
		}
	}
}

func TestRestingPortsAreReadFromTheSocketsOfTheMachine(t *testing.T) {
	const text = "sockets: used 13\nTCP: inuse 2 orphan 0 tw 102 alloc 2 mem 68\nUDP: inuse 0 mem 0\n"
	if got, ok := sockets(text, "TCP:", "tw"); got != 102 || !ok {
		t.Errorf("sockets = %d, %v, want 102", got, ok)
	}
	if got, ok := sockets("", "TCP:", "tw"); got != 0 || ok {
		t.Errorf("of nothing: %d, %v, want none", got, ok)
	}
}
