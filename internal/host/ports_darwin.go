package host

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// EphemeralPorts is the number of local ports for connections to one address.
func EphemeralPorts() (int, error) {
	first, err := unix.SysctlUint32("net.inet.ip.portrange.first")
	if err != nil {
		return 0, fmt.Errorf("read the range of local ports: %w", err)
	}
	last, err := unix.SysctlUint32("net.inet.ip.portrange.last")
	if err != nil {
		return 0, fmt.Errorf("read the range of local ports: %w", err)
	}
	return int(last) - int(first) + 1, nil
}
