package host

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/windows"
)

func readFacts() Facts {
	v := windows.RtlGetVersion()
	return Facts{
		CPUs: runtime.NumCPU(), Cores: float64(runtime.NumCPU()),
		Kernel: fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber),
	}
}
