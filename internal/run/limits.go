package run

// Limits of this machine that the run would hit, counted before it starts:
// descriptors, local ports, memory.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/host"
	"assay/internal/observation"
)

const (
	// spareDescriptors is what a process needs beside its connections.
	spareDescriptors = 64
	// uneven is how much more than its share one worker may have in flight.
	uneven = 1.25
)

// ErrLimit is in the error of a run that descriptors or ports do not allow.
var ErrLimit = errors.New("a limit of this machine")

// limited marks an error with ErrLimit and leaves its words.
type limited struct{ error }

func (limited) Is(target error) bool { return target == ErrLimit }
func (l limited) Unwrap() error      { return l.error }

// A load is what one address will see of this client.
type load struct {
	open   float64 // connections at a time
	fresh  float64 // new connections/s, because the server keeps none or the contract wants none kept
	lasts  time.Duration
	nearby bool // an address of this machine
}

// checkLimits finds too few descriptors or ports for n workers before the start.
func checkLimits(c *contract.Contract, n int, s *servers, flights []observation.Preflight) error {
	have, err := host.RaiseDescriptors()
	if err != nil {
		return cannot(fmt.Errorf("raise the limit of descriptors: %w", err), "ulimit -n 65536")
	}
	loads := loadsOf(c, s.urls, flights)
	total := 0.0
	for _, l := range loads {
		total += l.open
	}
	need := total / float64(max(1, activeWorkers(c, n))) * uneven
	if len(s.started) > 0 {
		need = max(need, total) // the embedded server is one process
	}
	if need := int(math.Ceil(need)) + spareDescriptors; have < need {
		return cannot(limited{fmt.Errorf("a process needs %d descriptors and may have %d", need, have)},
			"lower the rate or the concurrency, or raise the limit: ulimit -n 65536")
	}
	return checkPorts(loads)
}

// checkPorts counts the local ports of each address, those that rest after
// their connection was closed included.
func checkPorts(loads map[string]load) error {
	ports, err := host.EphemeralPorts()
	if err != nil {
		return cannot(err, "")
	}
	var all []error
	for _, address := range slices.Sorted(maps.Keys(loads)) {
		l := loads[address]
		if strings.HasPrefix(address, "unix:") {
			continue // a socket has no ports
		}
		rest := host.PortRest(l.nearby)
		resting := 0
		if rest > time.Second {
			resting = host.PortsResting() // left by an earlier run, perhaps to this address
		}
		all = append(all, l.fits(address, ports, resting, rest))
	}
	if err := errors.Join(all...); err != nil {
		return cannot(limited{err}, "lower the rate or the concurrency, let the server keep its connections, or widen the range (net.ipv4.ip_local_port_range)")
	}
	return nil
}

// fits tells whether so many ports serve one address, some of which rest.
func (l load) fits(address string, ports, resting int, rest time.Duration) error {
	open := int(math.Ceil(l.open))
	if l.fresh == 0 {
		if open > ports {
			return fmt.Errorf("%s: %d connections at a time need as many local ports and there are %d", address, open, ports)
		}
		return nil
	}
	closed := int(math.Ceil(l.fresh * min(rest, l.lasts).Seconds()))
	if free := ports - resting; open+closed > free {
		return fmt.Errorf("%s: a connection ends with its answer: %.4g connections/s need %d local ports, because each rests %s after its end, and %d are free",
			address, l.fresh, open+closed, rest, free)
	}
	return nil
}

// loadsOf counts what each address (host:port) will see. Without a preflight
// a reply is thought to take a second and connections to be kept.
func loadsOf(c *contract.Contract, urls map[string][]string, flights []observation.Preflight) map[string]load {
	loads := map[string]load{}
	for i := range c.Streams {
		stream := &c.Streams[i]
		for _, raw := range urls[stream.Name] {
			var p observation.Preflight
			if len(flights) > 0 { // one an address, in this order
				p, flights = flights[0], flights[1:]
			}
			address, nearby := addressOf(raw)
			l := loads[address]
			l.add(stream, len(urls[stream.Name]), p)
			l.nearby = nearby
			loads[address] = l
		}
	}
	return loads
}

// add adds one stream's share of an address. By Little's law its rate times
// the duration of a reply is in flight: twice what the preflight took and a
// second at least, because a server under load is slower than one at rest.
// Sessions send as many requests as they have turns: a schedule's rate is of
// first ones, and a slot holds as many as an agent has side by side. Those of a
// file, whose turns the contract doesn't tell, count as one request.
func (l *load) add(s *contract.Stream, addresses int, p observation.Preflight) {
	share := 1 / float64(addresses)
	seconds := p.DurationMS / 1000
	turns := s.MeanTurns()
	rate := 0.0
	if s.OpenLoop() {
		rate = s.Arrival().PeakRate() * turns
	}
	if slots := float64(s.Traffic.Slots()); slots > 0 {
		think := s.Traffic.Think.Mean().Seconds()
		if took := secondsOf(s, max(1, 2*seconds)); s.Traffic.Users > 0 { // those who think hold no connection
			slots = min(slots, math.Ceil(slots*took/(took+think)))
		}
		l.open += slots * float64(s.Abreast()) * share
		if cycle := secondsOf(s, seconds) + think; cycle > 0 {
			rate = float64(s.Traffic.Slots()) * turns / cycle
		}
	} else {
		open := rate * max(1, 2*seconds)
		if most := s.Traffic.MaxInFlight; most > 0 {
			open = min(open, float64(most))
		}
		l.open += open * share
	}
	if p.Closes || s.Target.Connections == contract.PerRequest {
		l.fresh += rate * share
	}
	l.lasts = max(l.lasts, lasts(s, ofMS(p.DurationMS)))
}

// secondsOf is how long a session or a request takes whose replies take so many
// seconds each.
func secondsOf(s *contract.Stream, reply float64) float64 {
	return s.Lasts(time.Duration(reply * float64(time.Second))).Seconds()
}

func ofMS(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// lasts is how long a stream's sending takes if each reply takes so long; a
// minute where only the replies would tell, and none did.
func lasts(s *contract.Stream, reply time.Duration) time.Duration {
	t := s.Traffic
	switch {
	case t.Requests == 0:
		return time.Duration(*t.Warmup) + time.Duration(t.Duration)
	case s.OpenLoop():
		return time.Duration(float64(t.Requests) * s.Arrival().MeanGap())
	case reply > 0 && t.Slots() > 0:
		rounds := math.Ceil(float64(t.Requests) / float64(t.Slots()))
		return time.Duration(rounds * float64(s.Lasts(reply)+time.Duration(t.Think.Mean())))
	}
	return time.Minute
}

// addressOf is the host and port of an endpoint, and whether it is written as
// one of this machine.
func addressOf(raw string) (address string, loopback bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "unix" {
		return raw, err == nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return net.JoinHostPort(host, port), host == "localhost" || err == nil && ip.IsLoopback()
}

// activeWorkers is how many of n workers have work.
func activeWorkers(c *contract.Contract, n int) int {
	if k := slots(c); k > 0 {
		return min(n, k)
	}
	return n
}

const (
	leastMemory = 256 << 20
	mostMemory  = 4 << 30
)

// memoryOf is the memory that each of the workers may have: half of what this
// machine has (0: unknown), shared out; the other half is for this process,
// for a server beside it, and for the kernel's buffers.
func memoryOf(workers int, machine int64) int64 {
	return max(leastMemory, min(mostMemory, machine/2/int64(max(1, workers))))
}

// threadsOf is how many threads of each worker may run at once: as many as the
// contract says (0: nothing), or their share of the cores.
func threadsOf(asked, workers, cores int) int {
	if asked > 0 {
		return asked
	}
	return max(1, cores/workers)
}
