package host

import "math"

// RaiseDescriptors has nothing to raise: handles have no limit that matters here.
func RaiseDescriptors() (int, error) { return math.MaxInt32, nil }

// EphemeralPorts is the number of local ports for connections to one address,
// as the system ships.
func EphemeralPorts() (int, error) { return 65535 - 49152 + 1, nil }
