package contract

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/arrival"
	"assay/internal/unit"
)

// shaped are the traffic blocks of every shape that is new to a reader of
// `rate:`, with the defaults that their canonical form must show.
var shaped = map[string]struct{ traffic, shows string }{
	"gamma":      {"{rate: 40/s, arrivals: gamma, cv: 3}", "  cv: 3\n"},
	"burstiness": {"{rate: 40/s, arrivals: gamma, shape: {burstiness: 0.25}}", "    burstiness: 0.25\n"},
	"weibull":    {"{rate: 40/s, arrivals: weibull, shape: {k: 0.7}}", "    k: 0.7\n"},
	"mmpp":       {"{rate: 40/s, arrivals: mmpp, shape: {peak: 3x, on: 5s, off: 20s}}", "    peak: 3x\n    on: 5s\n    off: 20s\n    base: poisson\n"},
	"flash":      {"{rate: 40/s, arrivals: flash, shape: {peak: 400/s, rise: 2s, hold: 20s, at: [30s, 2m]}}", "    at:\n      - 30s\n      - 2m\n"},
	"every":      {"{rate: 40/s, arrivals: flash, shape: {peak: 10x, hold: 20s, every: 1m, base: constant}}", "    base: constant\n"},
	"ramp":       {"{arrivals: ramp, duration: 90s, shape: {from: 1/s, to: 40/s}}", "    over: 1m30s\n    form: linear\n"},
	"steps":      {"{arrivals: ramp, shape: {to: 40/s, form: steps, steps: 4}}", "    steps: 4\n"},
	"sine":       {"{rate: 40/s, arrivals: sine, cv: 2, shape: {period: 1m, amplitude: 50%, base: gamma}}", "    amplitude: 50%\n"},
	"series":     {"{arrivals: series, shape: {file: rates.csv}}", "    form: step\n"},
	"trace":      {"{arrivals: trace, shape: {file: t.jsonl, time: ts, unit: ms, start: 1m}}", "    unit: ms\n    speedup: 1\n    start: 1m\n"},
}

func TestEveryShapeResolvesAndItsCanonicalFormReadsBack(t *testing.T) {
	validate := validator(t)
	for name, s := range shaped {
		text := "target: {simulate: fixed}\ntraffic: " + s.traffic + "\n"
		c := resolved(t, text)
		first := string(canonicalOf(t, c))
		// Quotes of words that some readers of YAML take for truth values.
		if !strings.Contains(strings.ReplaceAll(first, `"`, ""), s.shows) {
			t.Errorf("%s: the canonical form has not %q:\n%s", name, s.shows, first)
		}
		if diff := cmp.Diff(first, string(canonicalOf(t, resolved(t, first)))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, form := range []string{text, first} {
			if err := validate(form); err != nil {
				t.Errorf("%s: the schema refuses it: %v", name, err)
			}
		}
		if err := c.Streams[0].Arrival().Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// refusesTraffic checks that a traffic block is refused as the fault says.
func refusesTraffic(t *testing.T, name string, f fault) {
	t.Helper()
	c, err := Load("c.yaml", []byte("target: {simulate: fixed}\ntraffic: "+f.text+"\n"))
	if err == nil {
		err = c.Resolve()
	}
	var e *Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), "c.yaml:"+f.at+": ") || !strings.Contains(e.Error(), f.says) || !strings.Contains(e.Hint, f.advises) {
		t.Errorf("%s: got %v, want it at %s saying %q with the hint %q", name, err, f.at, f.says, f.advises)
	}
}

func TestArrivalsThatCannotBeKeptPointAtTheirSetting(t *testing.T) {
	for name, f := range map[string]fault{
		"no cv":                      {"{rate: 1/s, arrivals: gamma}", "2:10", "traffic.cv: is missing", "cv: 3"},
		"cv of poisson":              {"{rate: 1/s, cv: 3}", "2:26", "traffic.cv: poisson does not take it", "arrivals: gamma"},
		"cv and burstiness":          {"{rate: 1/s, arrivals: gamma, cv: 3, shape: {burstiness: 1}}", "2:66", "excludes cv", "drop"},
		"a rate of ramp":             {"{rate: 1/s, arrivals: ramp, shape: {to: 3/s}}", "2:17", "traffic.rate: ramp does not take it", "from, to"},
		"ramp of requests":           {"{arrivals: ramp, requests: 50, shape: {to: 3/s}}", "2:48", "traffic.shape.over: is missing", "over: 60s"},
		"another shape's key":        {"{rate: 1/s, arrivals: mmpp, shape: {hold: 3s}}", "2:52", "mmpp does not take it", "drop it"},
		"crowds that overlap":        {"{rate: 1/s, arrivals: flash, shape: {peak: 10x, hold: 20s, at: [1s, 5s]}}", "2:73", "before the last one has left", "in order"},
		"a shape in closed loop":     {"{concurrency: 1, shape: {hold: 3s}}", "2:34", "excludes traffic.concurrency", "drop"},
		"a crowd that can't be sent": {"{rate: 10000/s, arrivals: flash, shape: {peak: 1000x, hold: 1s, at: 1s}}", "2:17", "can't be sent", "1000000/s"},
		"a crowd without end":        {"{rate: 900/s, duration: 20h, arrivals: flash, shape: {peak: 10x, hold: 59s, every: 1m}}", "2:17", "too many for one run", "shorten"},
	} {
		refusesTraffic(t, name, f)
	}
}

func TestAFlagForTheShapeDropsWhatTheFilesShapeHad(t *testing.T) {
	flash := "target: {simulate: fixed}\ntraffic: {rate: 40/s, arrivals: flash, shape: {peak: 10x, hold: 20s, at: 30s}}\n"
	for name, c := range map[string]struct {
		settings []setting
		want     string
	}{
		"poisson": {[]setting{{"traffic.arrivals", "poisson"}}, "{rate: 40/s}"},
		"gamma":   {[]setting{{"traffic.cv", "2"}, {"traffic.arrivals", "gamma"}}, "{rate: 40/s, arrivals: gamma, cv: 2}"},
		"ramp":    {[]setting{{"traffic.arrivals", "ramp"}, {"traffic.shape.to", "9/s"}}, "{arrivals: ramp, shape: {to: 9/s}}"},
		"mmpp":    {[]setting{{"traffic.arrivals", "mmpp"}, {"traffic.shape", "{peak: 3x, on: 1s, off: 9s}"}}, "{rate: 40/s, arrivals: mmpp, shape: {peak: 3x, on: 1s, off: 9s}}"},
		"itself":  {[]setting{{"traffic.arrivals", "flash"}, {"traffic.shape.at", "[1m, 2m]"}}, "{rate: 40/s, arrivals: flash, shape: {peak: 10x, hold: 20s, at: [1m, 2m]}}"},
		"closed":  {[]setting{{"traffic.concurrency", "4"}}, "{concurrency: 4}"},
	} {
		got := load(t, flash)
		set(t, got, c.settings...)
		if err := got.Resolve(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := resolved(t, "target: {simulate: fixed}\ntraffic: "+c.want+"\n")
		if diff := cmp.Diff(string(canonicalOf(t, want)), string(canonicalOf(t, got))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

const traced = "target: {simulate: fixed}\ntraffic: {arrivals: trace, duration: 9s, shape: {file: t.csv, start: 1s}}\n"

func TestWhatARunKeepsOfATraceStandsForTheFile(t *testing.T) {
	c := resolved(t, traced)
	files := fstest.MapFS{"t.csv": {Data: []byte("time\n3\n4.5\n6\n")}}
	if err := c.ReadArrivals(files); err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil { // as a run does
		t.Fatal(err)
	}
	if want, got := (&arrival.Recorded{Times: []int64{500_000_000, 2_000_000_000}}), c.Streams[0].Arrival().Recorded; !cmp.Equal(want, got) {
		t.Errorf("read %v, want %v", got, want)
	}
	kept := fstest.MapFS{}
	if err := c.KeepArrivals(func(name string, data []byte) error {
		kept[name] = &fstest.MapFile{Data: bytes.Clone(data)}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	again := resolved(t, string(canonicalOf(t, c)))
	if err := again.ReadKeptArrivals(kept); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Streams[0].Arrival(), again.Streams[0].Arrival()); diff != "" {
		t.Error(diff)
	}
	set(t, c, setting{"traffic.shape.start", "0s"})
	if err := errors.Join(c.Resolve(), c.ReadArrivals(files)); err != nil || len(c.Streams[0].Arrival().Recorded.Times) != 3 {
		t.Errorf("after another start: %v, %v, want three times", c.Streams[0].Arrival().Recorded, err)
	}
}

func TestAFileOfArrivalsThatCannotBeReadPointsAtItsName(t *testing.T) {
	for name, data := range map[string]string{"none": "", "a bad one": "time\nx\n"} {
		c := resolved(t, traced)
		err := c.ReadArrivals(fstest.MapFS{map[bool]string{true: "t.csv", false: "other"}[data != ""]: {Data: []byte(data)}})
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), "c.yaml:2:56: traffic.shape.file: ") || !strings.Contains(e.Error(), "t.csv") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	c := resolved(t, traced)
	c.Streams[0].Traffic.Duration = unit.Duration(time.Hour)
	if err := c.KeepArrivals(func(string, []byte) error { return errors.New("must not be called") }); err != nil {
		t.Errorf("nothing was read, and %v", err)
	}
}
