package run

import (
	"testing"
	"time"

	"assay/internal/observation"
	"assay/internal/record"
)

func finished(ended time.Duration, arrivals ...time.Duration) *record.Record {
	r := record.New("main", 0)
	r.Status, r.Streamed, r.Sent, r.Ended = record.OK, true, 0, int64(ended)
	for _, at := range arrivals {
		r.Events = append(r.Events, record.NewEvent(int64(at), int64(at), record.Text, 1, true))
	}
	return &r
}

func TestTheLiveLineShowsRateAndLatenciesSoFar(t *testing.T) {
	l := newLive(2)
	phases := observation.Phases{WindowStart: int64(2 * time.Second), WindowEnd: int64(10 * time.Second)}
	for s := range 4 {
		for k := range 5 { // 5 completions in each whole second
			at := time.Duration(s)*time.Second + time.Duration(k)*100*time.Millisecond
			l.record(finished(at, 100*time.Millisecond, 120*time.Millisecond))
		}
	}
	l.progress(0, observation.Progress{Due: 12, InFlight: 1, Done: 10})
	l.progress(1, observation.Progress{Due: 11, InFlight: 1, Done: 10, Failed: 1})
	l.process(0, observation.Process{Interval: 1e9, CPU: 2e8, Wait: 1e8, MaxProcs: 1})

	p := l.snapshot(int64(4*time.Second), phases, 10*time.Second)
	if p.Rate != 5 {
		t.Errorf("rate = %v, want 5: five completions in each second", p.Rate)
	}
	if p.Due != 23 || p.InFlight != 2 || p.Done != 20 || p.Failed != 1 {
		t.Errorf("counts = %+v, want the sums of the workers", p)
	}
	if p.TTFTp50 < 99 || p.TTFTp50 > 101 || p.ITLp50 < 19.8 || p.ITLp50 > 20.2 {
		t.Errorf("ttft %v ms, itl %v ms, want 100 and 20 within a percent", p.TTFTp50, p.ITLp50)
	}
	if p.CPU < 0.299 || p.CPU > 0.301 {
		t.Errorf("cpu = %v, want 0.3: waiting for a core counts", p.CPU)
	}
	if p.Phase != "window" {
		t.Errorf("phase = %q, want window", p.Phase)
	}
	if quiet := l.snapshot(int64(9*time.Second), phases, 10*time.Second); quiet.Rate != 0 {
		t.Errorf("rate five seconds after the last completion = %v, want 0", quiet.Rate)
	}
}
