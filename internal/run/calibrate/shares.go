package calibrate

// Who took the machine during a probe: the client, the server beside it, and
// everything else. The server would not be there in a real run, so what it
// took says by how much the ceiling is too low.

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"

	"assay/internal/host"
	"assay/internal/observation"
)

// machineLimit is the usual limit of the receipt machine_cpu.
const machineLimit = 0.85

// shares are of all cores, 0–1; nil where they can't be read.
type shares struct {
	client, server, machine *float64
	serverUser              *float64 // of the server's, what it spent outside of the kernel
	worst                   float64  // the busiest process, as a part of what its receipt allows; 0: not known
}

// bound is what a rate would be at the least, had the server not been here:
// until the machine or the busiest process is at its limit. The kernel's part
// of the server stays on the bill, for over loopback the sender pays for much
// of the receiving. 0 where nothing better than the rate is known.
func (s shares) bound(rate float64) float64 {
	if s.machine == nil || s.serverUser == nil || s.worst <= 0 {
		return 0
	}
	left := *s.machine - *s.serverUser
	if left <= 0 {
		return 0
	}
	if factor := min(machineLimit/left, 1/s.worst); factor > 1 {
		return rate * factor
	}
	return 0
}

// account is who took what during the window.
func account(all []observation.Observation, server *serverCost) shares {
	var from, to int64
	for i := range all {
		if p := all[i].Phases; p != nil {
			from, to = p.WindowStart, p.WindowEnd
		}
	}
	var cores, machine, client float64
	readable := true
	for i := range all {
		o := &all[i]
		switch {
		case o.Machine != nil && o.T > from && o.T-o.Machine.Interval < to:
			cores += float64(o.Machine.Interval) * o.Machine.Cores
			machine += float64(o.Machine.Busy)
			readable = readable && o.Machine.Unavailable == ""
		case o.Process != nil && o.Worker != nil && *o.Worker >= observation.Coordinator && o.T > from && o.T-o.Process.Interval < to:
			client += float64(o.Process.CPU)
			readable = readable && o.Process.Unavailable == ""
		}
	}
	if !readable || cores == 0 {
		return shares{}
	}
	machine, client = machine/cores, client/cores
	s := shares{client: &client, machine: &machine}
	s.server, s.serverUser = server.shares()
	return s
}

// A serverCost counts what the server spends while the window is open.
type serverCost struct {
	mu         sync.Mutex
	pid        int
	sampler    *host.ProcessSampler
	user, all  int64 // ticks at the last look
	open       bool  // the last look was in the window
	cpu, span  int64 // ns
	usr, ticks int64
	unread     bool
}

func newServerCost(pid int) *serverCost {
	return &serverCost{pid: pid, sampler: host.NewProcessSampler(pid)}
}

// look counts what was spent since the last look, if both are in the window.
func (c *serverCost) look(inWindow bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, alive := c.sampler.Sample()
	user, all, err := ticks(c.pid)
	if !alive || p.Unavailable != "" {
		c.unread = true
	}
	if c.open && inWindow {
		c.cpu, c.span = c.cpu+p.CPU, c.span+p.Interval
		if err == nil {
			c.usr, c.ticks = c.usr+user-c.user, c.ticks+all-c.all
		}
	}
	c.open, c.user, c.all = inWindow, user, all
}

// shares are of all cores; nil where nothing was read.
func (c *serverCost) shares() (whole, user *float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unread || c.span == 0 {
		return nil, nil
	}
	w := float64(c.cpu) / (float64(c.span) * host.Info().Cores)
	if c.ticks == 0 {
		return &w, nil
	}
	u := w * float64(c.usr) / float64(c.ticks)
	return &w, &u
}

// ticks are a process's time outside of the kernel, and all of it, in the
// kernel's coarse unit: good for the ratio of the two.
func ticks(pid int) (user, all int64, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // a name may contain anything
	const utime = 11                                                // field 14 of the manual; the next is stime
	if len(fields) < utime+2 {
		return 0, 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	user, err = strconv.ParseInt(string(fields[utime]), 10, 64)
	if err != nil {
		return 0, 0, err
	}
	system, err := strconv.ParseInt(string(fields[utime+1]), 10, 64)
	return user, user + system, err
}
