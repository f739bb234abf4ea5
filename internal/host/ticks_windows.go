// Where the monotonic clock comes from on Windows: Go's own advances there in
// steps of half a millisecond and more, so the performance counter is read.
package host

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32     = windows.NewLazySystemDLL("kernel32.dll")
	queryCounter = kernel32.NewProc("QueryPerformanceCounter")
	queryRate    = kernel32.NewProc("QueryPerformanceFrequency")
	counterRate  = sync.OnceValue(func() int64 { return ask(queryRate) })
)

// Monotonic is the performance counter in ns: one instant means the same in
// every process of the machine.
func Monotonic() int64 {
	rate, count := counterRate(), ask(queryCounter)
	// Whole seconds apart from the rest: the product would overflow.
	return count/rate*1e9 + count%rate*1e9/rate
}

func ask(p *windows.LazyProc) int64 {
	var v int64
	if ok, _, err := p.Call(uintptr(unsafe.Pointer(&v))); ok == 0 {
		panic("internal error: no performance counter: " + err.Error())
	}
	return v
}

// ticks is the counter itself.
type ticks struct{}

func newTicks() ticks { return ticks{} }

func (ticks) monotonic() int64 { return Monotonic() }
