// Package receipt is the client's proof that its numbers are the server's and
// not its own: one file a receipt, a table of them. Each is a function of
// records, observations and a limit. A receipt can't be switched off; what
// can't be read is unavailable, with the reason, and never zero.
package receipt

import "math"

// A Status is what a receipt says. The zero value is the cautious one.
type Status uint8

const (
	Unavailable   Status = iota // could not be read here
	Holds                       //
	Broken                      // the numbers describe the client
	NotApplicable               // can't exist in this run, and so holds
	Reported                    // has no limit
)

func (s Status) String() string {
	return [...]string{"unavailable", "holds", "broken", "not_applicable", "reported"}[s]
}

// A Receipt is one proof. What is missing is NaN.
type Receipt struct {
	Name    string
	Unit    string // "ms", "fraction", "count"
	Value   float64
	Limit   float64
	Usual   float64 // the limit that the contract could leave as it is
	Changed bool    // the contract did not
	Status  Status
	Warns   bool // it has no say in the verdict, and a reader should look at it
	Note    string
	Spread  Spread // of a lag, or of seconds
}

// A Spread is a distribution in three numbers, NaN when there is none.
type Spread struct{ P50, P99, Max float64 }

// A Limit is what a receipt must keep.
type Limit struct {
	Value   float64
	Usual   float64
	Changed bool // from what is usual
}

// exceeded tells whether a share is too much.
func (l Limit) exceeded(share float64) bool { return share >= l.Value && l.Value < 1 }

// Limits are the bounds of all receipts that have one.
type Limits struct {
	CPU, CPUSecond, MachineCPU Limit // fractions: p95 of seconds, any second, p95 of seconds
	SendLag                    Limit // ms
	Coalesced                  Limit // fraction
	Delivered                  Limit // fraction, a lower bound
}

// A check computes one receipt.
type check func(*Evidence, Limits) Receipt

// table is every receipt, in the order of reports.
var table = []check{
	cpu, machineCPU, sendLag, writeLag, readLag, coalesced, delivered, localFaults, headroom, doubling,
	newConnections, unstamped, clockSteps, gcPause, schedulerDelay,
	pressure, throttling, others, serverCPU, descriptors, ports, retransmits,
}

// All computes every receipt.
func All(e *Evidence, l Limits) []Receipt {
	list := make([]Receipt, len(table))
	for i, f := range table {
		list[i] = f(e, l)
	}
	return list
}

// Find returns the receipt of that name.
func Find(list []Receipt, name string) Receipt {
	for _, r := range list {
		if r.Name == name {
			return r
		}
	}
	return Receipt{Name: name, Value: math.NaN(), Limit: math.NaN(), Usual: math.NaN(), Spread: noSpread}
}

var noSpread = Spread{math.NaN(), math.NaN(), math.NaN()}

func blank(name, unit string) Receipt {
	return Receipt{Name: name, Unit: unit, Value: math.NaN(), Limit: math.NaN(), Usual: math.NaN(), Spread: noSpread}
}

// bound states a limit, whether or not it can be held against a value.
func (r *Receipt) bound(l Limit) { r.Limit, r.Usual, r.Changed = l.Value, l.Usual, l.Changed }

// below settles a receipt whose value must be less than its limit. A share
// that may be all keeps every limit: whoever writes 100% wants none.
func (r *Receipt) below(value float64, l Limit) {
	r.bound(l)
	r.Value = value
	if r.Status = Broken; value < l.Value || r.Unit == "fraction" && !l.exceeded(value) {
		r.Status = Holds
	}
}

// reports settles a receipt without a limit.
func (r *Receipt) reports(value float64, warns bool) {
	r.Status, r.Value, r.Warns = Reported, value, warns
}
