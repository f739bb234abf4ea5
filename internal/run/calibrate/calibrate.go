// Package calibrate finds out what this machine can do as a client, against
// the embedded server in a process of its own: the highest load at which every
// receipt of an ordinary run holds, for several numbers of processes, and how
// far the client's times lie from the server's truth at fractions of it. It
// judges by the receipts that every run carries and has no criterion of its
// own. It refuses to be partly done: interrupted, it returns nothing.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"assay/internal/run"
	"assay/internal/rundir"
)

// Options say how thorough to be.
type Options struct {
	Exe       string        // the binary to start workers and servers from; "" for this one
	Processes []int         // ascending; the last is the one whose errors are measured
	Loads     []float64     // fractions of its ceiling at which they are
	Span      time.Duration // the window of a probe
	Precision float64       // of a ceiling
	Chances   int           // how often a rate must break
	Most      int           // probes a ceiling
	Thorough  bool          // noted in what is returned
	Say       func(string)  // one line of progress
}

// Quick is done within four minutes: each of its eight searches ends after
// seven probes, of some three seconds, wherever it stands then.
func Quick() Options {
	return Options{
		Processes: []int{1, 2, 4, 8}, Loads: []float64{0.10, 0.25, 0.50, 0.75, 0.90},
		Span: 2 * time.Second, Precision: 1.15, Chances: 2, Most: 7,
	}
}

// Thorough takes longer probes and looks more closely.
func Thorough() Options {
	o := Quick()
	o.Span, o.Precision, o.Most, o.Thorough = 5*time.Second, 1.05, 16, true
	return o
}

var errInterrupted = &run.HintError{Err: errors.New("interrupted: nothing was saved"), Code: run.ExitInterrupted}

// A calibration under way.
type work struct {
	bench
	o   Options
	out run.Calibration
}

// Run calibrates. The caller saves what it returns.
func Run(ctx context.Context, o Options) (*run.Calibration, error) {
	began := time.Now()
	w := &work{o: o, bench: bench{exe: o.Exe, span: o.Span}}
	var err error
	if w.exe == "" {
		if w.exe, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("find this binary: %w", err)
		}
	}
	if w.tmp, err = os.MkdirTemp("", "assay-calibrate-"); err != nil {
		return nil, fmt.Errorf("make a folder for the probes: %w", err)
	}
	defer os.RemoveAll(w.tmp)
	w.out = run.Calibration{
		Schema: run.CalibrationSchema, Machine: run.ThisMachine(), Taken: began.UTC().Format(time.RFC3339), Thorough: o.Thorough,
		Ceilings: make([]run.CalibratedCeiling, len(o.Processes)), Errors: []run.CalibratedAccuracy{},
	}
	for i, n := range o.Processes {
		w.out.Ceilings[i].Processes = n
	}
	if _, err := w.ceilings(ctx, short, noteRequests); err != nil {
		return nil, w.told(ctx, err)
	}
	top, err := w.ceilings(ctx, streams, noteEvents)
	if err != nil {
		return nil, w.told(ctx, err)
	}
	for _, load := range o.Loads {
		if top == 0 {
			break // no load at all was carried: the ceiling says so
		}
		if err := w.accuracy(ctx, load, top); err != nil {
			return nil, w.told(ctx, err)
		}
	}
	w.out.Seconds = time.Since(began).Round(100 * time.Millisecond).Seconds()
	return &w.out, nil
}

// told is the error of an interrupted calibration, whatever broke off first.
func (w *work) told(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// accuracy measures the errors at a fraction of the ceiling, against a server
// of its own: its truth is of this run alone.
func (w *work) accuracy(ctx context.Context, fraction, top float64) error {
	s, err := run.StartBeside(ctx, w.exe, streams.preset, streams.set)
	if err != nil {
		return err
	}
	defer s.Stop()
	p, err := w.probe(ctx, streams, s, w.o.Processes[len(w.o.Processes)-1], top*fraction)
	if err != nil {
		return err
	}
	defer p.forget()
	known, err := Truths(ctx, s.URL())
	if err != nil {
		return err
	}
	a, err := accountOf(p.dir, known)
	if err != nil {
		return err
	}
	accuracy := a.Accuracy()
	accuracy.Load, accuracy.Events, accuracy.Valid, accuracy.BrokenBy = fraction, p.rate, p.Held, p.broken
	w.out.Errors = append(w.out.Errors, accuracy)
	w.o.Say(fmt.Sprintf("errors at %.0f%% of it: %d events compared", fraction*100, accuracy.Count))
	return nil
}

// accountOf compares the records of a run's folder.
func accountOf(dir string, known map[string]Truth) (*Account, error) {
	_, epoch, err := observed(dir)
	if err != nil {
		return nil, err
	}
	r, err := rundir.Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Compare(r.Records()(), epoch, known)
}
