package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/internal/seed"
	"assay/internal/unit"
)

// A FaultKind is what goes wrong with a request.
type FaultKind string

const (
	NoFault     FaultKind = ""
	ErrorFault  FaultKind = "error"     // status 500
	RejectFault FaultKind = "reject"    // status 429 with Retry-After
	CutFault    FaultKind = "cut"       // the connection is closed in the middle of the reply
	StallFault  FaultKind = "stall"     // the reply falls silent for a while; the engine goes on
	SlowHead    FaultKind = "slow_head" // the head and everything after it come late
	Garbage     FaultKind = "garbage"   // an answer that is not HTTP
)

// A Fault is what a server does wrong to one request on purpose.
type Fault struct {
	Kind  FaultKind
	After int   // tokens before it, for a cut and a stall
	For   int64 // ns: length of a stall or of a slow head, or what Retry-After says
}

// faultParams are parameters of every preset. A request gets one fault at most.
var faultParams = []Param{
	{Name: "fault_error", Kind: Share, Default: "0", About: "share of requests answered with status 500"},
	{Name: "fault_reject", Kind: Share, Default: "0", About: "share answered with status 429"},
	{Name: "fault_reject_for", Kind: Duration, Default: "1s", About: "what its Retry-After says, in whole seconds"},
	{Name: "fault_cut", Kind: Share, Default: "0", About: "share whose connection is closed in the middle of the reply"},
	{Name: "fault_cut_after", Kind: Whole, Default: "10", About: "tokens before it"},
	{Name: "fault_stall", Kind: Share, Default: "0", About: "share whose reply falls silent; what was due meanwhile then comes at once"},
	{Name: "fault_stall_after", Kind: Whole, Default: "10", About: "tokens before it"},
	{Name: "fault_stall_for", Kind: Duration, Default: "60s", About: "how long"},
	{Name: "fault_slow_head", Kind: Share, Default: "0", About: "share whose head comes late, and everything after it"},
	{Name: "fault_slow_head_for", Kind: Duration, Default: "2s", About: "how late"},
	{Name: "fault_garbage", Kind: Share, Default: "0", About: "share answered with bytes that are not HTTP"},
	{Name: "fault_slow_accept", Kind: Share, Default: "0", About: "share of new connections that are not looked at for a while"},
	{Name: "fault_slow_accept_for", Kind: Duration, Default: "1s", About: "how long"},
}

// requestFaults in the order in which they are drawn.
var requestFaults = []FaultKind{ErrorFault, RejectFault, CutFault, StallFault, SlowHead, Garbage}

func checkFaults(v values) error {
	sum := 0.0
	for _, k := range requestFaults {
		sum += v.number("fault_" + string(k))
	}
	if sum > 1 {
		return errors.New("the shares of the faults are more than one together")
	}
	return nil
}

// Fault is what happens to the n-th request: a function of the seed and n.
func (s Settings) Fault(n uint64) Fault {
	sum, drawn := 0.0, -1.0
	for _, k := range requestFaults {
		share := s.values.number("fault_" + string(k))
		if share == 0 {
			continue
		}
		if drawn < 0 {
			drawn = seed.Rand(s.seed(), "sim/fault", n).Float64()
		}
		if sum += share; drawn < sum {
			return s.fault(k)
		}
	}
	return Fault{}
}

// SlowAccept is how long the n-th connection is not looked at, in ns.
func (s Settings) SlowAccept(n uint64) int64 {
	share := s.values.number("fault_slow_accept")
	if share > 0 && seed.Rand(s.seed(), "sim/accept", n).Float64() < share {
		return s.values.duration("fault_slow_accept_for")
	}
	return 0
}

func (s Settings) seed() uint64 { return uint64(s.values.count("seed")) }

// fault is a fault of this kind with the details of the settings.
func (s Settings) fault(k FaultKind) Fault {
	return Fault{Kind: k, After: s.values.count("fault_" + string(k) + "_after"), For: s.values.duration("fault_" + string(k) + "_for")}
}

// ParseFault reads a fault as one request asks for it: its kind, and where it
// departs from the settings `after=TOKENS` and `for=DURATION`, as in
// "cut,after=20".
func (s Settings) ParseFault(text string) (Fault, error) {
	parts := strings.Split(text, ",")
	f := Fault{}
	for _, k := range requestFaults {
		if string(k) == strings.TrimSpace(parts[0]) {
			f = s.fault(k)
		}
	}
	if f.Kind == NoFault {
		return f, fmt.Errorf("there is no fault %q: use one of %v", parts[0], requestFaults)
	}
	for _, detail := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(detail), "=")
		switch {
		case name == "after" && s.values.has("fault_"+string(f.Kind)+"_after"):
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return f, fmt.Errorf("fault %s: after %q is not a number of tokens", f.Kind, value)
			}
			f.After = n
		case name == "for" && s.values.has("fault_"+string(f.Kind)+"_for"):
			d, err := unit.ParseDuration(value)
			if err != nil {
				return f, fmt.Errorf("fault %s: %w", f.Kind, err)
			}
			f.For = int64(time.Duration(d))
		default:
			return f, fmt.Errorf("fault %s has no %q", f.Kind, name)
		}
	}
	return f, nil
}
