package host

import (
	"runtime"

	"golang.org/x/sys/unix"
)

func readFacts() Facts {
	f := Facts{CPUs: runtime.NumCPU(), Cores: float64(runtime.NumCPU())}
	f.Kernel, _ = unix.Sysctl("kern.osrelease")
	f.CPU, _ = unix.Sysctl("machdep.cpu.brand_string")
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil {
		f.Memory = int64(n)
	}
	return f
}
