package cli

// What doctor says of the kernel's counters, and which receipts rest on those
// that can't be read here.

import (
	"fmt"
	"strings"

	"assay/internal/host"
	"assay/internal/observation"
)

func pressureHere(m observation.Machine) finding {
	f := finding{Name: "pressure", Value: "no", Means: m.PressureUnavailable}
	if m.PressureUnavailable == "" {
		f.Value = share(m.Pressure, m.Interval)
		f.Means = "of the last half second some task waited for a CPU (PSI)"
	}
	return f
}

func throttlingHere(m observation.Machine) finding {
	f := finding{Name: "throttling", Value: "no", Means: m.ThrottledUnavail}
	switch {
	case m.ThrottledUnavail != "":
	case m.Throttled > 0:
		f.Value, f.Means = share(m.Throttled, m.Interval), "of the last half second a quota held tasks back"
		f.Lacks = "a quota of CPU holds the tasks of this control group back: late requests will be the client's"
	default:
		f.Value, f.Means = "0%", "no quota of CPU held tasks back in the last half second"
	}
	return f
}

func retransmitsHere(m observation.Machine) finding {
	if m.RetransmitsUnavail != "" {
		return finding{Name: "retransmits", Value: "no", Means: m.RetransmitsUnavail}
	}
	return finding{Name: "retransmits", Value: "yes", Means: "TCP segments that are sent again can be counted"}
}

func portsHere(m observation.Machine) finding {
	n, err := host.EphemeralPorts()
	if err != nil {
		return finding{Name: "ports", Value: "unknown", Means: err.Error()}
	}
	f := finding{Name: "ports", Value: fmt.Sprint(n), Means: "connections to one address at a time"}
	if m.PortsUnavailable != "" {
		f.Means += "; how many are taken is unknown: " + m.PortsUnavailable
	} else {
		f.Means += fmt.Sprintf("; TCP sockets open on this machine: %d, ports at rest: %d", m.Ports-m.PortsResting, m.PortsResting)
	}
	return f
}

// receiptsHere names the receipts that every run on this machine will lack.
func receiptsHere(p observation.Process, m observation.Machine, stamps bool) finding {
	var lacking []string
	for _, r := range []struct {
		names string
		here  bool
	}{
		{"cpu", p.Unavailable == ""},
		{"machine_cpu", m.Unavailable == ""},
		{"read_lag", stamps},
		{"pressure", m.PressureUnavailable == ""},
		{"throttling", m.ThrottledUnavail == ""},
		{"others", p.Unavailable == "" && m.Unavailable == ""},
		{"descriptors", p.FDs > 0 && p.FDsLimit > 0},
		{"ports", m.PortsUnavailable == ""},
		{"retransmits", m.RetransmitsUnavail == ""},
	} {
		if !r.here {
			lacking = append(lacking, r.names)
		}
	}
	if len(lacking) == 0 {
		return finding{Name: "receipts", Value: "all", Means: "nothing that a receipt rests on is hidden here"}
	}
	return finding{Name: "receipts", Value: "not all", Means: "every run here will call unavailable: " + strings.Join(lacking, ", ")}
}

func share(part, whole int64) string {
	if whole <= 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.0f%%", 100*min(1, float64(part)/float64(whole)))
}
