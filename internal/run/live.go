package run

// What the live line shows. Histograms of limited precision serve here and
// nowhere else: results are made of exact values.

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay/internal/observation"
	"assay/internal/record"
)

// A live is the running picture of an attempt.
type live struct {
	mu       sync.Mutex
	workers  []observation.Progress
	ttft     *hdrhistogram.Histogram // µs
	itl      *hdrhistogram.Histogram // µs
	recent   [recentSeconds]int64    // completions by second
	cpu      []float64               // by worker, the last second
	coord    float64
	lastSlot int64
}

const recentSeconds = 5

func newLive(workers int) *live {
	h := func() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(time.Hour/time.Microsecond), 2) }
	return &live{workers: make([]observation.Progress, workers), cpu: make([]float64, workers), ttft: h(), itl: h()}
}

// record notes a finished request.
func (l *live) record(r *record.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Status == record.OK {
		l.roll(r.Ended)
		l.recent[(r.Ended/int64(time.Second))%recentSeconds]++
	}
	if !r.Streamed || len(r.Events) == 0 || r.Sent == record.None {
		return
	}
	_ = l.ttft.RecordValue(max(1, (r.Events[0].Arrived-r.Sent)/1000)) // beyond an hour it is not shown
	for i := 1; i < len(r.Events); i++ {
		_ = l.itl.RecordValue(max(1, (r.Events[i].Arrived-r.Events[i-1].Arrived)/1000))
	}
}

// roll clears the seconds that have come round.
func (l *live) roll(now int64) {
	slot := now / int64(time.Second)
	for ; l.lastSlot < slot; l.lastSlot++ {
		l.recent[(l.lastSlot+1)%recentSeconds] = 0
	}
}

func (l *live) progress(worker int, p observation.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.workers[worker] = p
}

func (l *live) process(worker int, p observation.Process) {
	if p.Interval <= 0 || p.MaxProcs <= 0 || p.Unavailable != "" {
		return
	}
	used := float64(p.CPU+p.Wait) / (float64(p.Interval) * float64(p.MaxProcs))
	l.mu.Lock()
	defer l.mu.Unlock()
	if worker < 0 {
		l.coord = used
	} else {
		l.cpu[worker] = used
	}
}

// snapshot is the picture at now (ns since the epoch).
func (l *live) snapshot(now int64, phases observation.Phases, planned time.Duration) Progress {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := Progress{Elapsed: time.Duration(max(0, now)), Planned: planned, CPU: l.coord}
	for i, w := range l.workers {
		p.Due += w.Due
		p.InFlight += w.InFlight
		p.Done += w.Done
		p.Failed += w.Failed
		p.CPU = max(p.CPU, l.cpu[i])
	}
	switch {
	case now < phases.WindowStart:
		p.Phase = "warm-up"
	case phases.WindowEnd < 0 || now < phases.WindowEnd:
		p.Phase = "window"
	default:
		p.Phase = "drain"
	}
	l.roll(now)
	seconds := min(recentSeconds-1, max(1, now/int64(time.Second)))
	for k := int64(1); k <= seconds; k++ { // whole seconds only, not the one that runs
		p.Rate += float64(l.recent[((now/int64(time.Second))-k+recentSeconds*2)%recentSeconds]) / float64(seconds)
	}
	if l.ttft.TotalCount() > 0 {
		p.TTFTp50 = float64(l.ttft.ValueAtQuantile(50)) / 1000
	}
	if l.itl.TotalCount() > 0 {
		p.ITLp50 = float64(l.itl.ValueAtQuantile(50)) / 1000
		p.ITLp99 = float64(l.itl.ValueAtQuantile(99)) / 1000
	}
	return p
}
