// The table of shapes, and what a shape is.

package arrival

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/internal/seed"
)

// An opener starts a shape: the function it returns yields the due times of
// requests 0, 1, 2, … in ns from the start of the warm-up, never decreasing.
// +Inf means that there are no more.
type opener func(spec Spec, warmup int64, draws draws) (next func() float64)

// draws are the generators of one schedule: a shape takes all its randomness
// from them, what is drawn for one purpose from one.
type draws func(purpose uint64) *rand.Rand

const (
	gapDraws   = 0
	stateDraws = 1 // of mmpp
)

func drawsOf(master uint64, stream string) draws {
	return seed.Named(master, "arrival/"+stream).Rand
}

// A shape has a constant rate (open) or one that changes (pieces).
type shape struct {
	name   string
	takes  []string // of rate, cv and the keys of Parameters; all but those of a base
	check  func(s Spec) error
	open   opener
	pieces func(s Spec, r *rand.Rand) func() piece    // from the shape's time 0 on
	most   func(s Spec) float64                       // requests/s, the highest rate
	usual  func(s Spec) float64                       // requests/s, the mean or what comes nearest
	count  func(s Spec, warmup, window int64) float64 // expected requests, where usual is not their rate
	early  bool                                       // its time 0 is the start of the warm-up, not the window's
}

// table holds the shapes: a new one is a file and a line here.
func table() []shape {
	rate := func(s Spec) float64 { return s.Rate }
	return []shape{
		{name: Constant, takes: keys("rate"), open: openConstant, most: rate, usual: rate},
		{name: Poisson, takes: keys("rate"), open: openRenewal, most: rate, usual: rate},
		{name: Gamma, takes: keys("rate cv burstiness"), check: checkGamma, open: openRenewal, most: rate, usual: rate},
		{name: Weibull, takes: keys("rate cv k"), check: checkWeibull, open: openRenewal, most: rate, usual: rate},
		{name: MMPP, takes: keys("rate peak on off base"), check: checkMMPP, pieces: mmppPieces, most: peakOf, usual: rate, early: true},
		{name: Flash, takes: keys("rate peak rise hold decay every at base"), check: checkFlash, pieces: flashPieces, most: peakOf, usual: rate, count: flashCount},
		{name: Ramp, takes: keys("from to over form steps base"), check: checkRamp, pieces: rampPieces, most: rampMost, usual: rampMean, count: piecesCount},
		{name: Sine, takes: keys("rate period amplitude base"), check: checkSine, pieces: sinePieces, most: sineMost, usual: rate},
		{name: Series, takes: keys("file time value unit form base"), check: checkSeries, pieces: seriesPieces, most: seriesMost, usual: seriesMean, count: piecesCount},
		{name: Trace, takes: keys("file time unit speedup start end"), check: checkTrace, open: openTrace, most: traceMost, usual: traceMean, count: traceCount},
	}
}

func keys(words string) []string { return strings.Fields(words) }

func peakOf(s Spec) float64 { return s.Peak.of(s.Rate) }

func shapeOf(name string) (shape, bool) {
	all := table()
	i := slices.IndexFunc(all, func(s shape) bool { return s.name == name })
	if i < 0 {
		return shape{}, false
	}
	return all[i], true
}

// ParseShape returns the shape of that name. The error of an unknown one lists
// those that are known.
func ParseShape(name string) (string, error) {
	if _, ok := shapeOf(name); ok {
		return name, nil
	}
	return "", fmt.Errorf("unknown arrivals %q: known are %s", name, strings.Join(Shapes(), ", "))
}

// Shapes returns the names of the known shapes.
func Shapes() []string {
	var names []string
	for _, s := range table() {
		names = append(names, s.name)
	}
	return names
}

// Takes tells whether a shape takes a setting: rate, cv, or a key of
// Parameters. The cv of a base counts as taken.
func Takes(name, key string) bool {
	s, _ := shapeOf(name)
	if slices.Contains(s.takes, key) {
		return true
	}
	return slices.Contains(s.takes, "base") && (key == "cv" || key == "burstiness" || key == "k")
}

func (s Spec) shape() shape {
	if err := s.Check(); err != nil {
		panic("internal error: schedule of an unchecked spec: " + err.Error())
	}
	found, _ := shapeOf(s.Shape)
	return found
}

// open starts the schedule.
func (s Spec) open(warmup int64, draws draws) func() float64 {
	shape := s.shape()
	if shape.pieces != nil {
		return openPieces(s, warmup, draws)
	}
	return shape.open(s, warmup, draws)
}

// pieces are the rates from the start of the warm-up on. Unless the shape
// begins there, the warm-up has its first rate.
func (s Spec) pieces(warmup int64, draws draws) func() piece {
	shape := s.shape()
	next := shape.pieces(s, draws(stateDraws))
	if shape.early || warmup <= 0 {
		return next
	}
	first, step := next(), 0
	for first.length == 0 { // a crowd at the window's start has no base before it
		first = next()
	}
	return func() piece {
		step++
		switch step {
		case 1:
			return flat(float64(warmup), first.from)
		case 2:
			return first
		}
		return next()
	}
}

// PeakRate is the highest rate, in requests per second.
func (s Spec) PeakRate() float64 { return s.shape().most(s) }

// MeanGap is the mean time between requests in ns. Of a rate that changes it
// is that of its mean, of a flash crowd that of its base.
func (s Spec) MeanGap() float64 {
	rate := s.shape().usual(s)
	if !(rate > 0) {
		return 0
	}
	return second / rate
}

// Expected is how many requests are expected, or a little more.
func (s Spec) Expected(warmup, window int64) float64 {
	shape := s.shape()
	if shape.count != nil {
		return shape.count(s, warmup, window)
	}
	return shape.usual(s) / second * (float64(warmup) + float64(window))
}

// piecesCount is for shapes of a few pieces.
func piecesCount(s Spec, warmup, window int64) float64 {
	if s.File != "" && s.Recorded == nil {
		return 0
	}
	c := cumulated{next: s.pieces(warmup, drawsOf(0, ""))}
	return c.at(float64(warmup) + float64(window))
}

func (s Spec) base() string {
	if s.Base == "" {
		return Poisson
	}
	return s.Base
}
