package worker

// A worker's own account, beside the records: progress twice a second, and
// each second what its runtime, its clock and its connections say.

import (
	"encoding/json"
	"sync"
	"time"

	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/record"
)

const (
	progressEvery = 500 * time.Millisecond
	runtimeEvery  = 2 // in progress reports
)

type reporter struct {
	w       *worker
	d       *dispatch.Dispatcher
	out     *outbox
	runtime *host.RuntimeSampler
	network *lookout
	stop    chan struct{}
	stopped sync.WaitGroup
}

func newReporter(w *worker, d *dispatch.Dispatcher, streams []dispatch.Stream, out *outbox) *reporter {
	r := &reporter{w: w, d: d, out: out, runtime: host.NewRuntimeSampler(), network: newLookout(streams), stop: make(chan struct{})}
	r.stopped.Go(r.run)
	return r
}

func (r *reporter) run() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-r.stop:
			return
		case <-tick.C:
		}
		r.progress(false)
		if n%runtimeEvery == 0 {
			rt := r.runtime.Sample()
			r.observe(observation.Observation{Kind: observation.KindRuntime, Runtime: &rt})
			offset := r.w.clock.Load().Sample()
			r.observe(observation.Observation{Kind: observation.KindClock, Clock: &offset})
			network := r.network.look()
			r.observe(observation.Observation{Kind: observation.KindNetwork, Network: &network})
		}
	}
}

// finish sends the last account; final says that the work was done.
func (r *reporter) finish(final bool) {
	close(r.stop)
	r.stopped.Wait()
	r.progress(final)
}

func (r *reporter) progress(final bool) {
	c := r.d.Counts()
	r.observe(observation.Observation{Kind: observation.KindProgress, Progress: &observation.Progress{
		Due: c.Due.Load(), Released: c.Released.Load(), InFlight: c.InFlight.Load(),
		Done: c.Done.Load(), Failed: c.Failed.Load(), Final: final,
	}})
}

func (r *reporter) observe(o observation.Observation) {
	o.T = r.w.now()
	worker := r.d.Worker
	o.Worker = &worker
	b, err := json.Marshal(o)
	if err != nil {
		panic("internal error: observation: " + err.Error())
	}
	r.out.frame(record.FrameObservation, b)
}
