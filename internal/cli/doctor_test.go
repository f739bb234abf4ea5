package cli

import (
	"strings"
	"testing"

	"assay/internal/observation"
)

func TestDoctorNamesTheReceiptsThatEveryRunHereWillLack(t *testing.T) {
	p := observation.Process{FDs: 9, FDsLimit: 99}
	if f := receiptsHere(p, observation.Machine{}, true); f.Value != "all" {
		t.Errorf("of a machine that hides nothing: %+v", f)
	}
	blind := observation.Machine{PressureUnavailable: "no PSI", PortsUnavailable: "no sockstat"}
	f := receiptsHere(observation.Process{Unavailable: "no schedstat"}, blind, false)
	if want := "cpu, read_lag, pressure, others, descriptors, ports"; f.Value != "not all" || !strings.HasSuffix(f.Means, ": "+want) {
		t.Errorf("got %+v, want %s", f, want)
	}
}

func TestDoctorSaysWhyACounterCantBeReadAndShowsNoZero(t *testing.T) {
	m := observation.Machine{Interval: 5e8, PressureUnavailable: "no PSI", ThrottledUnavail: "no groups", RetransmitsUnavail: "no snmp", PortsUnavailable: "no sockstat"}
	for _, c := range []struct {
		f    finding
		want string
	}{
		{pressureHere(m), "no PSI"}, {throttlingHere(m), "no groups"}, {retransmitsHere(m), "no snmp"}, {portsHere(m), "no sockstat"},
	} {
		if !strings.Contains(c.f.Means, c.want) || strings.Contains(c.f.Value, "%") {
			t.Errorf("%+v, want the reason %q", c.f, c.want)
		}
	}
	busy := observation.Machine{Interval: 5e8, Pressure: 1e8, Throttled: 5e7}
	if f := pressureHere(busy); f.Value != "20%" {
		t.Errorf("pressure %+v, want 20%%", f)
	}
	if f := throttlingHere(busy); f.Value != "10%" || f.Lacks == "" {
		t.Errorf("throttling %+v, want 10%% and a warning", f)
	}
	if f := throttlingHere(observation.Machine{Interval: 5e8}); f.Value != "0%" || f.Lacks != "" {
		t.Errorf("throttling %+v, want 0%%", f)
	}
}
