package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// EphemeralPorts is the number of local ports for connections to one address.
func EphemeralPorts() (int, error) {
	n, err := (&counters{proc: os.DirFS("/proc")}).ephemeral()
	if err != nil {
		return 0, fmt.Errorf("the range of local ports: %w", err)
	}
	return n, nil
}

// countPorts counts the ports of "32768 60999" without those of "40000,50000-50009".
func countPorts(span, reserved string) (int, error) {
	f := strings.Fields(span)
	if len(f) != 2 {
		return 0, fmt.Errorf("the range of local ports is %q", span)
	}
	first, err := strconv.Atoi(f[0])
	if err != nil {
		return 0, fmt.Errorf("the range of local ports: %w", err)
	}
	last, err := strconv.Atoi(f[1])
	if err != nil {
		return 0, fmt.Errorf("the range of local ports: %w", err)
	}
	n := last - first + 1
	for part := range strings.SplitSeq(strings.TrimSpace(reserved), ",") {
		from, to, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		b := a
		if isRange {
			if b, err = strconv.Atoi(to); err != nil {
				continue
			}
		}
		n -= max(0, min(b, last)-max(a, first)+1)
	}
	return n, nil
}
