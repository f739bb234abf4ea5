//go:build linux

package main

// How far the client's times lie from the server's truth as the load grows,
// by the kernel's stamps and by user space's, from the same runs.

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"assay/internal/result"
	"assay/internal/run"
	"assay/internal/run/calibrate"
	"assay/internal/rundir"
)

const (
	// A reply of fifty events lasts half a second, as long as the warm-up.
	paced    = 50
	pacedGap = 10.0 // ms
	// pacedLag is half a gap: beyond it a reader mixes events up.
	pacedLag = pacedGap / 2
)

// paces starts a server for streams of a hundred events a second.
func (b *bench) paces(ctx context.Context) (*server, error) {
	return b.serve(ctx, "fixed", "ttft=5ms", "itl=10ms")
}

// readPaced reads such streams at a rate of events for two seconds.
func (b *bench) readPaced(ctx context.Context, s *server, rate float64, processes int) (m *measured, lag float64, err error) {
	m, err = b.run(ctx, s, unseen, "--no-preflight", "--rate", strconv.FormatFloat(rate/paced, 'f', 2, 64)+"/s", "--duration", "2s", "--warmup", "500ms",
		"--input-tokens", "100", "--output-tokens", strconv.Itoa(paced), "--processes", strconv.Itoa(processes))
	if err != nil {
		return nil, 0, err
	}
	l, got := m.result.Client.ReadLag, m.result.Rates.OutputToken
	if l == nil || l.P99 == nil || got == nil {
		return nil, 0, errors.New("the run has no read lag or no rate")
	}
	return m, *l.P99, nil
}

// error raises the load by half until the reader is later than half a gap, or
// the server can't write as much.
func (b *bench) error(ctx context.Context) error {
	worst, beyond, unrefused := 0.0, 0, 0
	for rate := 20_000.0; rate < 1e6; rate *= 1.5 {
		m, lag, off, err := b.errorAt(ctx, rate)
		if err != nil {
			return err
		}
		refused := m.result.Verdict.Status == result.Invalid
		said := "valid"
		if refused {
			said = "refused"
		}
		b.table.say(fmt.Sprintf("error at %.0f,000 events/s, p99 of TTFT and ITL: kernel", rate/1000), "%.3f and %.3f ms; user space: %.3f and %.3f ms (read lag p99 %.2f ms; %s)",
			off.TTFT.Kernel.P99, off.ITL.Kernel.P99, off.TTFT.User.P99, off.ITL.User.P99, lag, said)
		if lag < pacedLag {
			worst = max(worst, off.TTFT.Kernel.P99, off.ITL.Kernel.P99)
		} else if beyond++; !refused {
			unrefused++
		}
		if beyond > 0 || *m.result.Rates.OutputToken < supplied*rate {
			break
		}
	}
	b.table.below("worst p99 of the kernel's errors while read lag p99 is below half a gap", "%.3f ms", worst, 0.2)
	b.table.below(fmt.Sprintf("runs beyond that, of %d, that were not refused", beyond), "%.0f", float64(unrefused), 0)
	return nil
}

// errorAt is one step, against a server whose truth is of this run alone.
func (b *bench) errorAt(ctx context.Context, rate float64) (m *measured, lag float64, off run.CalibratedAccuracy, err error) {
	s, err := b.paces(ctx)
	if err != nil {
		return nil, 0, off, err
	}
	defer s.End()
	if m, lag, err = b.readPaced(ctx, s, rate, 8); err != nil {
		return nil, 0, off, err
	}
	known, err := calibrate.Truths(ctx, s.URL)
	if err != nil {
		return nil, 0, off, err
	}
	r, err := rundir.Open(m.dir)
	if err != nil {
		return nil, 0, off, err
	}
	defer r.Close()
	a, err := calibrate.Compare(r.Records()(), m.epoch, known)
	if err != nil {
		return nil, 0, off, err
	}
	if off = a.Accuracy(); off.TTFT.Kernel == nil || off.ITL.Kernel == nil {
		return nil, 0, off, errors.New("nothing could be compared")
	}
	return m, lag, off, nil
}
