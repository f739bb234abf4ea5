package run

// While the load runs: a look at every process and at the machine each second,
// the live line twice a second.

import (
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
	case s.Traffic.Concurrency > 0:
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

// look samples the CPU of every worker, of this process (worker -1) and of the machine.
func (a *attempt) look(done <-chan struct{}) {
	processes := map[int]*host.ProcessSampler{-1: host.NewProcessSampler(0)}
	for i, pid := range a.fleet.PIDs() {
		processes[i] = host.NewProcessSampler(pid)
	}
	machine := host.NewMachineSampler()
	clock := time.NewTicker(lookEvery)
	defer clock.Stop()
	for {
		select {
		case <-done:
			return
		case <-clock.C:
		}
		a.sample(processes, machine)
	}
}

func (a *attempt) sample(processes map[int]*host.ProcessSampler, machine *host.MachineSampler) {
	for worker := -1; worker < a.workers; worker++ {
		sampler := processes[worker]
		if sampler == nil {
			continue
		}
		p, alive := sampler.Sample()
		if !alive {
			delete(processes, worker) // it has ended; its last part-second is in no sample
			continue
		}
		p.MaxProcs = a.maxProcs
		if worker < 0 {
			p.MaxProcs = max(1, int(host.Info().Cores))
		}
		a.observe(&worker, observation.Observation{Kind: observation.KindProcess, Process: &p})
		a.live.process(worker, p)
	}
	m := machine.Sample()
	a.observe(nil, observation.Observation{Kind: observation.KindMachine, Machine: &m})
	offset := a.clock.Load().Sample()
	a.observe(nil, observation.Observation{Kind: observation.KindClock, Clock: &offset})
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
