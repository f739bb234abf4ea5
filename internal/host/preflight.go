// Limits that a run would hit, found before it starts.
package host

import (
	"errors"
	"fmt"
)

// Preflight returns an error that names every limit of this machine that is
// too small for a process with this many descriptors, or for this many
// connections to one address at a time.
func Preflight(needFDs, needPorts int) error {
	var all []error
	if have, err := RaiseDescriptors(); err != nil {
		all = append(all, err)
	} else if have < needFDs {
		all = append(all, fmt.Errorf("a process needs %d descriptors and may have %d", needFDs, have))
	}
	if have, err := EphemeralPorts(); err != nil {
		all = append(all, err)
	} else if have < needPorts {
		all = append(all, fmt.Errorf("%d connections need as many local ports and there are %d", needPorts, have))
	}
	return errors.Join(all...)
}
