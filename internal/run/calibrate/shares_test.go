package calibrate

import (
	"math"
	"os"
	"testing"

	"assay/internal/observation"
)

func TestTheBoundLeavesTheServersKernelTimeOnTheBill(t *testing.T) {
	of := func(machine, user, worst float64) shares {
		return shares{machine: &machine, serverUser: &user, worst: worst}
	}
	for _, c := range []struct {
		why  string
		s    shares
		want float64
	}{
		{"the machine first: 0.85 ÷ (0.8 − 0.3)", of(0.8, 0.3, 0.4), 1700},
		{"a worker first: 1 ÷ 0.8", of(0.8, 0.3, 0.8), 1250},
		{"the server took nothing of its own and the machine is full", of(0.85, 0, 0.5), 0},
		{"a worker of which nothing is known", of(0.8, 0.3, 0), 0},
		{"a server that took more than the machine did", of(0.3, 0.4, 0.5), 0},
		{"nothing could be read", shares{worst: 0.5}, 0},
	} {
		if got := c.s.bound(1000); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: bound(1000) = %g, want %g", c.why, got, c.want)
		}
	}
}

func TestTheClientsShareIsThatOfItsWorkersAndCoordinatorInTheWindow(t *testing.T) {
	const s = int64(1e9)
	process := func(at int64, worker int, cpu int64) observation.Observation {
		return observation.Observation{T: at, Kind: observation.KindProcess, Worker: &worker, Process: &observation.Process{Interval: s, CPU: cpu}}
	}
	machine := func(at int64, busy int64) observation.Observation {
		return observation.Observation{T: at, Kind: observation.KindMachine, Machine: &observation.Machine{Interval: s, Cores: 2, Busy: busy}}
	}
	all := []observation.Observation{
		{Kind: observation.KindPhases, Phases: &observation.Phases{WindowStart: s, WindowEnd: 3 * s}},
		machine(s, 2*s), process(s, 0, s), // before the window
		machine(2*s, s), process(2*s, observation.Coordinator, s/10), process(2*s, 0, s/2), process(2*s, observation.Embedded, s),
		machine(3*s, 3*s/2), process(3*s, 0, s/2),
		machine(5*s, 2*s), process(5*s, 0, s), // after it
	}
	got := account(all, &serverCost{cpu: s, span: 2 * s, usr: 1, ticks: 4})
	// By hand: of 2 s × 2 cores, 2.5 s busy, 0.1 + 0.5 + 0.5 s by the client.
	if got.machine == nil || got.client == nil || math.Abs(*got.machine-0.625) > 1e-9 || math.Abs(*got.client-0.275) > 1e-9 {
		t.Errorf("machine %v, client %v, want 0.625 and 0.275", got.machine, got.client)
	}
	if got.server == nil || got.serverUser == nil || math.Abs(*got.serverUser / *got.server - 0.25) > 1e-9 {
		t.Errorf("server %v, outside of the kernel %v, want a quarter", got.server, got.serverUser)
	}
	all[3].Machine.Unavailable = "no /proc"
	if got := account(all, &serverCost{cpu: s, span: s}); got.client != nil || got.machine != nil {
		t.Errorf("with a second that could not be read: %+v, want nothing", got)
	}
}

func TestTheServersTimeCountsInTheWindowOnly(t *testing.T) {
	c := newServerCost(os.Getpid())
	c.look(false)
	c.look(true) // began before the window
	if whole, _ := c.shares(); whole != nil {
		t.Errorf("one look in the window: %v, want nothing", *whole)
	}
	c.look(true)
	inside := c.span
	c.look(false) // ended after it
	if whole, _ := c.shares(); whole == nil || c.span != inside || inside <= 0 {
		t.Errorf("two looks in the window: %v over %d ns, then %d, want the time between those two", whole, inside, c.span)
	}
	gone := newServerCost(1 << 30)
	gone.look(true)
	gone.look(true)
	if whole, user := gone.shares(); whole != nil || user != nil {
		t.Errorf("of a process that is not there: %v, %v, want nothing", whole, user)
	}
}
