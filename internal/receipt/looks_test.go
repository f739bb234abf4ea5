package receipt

// What the looks of each second add up to: pressure, throttling, segments,
// ports, descriptors, and whose the CPU was.

import (
	"math"
	"strings"
	"testing"

	"assay/internal/observation"
)

// looks are forty, one at the end of each second; shape changes the machine's
// of each second, and processes adds what was seen just before it.
func lookAt(shape func(s int, m *observation.Machine), processes ...func(s int) observation.Observation) []observation.Observation {
	var obs []observation.Observation
	for s := 1; s <= 40; s++ {
		for _, p := range processes {
			o := p(s)
			o.T, o.Kind = int64(s)*second, observation.KindProcess
			obs = append(obs, o)
		}
		m := observation.Machine{Interval: second, Cores: 2, PortsLimit: 1000}
		shape(s, &m)
		obs = append(obs, observation.Observation{T: int64(s) * second, Kind: observation.KindMachine, Machine: &m})
	}
	return obs
}

func idle(int, *observation.Machine) {}

// process of a worker that takes so much CPU each second.
func took(worker int, cpu int64, fds, limit int) func(int) observation.Observation {
	return func(int) observation.Observation {
		return observation.Observation{Worker: &worker, Process: &observation.Process{Interval: second, CPU: cpu, MaxProcs: 1, FDs: fds, FDsLimit: limit}}
	}
}

// told checks a receipt and a piece of its note.
func told(t *testing.T, name string, got Receipt, value float64, status Status, warns bool, note string) {
	t.Helper()
	check1(t, name, got, value, status)
	if got.Warns != warns || !strings.Contains(got.Note, note) {
		t.Errorf("%s: %s warns %v with %q, want %v with %q", name, got.Name, got.Warns, got.Note, warns, note)
	}
}

// The window is from 10 s to 30 s: the looks at 11…30 are in it, twenty.

func TestPressureIsTheShareOfTheWindowInWhichATaskWaited(t *testing.T) {
	at := func(ms ...int64) []observation.Observation {
		return lookAt(func(s int, m *observation.Machine) {
			if m.Pressure = 0; s > 10 && s-11 < len(ms) {
				m.Pressure = ms[s-11] * 1e6
			}
		})
	}
	r := pressure(evidence(at(800, 400), 0), usual)
	told(t, "1.2 s of 20", r, 0.06, Reported, false, "highest second 80%")
	if r.Spread.Max != 0.8 {
		t.Errorf("highest second %g, want 0.8", r.Spread.Max)
	}
	all := lookAt(func(_ int, m *observation.Machine) { m.Pressure = 5e8 })
	told(t, "half of every second", pressure(evidence(all, 0), usual), 0.5, Reported, true, "")
	told(t, "none", pressure(evidence(at(), 0), usual), 0, Reported, false, "")
	blind := lookAt(func(_ int, m *observation.Machine) { m.PressureUnavailable = "no PSI here" })
	told(t, "not here", pressure(evidence(blind, 0), usual), math.NaN(), Unavailable, false, "no PSI here")
	told(t, "no sample", pressure(evidence(nil, 0), usual), math.NaN(), Unavailable, false, "not sampled")
	half := lookAt(func(s int, m *observation.Machine) {
		if m.Pressure = 2e8; s > 20 {
			m.Pressure, m.PressureUnavailable = 0, "switched off"
		}
	})
	told(t, "half of the seconds", pressure(evidence(half, 0), usual), 0.2, Reported, false, "not of every second: switched off")
}

func TestAnOldRunsSilenceIsNoZero(t *testing.T) {
	old := lookAt(func(_ int, m *observation.Machine) { m.PortsLimit = 0 })
	for _, f := range []check{pressure, throttling, retransmits, ports} {
		r := f(evidence(old, 0), usual)
		told(t, "an old run", r, math.NaN(), Unavailable, false, "not looked at when the run was made")
	}
}

func TestThrottlingWarnsOfAnyTimeHeldBack(t *testing.T) {
	once := lookAt(func(s int, m *observation.Machine) {
		if s == 12 {
			m.Throttled = 1e8
		}
	})
	told(t, "0.1 s of 20", throttling(evidence(once, 0), usual), 0.005, Reported, true, "100 ms in all, in the worst second 10%")
	told(t, "never", throttling(evidence(lookAt(idle), 0), usual), 0, Reported, false, "")
	before := lookAt(func(s int, m *observation.Machine) {
		if s == 5 {
			m.Throttled = 1e8
		}
	})
	told(t, "before the window", throttling(evidence(before, 0), usual), 0, Reported, false, "")
	many := lookAt(func(_ int, m *observation.Machine) { m.Throttled = 3e9 })
	told(t, "three CPUs at a time", throttling(evidence(many, 0), usual), 1, Reported, true, "60000 ms")
	blind := lookAt(func(_ int, m *observation.Machine) { m.ThrottledUnavail = "no groups" })
	told(t, "not here", throttling(evidence(blind, 0), usual), math.NaN(), Unavailable, false, "no groups")
}

func TestRetransmitsWarnWhenTheyCanStandInAP99(t *testing.T) {
	each := lookAt(func(s int, m *observation.Machine) {
		if s%2 == 0 {
			m.Retransmits = 1 // ten in the window
		}
	})
	few := evidence(each, 0)
	few.sent = 1000
	told(t, "one for a hundred requests", retransmits(few, usual), 10, Reported, false, "")
	few.sent = 999
	told(t, "more", retransmits(few, usual), 10, Reported, true, "p99")
	told(t, "none and nothing sent", retransmits(evidence(lookAt(idle), 0), usual), 0, Reported, false, "")
	blind := lookAt(func(_ int, m *observation.Machine) { m.RetransmitsUnavail = "no snmp" })
	told(t, "not here", retransmits(evidence(blind, 0), usual), math.NaN(), Unavailable, false, "no snmp")
}

func TestDescriptorsAreThoseOfTheProcessNearestToItsLimit(t *testing.T) {
	calm := lookAt(idle, took(0, 0, 10, 100), took(1, 0, 300, 1000), took(-1, 0, 29, 100))
	told(t, "a worker", descriptors(evidence(calm, 0), usual), 0.3, Reported, false, "300 of the 1000 of worker 1")
	server := lookAt(idle, took(0, 0, 10, 100), took(-2, 0, 80, 100))
	told(t, "the server counts", descriptors(evidence(server, 0), usual), 0.8, Reported, true, "the embedded server")
	told(t, "no limit known", descriptors(evidence(lookAt(idle, took(0, 0, 9, 0)), 0), usual), math.NaN(), Unavailable, false, "could not be read")
	told(t, "none could be read", descriptors(evidence(lookAt(idle, took(0, 0, 0, 100)), 0), usual), math.NaN(), Unavailable, false, "could not be read")
	told(t, "no sample", descriptors(evidence(lookAt(idle), 0), usual), math.NaN(), Unavailable, false, "no process")
	late := lookAt(idle, func(s int) observation.Observation {
		if s > 30 {
			return took(0, 0, 99, 100)(s)
		}
		return took(0, 0, 10, 100)(s)
	})
	told(t, "after the window", descriptors(evidence(late, 0), usual), 0.1, Reported, false, "")
}

func TestPortsAreThoseOfThisClientAndThoseAtRest(t *testing.T) {
	taken := func(_ int, m *observation.Machine) { m.Ports, m.PortsResting = 900, 100 }
	client := took(0, 0, 950, 9999)
	told(t, "nearly all", ports(evidence(lookAt(taken, client), 0), usual), 0.9, Reported, true, "at most 900 of 1000")
	told(t, "half of the sockets are the server's", ports(evidence(lookAt(taken, took(-2, 0, 450, 9999), client), 0), usual), 0.45, Reported, false, "at most 450 of 1000")
	small := lookAt(taken, took(0, 0, 20, 9999), took(1, 0, 30, 9999), took(-1, 0, 500, 9999))
	told(t, "somebody else's sockets", ports(evidence(small, 0), usual), 0.15, Reported, false, "at most 150 of 1000")
	told(t, "no worker was seen", ports(evidence(lookAt(taken), 0), usual), 0.9, Reported, true, "")
	peak := lookAt(func(s int, m *observation.Machine) { m.Ports = s * 10 }, client)
	told(t, "the highest of the window", ports(evidence(peak, 0), usual), 0.3, Reported, false, "")
	blind := lookAt(func(_ int, m *observation.Machine) { m.PortsUnavailable = "no sockstat" }, client)
	told(t, "not here", ports(evidence(blind, 0), usual), math.NaN(), Unavailable, false, "no sockstat")
}

func TestWhoseTheCPUWas(t *testing.T) {
	busy := func(_ int, m *observation.Machine) { m.Busy = 1_500_000_000 } // of the 2 s that two cores have
	fleet := lookAt(busy, took(-1, 1e8, 9, 99), took(0, 3e8, 9, 99), took(1, 2e8, 9, 99), took(-2, 6e8, 9, 99))
	told(t, "1.5 − 0.1 − 0.3 − 0.2 − 0.6 s of 2", others(evidence(fleet, 0), usual), 0.15, Reported, false, "highest second 15%")
	told(t, "0.6 s of 2", serverCPU(evidence(fleet, 0), usual), 0.3, Reported, false, "highest second 30%")
	if r := cpu(evidence(fleet, 0), usual); r.Status != Holds || math.Abs(r.Value-0.3) > 1e-12 {
		t.Errorf("cpu = %g, %s: the server's 60%% are not the client's", r.Value, r.Status)
	}
	loop := lookAt(busy, took(0, 1e9, 9, 99))
	told(t, "somebody else's loop", others(evidence(loop, 0), usual), 0.25, Reported, true, "")
	told(t, "no embedded server", serverCPU(evidence(loop, 0), usual), math.NaN(), NotApplicable, false, "")
	ticks := lookAt(busy, took(0, 1_600_000_000, 9, 99))
	told(t, "more by the processes' clocks than by the machine's", others(evidence(ticks, 0), usual), 0, Reported, false, "")
	unread := lookAt(busy, func(s int) observation.Observation {
		o := took(-2, 0, 9, 99)(s)
		o.Process.Unavailable = "no clock"
		return o
	}, took(0, 1e8, 9, 99))
	told(t, "a process that can't be read", others(evidence(unread, 0), usual), math.NaN(), Unavailable, false, "no clock")
	told(t, "a server that can't be read", serverCPU(evidence(unread, 0), usual), math.NaN(), Unavailable, false, "no clock")
	if r := cpu(evidence(unread, 0), usual); r.Status != Holds {
		t.Errorf("cpu is %s (%s) for a server's sake", r.Status, r.Note)
	}
	blind := lookAt(func(_ int, m *observation.Machine) { m.Unavailable = "no /proc/stat" }, took(0, 1, 9, 99))
	told(t, "a machine that can't be read", others(evidence(blind, 0), usual), math.NaN(), Unavailable, false, "no /proc/stat")
	told(t, "nobody sampled", others(evidence(lookAt(busy), 0), usual), math.NaN(), Unavailable, false, "no process")
}
