// Package host is this machine as the instrument sees it: its clocks, a sleep
// that ends at an instant, samples of CPU, waiting and memory, and the limits
// that a run would hit. It judges nothing: what can't be read here is said to
// be unavailable, with the reason, and is never zero. Linux is the measured
// case; other systems compile, and say what they lack.
package host
