package run

// While the load runs: a look at every process and at the machine each second,
// the live line twice a second.

import (
	"maps"
	"slices"
	"sync"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/host"
	"assay/internal/observation"
)

const (
	lookEvery = time.Second
	showEvery = 500 * time.Millisecond
)

// phases are the instants of this run. Where only the records tell when the
// window ended, WindowEnd is -1.
func (a *attempt) phases() observation.Phases {
	var p observation.Phases
	var drain int64
	for i := range a.c.Streams {
		s := &a.c.Streams[i]
		p.WindowStart = max(p.WindowStart, int64(*s.Traffic.Warmup))
		drain = max(drain, int64(s.Traffic.Drain))
		end := windowEnd(s, a.c.Seed)
		if end < 0 || p.WindowEnd < 0 {
			p.WindowEnd = -1
		} else {
			p.WindowEnd = max(p.WindowEnd, end)
		}
	}
	p.DrainEnd = -1
	if p.WindowEnd >= 0 {
		p.DrainEnd = p.WindowEnd + drain
	}
	return p
}

// windowEnd is where a stream's window ends: by the clock, or one mean gap
// after the last request that is due; -1 when only the replies decide.
func windowEnd(s *contract.Stream, seed uint64) int64 {
	warmup := int64(*s.Traffic.Warmup)
	switch {
	case s.Traffic.Requests == 0:
		return warmup + int64(s.Traffic.Duration)
	case !s.OpenLoop():
		return -1
	}
	last := int64(0)
	for due := range arrival.Schedule(s.Arrival(), seed, s.Name, warmup, 0, s.Traffic.Requests) {
		last = due.At
	}
	return last + int64(s.Arrival().MeanGap())
}

// watch looks and shows until the returned function is called.
func (a *attempt) watch(phases observation.Phases) (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { a.look(done) })
	watching.Go(func() { a.show(done, phases) })
	return func() { close(done); watching.Wait() }
}

// A watched is one process under its number among the observations.
type watched struct {
	worker  int
	sampler *host.ProcessSampler
}

// processes are those to look at: this one, the embedded servers, and every worker.
func (a *attempt) processes() []watched {
	list := []watched{{observation.Coordinator, host.NewProcessSampler(0)}}
	for _, key := range slices.Sorted(maps.Keys(a.servers.started)) {
		list = append(list, watched{observation.Embedded, host.NewProcessSampler(a.servers.started[key].pid)})
	}
	for i, pid := range a.fleet.PIDs() {
		list = append(list, watched{i, host.NewProcessSampler(pid)})
	}
	return list
}

// look samples every process and the machine once a second.
func (a *attempt) look(done <-chan struct{}) {
	processes := a.processes()
	machine := host.NewMachineSampler()
	clock := time.NewTicker(lookEvery)
	defer clock.Stop()
	for {
		select {
		case <-done:
			return
		case <-clock.C:
		}
		processes = a.sample(processes, machine)
	}
}

// sample looks once, and returns the processes that are still there. The
// machine comes last: receipts count the processes before it as its own.
func (a *attempt) sample(processes []watched, machine *host.MachineSampler) []watched {
	var alive []watched
	for _, w := range processes {
		p, ok := w.sampler.Sample()
		if !ok {
			continue // it has ended; its last part-second is in no sample
		}
		alive = append(alive, w)
		if p.MaxProcs = a.maxProcs; w.worker < 0 {
			p.MaxProcs = max(1, int(host.Info().Cores))
		}
		a.observe(&w.worker, observation.Observation{Kind: observation.KindProcess, Process: &p})
		if w.worker != observation.Embedded {
			a.live.process(w.worker, p)
		}
	}
	m := machine.Sample()
	a.observe(nil, observation.Observation{Kind: observation.KindMachine, Machine: &m})
	offset := a.clock.Load().Sample()
	a.observe(nil, observation.Observation{Kind: observation.KindClock, Clock: &offset})
	return alive
}

// show hands the picture to whoever waits.
func (a *attempt) show(done <-chan struct{}, phases observation.Phases) {
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		p := a.live.snapshot(a.clock.Load().Now(), phases, longest(a.c))
		a.o.OnEvent(Event{Progress: &p})
	}
}
