package host

import (
	"bufio"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

func readFacts() Facts {
	f := Facts{CPUs: runtime.NumCPU()}
	f.Cores = float64(f.CPUs)
	group := findCgroup()
	if q := group.quota(); q > 0 {
		f.Cores = min(f.Cores, q)
	}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		f.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	var memory unix.Sysinfo_t
	if unix.Sysinfo(&memory) == nil {
		f.Memory = int64(memory.Totalram) * int64(memory.Unit)
	}
	if m := group.memory(); m > 0 && (f.Memory == 0 || m < f.Memory) {
		f.Memory = m
	}
	f.CPU = cpuModel()
	return f
}

// cpuModel is the first "model name"; some architectures tell none.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
