// Facts of this machine that do not change while the program runs.
package host

import "sync"

// Facts are what the reports say of this machine.
type Facts struct {
	Cores  float64 // that this process may use: affinity mask, or less by cgroup
	CPUs   int     // of the affinity mask
	Kernel string  // its release; "" where unknown
	CPU    string  // model; "" where unknown
	Memory int64   // bytes that this process may use: the machine's, or less by cgroup; 0 where unknown
}

// Info returns the facts. They are read once: it may be called each second.
func Info() Facts { return facts() }

var facts = sync.OnceValue(readFacts)
