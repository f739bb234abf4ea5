package calibrate

// What a probe sends. Both loads are as light as they can be on the server,
// so that this machine has most of its CPU for the client.

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"assay/internal/contract"
)

const (
	warmup = 500 * time.Millisecond
	drain  = 5 * time.Second

	// A streamed reply has this many events, one each pace, and so lasts half
	// a second: at the end of the warm-up as many are open as later.
	events = 50
	pace   = 10 * time.Millisecond
	first  = 5 * time.Millisecond
)

// A load is one kind of traffic and the server that it is for.
type load struct {
	name     string // for people
	unit     string
	each     float64 // how many of the unit one request is
	preset   string
	set      map[string]string
	settings [][2]string
	plan     Plan // where its search starts, in requests/s
}

var (
	short = load{
		name: "requests", unit: "requests/s", each: 1,
		preset: "null", set: map[string]string{"output_tokens": "1"},
		settings: [][2]string{{"target.stream", "false"}, {"workload.output_tokens", "1"}, {"slo", "[latency p99 < 10s]"}},
		plan:     Plan{Start: 500, Least: 5},
	}
	// The null server writes a reply at once, and events that share a read
	// tell nothing of single ones. This is the null server with a pace.
	streams = load{
		name: "events", unit: "events/s", each: events,
		preset: "fixed", set: map[string]string{"ttft": first.String(), "itl": pace.String(), "output_tokens": strconv.Itoa(events)},
		settings: [][2]string{{"workload.output_tokens", strconv.Itoa(events)}, {"slo", "[ttft p50 < 500ms, itl p99 < 100ms]"}},
		plan:     Plan{Start: 40, Least: 1},
	}
)

// contract is a run of the load at a rate of requests. Arrivals are Poisson:
// at a constant rate the events of many streams would fall on one instant.
func (l load) contract(url string, processes int, rate float64, span time.Duration) (*contract.Contract, error) {
	c := contract.New()
	var err error
	for _, s := range append([][2]string{
		{"target.url", url}, {"target.model", "sim"},
		{"traffic.rate", strconv.FormatFloat(rate, 'f', 3, 64) + "/s"}, {"traffic.arrivals", "poisson"},
		{"traffic.duration", span.String()}, {"traffic.warmup", warmup.String()}, {"traffic.drain", drain.String()},
		{"workload.input_tokens", "100"}, {"client.processes", strconv.Itoa(processes)},
	}, l.settings...) {
		err = errors.Join(err, c.Set(s[0], s[1]))
	}
	if err := errors.Join(err, c.Resolve()); err != nil {
		return nil, fmt.Errorf("internal error: the contract of a probe: %w", err)
	}
	return c, nil
}
