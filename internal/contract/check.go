// Checks that need no defaults: they see what was written, and nothing else.

package contract

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"assay/internal/unit"
)

// Version is the version of the contract file that this program reads.
const Version = 1

var safeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// check refuses what no default can mend.
func (c *Contract) check() error {
	if _, ok := c.written["version"]; (ok || c.Version != 0) && c.Version != Version {
		return c.fail("version", fmt.Sprintf("version %d is not known", c.Version), fmt.Sprintf("write version: %d", Version))
	}
	if _, ok := c.written["name"]; (ok || c.Name != "") && !safeName.MatchString(c.Name) {
		return c.fail("name", fmt.Sprintf("%q can't name a folder", c.Name), "use letters, digits, dots, dashes and underscores")
	}
	if err := c.checkZeros(); err != nil {
		return err
	}
	if err := c.checkBlock("", &c.Target, &c.Traffic); err != nil {
		return err
	}
	if err := c.checkFreeSecret("server", c.Server); err != nil {
		return err
	}
	if c.Cost != nil && c.Cost.PerHour < 0 {
		return c.fail("cost.per_hour", "is negative", "")
	}
	if err := c.checkFiles(); err != nil {
		return err
	}
	if c.derived {
		return nil
	}
	return c.checkStreams()
}

func (c *Contract) checkBlock(prefix string, t *Target, traffic *Traffic) error {
	if err := c.checkSecrets(prefix, t); err != nil {
		return err
	}
	if err := c.checkLoop(prefix+"traffic", traffic); err != nil {
		return err
	}
	if traffic.Requests < 0 {
		return c.fail(prefix+"traffic.requests", fmt.Sprintf("%d requests can't be sent", traffic.Requests), "write 1 or more")
	}
	return c.checkExclusive(prefix)
}

// Bounds beyond which a plan is a slip of the pen: no client sends so much,
// and going through such a plan would take for ever.
const (
	maxRate     = 1e6 // requests/s
	maxRequests = 1e8
)

// checkVolume refuses a plan that nobody can mean.
func (c *Contract) checkVolume(at string, t *Traffic) error {
	if t.Slots() == 0 {
		if peak := unit.Rate(t.arrival().PeakRate()); peak > maxRate {
			return c.fail(at+".rate", fmt.Sprintf("%v can't be sent", peak), "write at most 1000000/s")
		}
	}
	if t.Requests > maxRequests {
		return c.fail(at+".requests", fmt.Sprintf("%d requests are too many for one run", t.Requests), "write at most 100000000")
	}
	if t.Slots() > 0 {
		return nil
	}
	warmup, window := int64(*t.Warmup), int64(0)
	if t.Requests == 0 {
		window = int64(t.Duration)
	}
	if n := t.arrival().Expected(warmup, window); n > maxRequests {
		return c.fail(at+".rate", fmt.Sprintf("%s in %s is %s requests: too many for one run", t.Arrivals, unit.Duration(float64(warmup)+float64(window)), unit.SI(n)),
			"lower the rate or shorten the run: at most 100000000 requests")
	}
	return nil
}

// noZero are settings whose zero would mean "nothing" and is a slip.
var noZero = []string{
	"target.wait_limit", "target.multiplex",
	"traffic.rate", "traffic.cv", "traffic.concurrency", "traffic.duration", "traffic.requests", "target.idle_limit",
	"traffic.users", "traffic.ramp", "traffic.max_in_flight", "traffic.max_prefill", "traffic.cancel.fraction", "traffic.cancel.after", "traffic.cancel.after_tokens", "target.request_limit",
	"client.processes", "client.max_processes", "client.max_cpu", "share", "client.max_cpu_second", "client.max_machine_cpu", "client.max_send_lag",
}

func (c *Contract) checkZeros() error {
	for _, setting := range noZero {
		paths := []string{setting}
		for i := range c.Streams {
			paths = append(paths, fmt.Sprintf("streams[%d].%s", i, setting))
		}
		for _, path := range paths {
			if _, ok := c.written[path]; !ok {
				continue
			}
			v, err := c.lookup(path)
			if err == nil && v.IsValid() && (v.IsZero() || v.Kind() == reflect.Pointer && v.Elem().IsZero()) {
				return c.fail(path, "is zero", "write more than zero, or leave it out for the default")
			}
		}
	}
	return c.checkClient()
}

func (c *Contract) checkClient() error {
	k := &c.Client
	switch {
	case k.Processes < 0 || k.Processes > 1024:
		return c.fail("client.processes", fmt.Sprintf("%d processes can't be started", k.Processes), "write 1 to 1024; 8 is the default")
	case k.MaxProcesses < 0 || k.MaxProcesses > 1024:
		return c.fail("client.max_processes", fmt.Sprintf("%d processes can't be started", k.MaxProcesses), "write 1 to 1024; 64 is the default")
	case k.MaxProcesses > 0 && k.MaxProcesses < max(k.Processes, 1):
		return c.fail("client.max_processes", fmt.Sprintf("%d is less than client.processes, %d", k.MaxProcesses, k.Processes), "the fleet begins with processes and may grow to max_processes")
	case k.Threads < 0 || k.Threads > 1024:
		return c.fail("client.threads", fmt.Sprintf("%d threads can't run at once", k.Threads), "write 1 to 1024, or leave it out: the cores, shared by the processes")
	case k.Proof != "" && k.Proof != ProofDoubling:
		return c.fail("client.proof", fmt.Sprintf("%q is no proof", k.Proof), "write doubling, or leave it out")
	}
	return nil
}

// besideStreams may stand at the top level of a contract with streams: all
// streams share one window.
var besideStreams = map[string]bool{"traffic.duration": true, "traffic.warmup": true, "traffic.drain": true}

func (c *Contract) checkStreams() error {
	if len(c.Streams) == 0 {
		if _, ok := c.written["streams"]; ok {
			return c.fail("streams", "is an empty list", "name a stream, or drop it and write traffic: and workload: at the top level")
		}
		return nil
	}
	for _, path := range Keys() {
		block, _, nested := strings.Cut(path, ".")
		switch block {
		case "slo", "good", "default_slo":
		case "traffic", "workload":
			if !nested || besideStreams[path] || c.hasShares() && dealt(path) {
				continue
			}
		default:
			continue
		}
		if c.isSet(path) {
			return c.fail(path, "stands beside streams, each of which has its own", "move it into the streams"+orShare(path))
		}
	}
	if err := c.checkDeal(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range c.Streams {
		s := &c.Streams[i]
		prefix := fmt.Sprintf("streams[%d].", i)
		switch {
		case s.Name == "":
			return c.fail(prefix+"name", "is missing", "each stream has a name, as in - name: chat")
		case !safeName.MatchString(s.Name):
			return c.fail(prefix+"name", fmt.Sprintf("%q is no name", s.Name), "use letters, digits, dots, dashes and underscores")
		case seen[s.Name]:
			return c.fail(prefix+"name", fmt.Sprintf("%q names two streams", s.Name), "give each its own name")
		}
		seen[s.Name] = true
		if err := c.checkBlock(prefix, &s.Target, &s.Traffic); err != nil {
			return err
		}
	}
	return nil
}
