// What the kernel counts beside CPU time: tasks that waited, a quota that held
// back, segments sent again, local ports that are taken.
package host

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"assay/internal/observation"
)

// counters reads all of them over and over; what one of them can't tell is
// said beside it and leaves the others alone.
type counters struct {
	proc        fs.FS // of /proc
	group       *cgroup
	pressure    growth
	throttled   growth
	retransmits growth
}

// sample fills in what each counter grew by since the sample before.
func (c *counters) sample(m *observation.Machine) {
	m.Pressure, m.PressureUnavailable = c.pressure.since(c.stalled())
	m.Throttled, m.ThrottledUnavail = c.throttled.since(c.group.throttled())
	m.Retransmits, m.RetransmitsUnavail = c.retransmits.since(c.resent())
	if err := c.ports(m); err != nil {
		m.PortsUnavailable = err.Error()
	}
}

// A growth remembers a counter, and where it was read: another place counts
// from elsewhere.
type growth struct {
	source string
	last   int64
}

func (g *growth) since(source string, now int64, err error) (grown int64, unavailable string) {
	if err != nil {
		return 0, err.Error()
	}
	if source == g.source {
		grown = now - g.last
	}
	g.source, g.last = source, now
	if grown < 0 {
		return 0, source + " ran backwards"
	}
	return grown, ""
}

// stalled is how long some task was waiting for a CPU, in ns: in this control
// group where it tells, else on the machine.
func (c *counters) stalled() (source string, ns int64, err error) {
	for _, p := range c.group.paths {
		if text, ok := c.group.read(p, "cpu.pressure"); ok {
			ns, err := parsePressure(text)
			return p, ns, err
		}
	}
	text, err := c.read("pressure/cpu")
	if err != nil {
		return "", 0, err
	}
	ns, err = parsePressure(text)
	return "/proc/pressure/cpu", ns, err
}

// parsePressure reads the total of "some avg10=0.00 avg60=0.00 avg300=0.00
// total=71755869", which is in µs.
func parsePressure(text string) (int64, error) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != "some" {
			continue
		}
		if total, ok := strings.CutPrefix(f[len(f)-1], "total="); ok {
			us, err := strconv.ParseInt(total, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("pressure: %w", err)
			}
			return us * 1000, nil
		}
	}
	return 0, fmt.Errorf("pressure is %q", text)
}

// resent counts the TCP segments that were sent again, IPv6 included, in the
// network namespace of this process. /proc/net/snmp has a line of names and
// one of values for each protocol.
func (c *counters) resent() (source string, segments int64, err error) {
	const name = "net/snmp"
	text, err := c.read(name)
	if err != nil {
		return "", 0, err
	}
	var names []string
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] != "Tcp:":
		case names == nil:
			names = f
		default:
			for i := range min(len(f), len(names)) {
				if names[i] == "RetransSegs" {
					segments, err = strconv.ParseInt(f[i], 10, 64)
					return name, segments, err
				}
			}
		}
	}
	return "", 0, errors.New("/proc/net/snmp does not count the TCP segments sent again")
}

// ports counts the TCP sockets of the machine, and the ports that connections
// may have. Both ends of a connection within the machine are sockets, and one
// port serves several addresses: listing the sockets would tell how many ports
// are taken, and be slow when they are many.
func (c *counters) ports(m *observation.Machine) error {
	limit, err := c.ephemeral()
	if err != nil {
		return err
	}
	text, err := c.read("net/sockstat")
	if err != nil {
		return err
	}
	open, ok := sockets(text, "TCP:", "inuse")
	if !ok {
		return errors.New("/proc/net/sockstat does not count TCP sockets")
	}
	resting, _ := sockets(text, "TCP:", "tw") // of IPv6 too
	six, err := c.read("net/sockstat6")
	if err != nil {
		six = "" // no IPv6 here
	}
	open6, _ := sockets(six, "TCP6:", "inuse")
	m.Ports, m.PortsResting, m.PortsLimit = open+open6+resting, resting, limit
	return nil
}

func (c *counters) ephemeral() (int, error) {
	span, err := c.read("sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return 0, err
	}
	reserved, err := c.read("sys/net/ipv4/ip_local_reserved_ports")
	if err != nil {
		reserved = "" // an old kernel reserves none
	}
	return countPorts(span, reserved)
}

// read names the file as people know it.
func (c *counters) read(name string) (string, error) {
	text, err := fs.ReadFile(c.proc, name)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return "", fmt.Errorf("read /proc/%s: %w", name, err)
	}
	return string(text), nil
}
