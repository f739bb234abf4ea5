package result

// Whether another attempt with more processes could do what this one could
// not. It is decided from the result alone, so that a report can say a year
// later why the fleet stopped where it did.

import (
	"fmt"
	"slices"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/receipt"
)

// Reasons that a series of attempts adds to those of receipts.
const (
	// ReasonGrowth says why an invalid attempt was not repeated with more processes.
	ReasonGrowth = "growth"
	// ReasonRehearsal says that the attempt was ended by some seconds at the
	// planned rate, which showed that the whole would be invalid.
	ReasonRehearsal = "rehearsal"
)

// eased are the receipts that more processes can mend.
var eased = []string{"cpu", "send_lag", "write_lag", "read_lag", "coalesced", "delivered"}

// Growth is how many processes the next attempt should have; 0 for no other
// attempt. why is then the reason for which an invalid one is the last, and
// empty of every other. It goes by the reasons of the verdict: receipts that
// are broken without spoiling the run do not count.
func Growth(r *Result, most int, grow bool) (next int, why string) {
	n := r.Client.Processes
	switch {
	case r.Verdict.Status != Invalid || !limited(r):
		return 0, ""
	case r.because("machine_cpu"):
		return 0, "more processes can't help, because the machine itself is busy: use more machines, stop what else runs here, or lower the rate"
	case !grow:
		return 0, "more processes were not tried (--no-grow)"
	case n >= most:
		return 0, fmt.Sprintf("more than %d processes were not to be tried, or would have no work", most)
	}
	return min(2*n, most), ""
}

// limited tells whether the client's capacity, and nothing else, spoiled the
// run: a dead worker or a full disk would be no better with more processes.
func limited(r *Result) bool {
	return !r.because("incomplete", "interrupted", "doubling") && (r.because("machine_cpu") || r.because(eased...))
}

// because tells whether one of these codes is among the verdict's reasons.
func (r *Result) because(codes ...string) bool {
	return slices.ContainsFunc(r.Verdict.Reasons, func(x Reason) bool { return slices.Contains(codes, x.Code) })
}

// MostProcesses is the size beyond which a fleet gains nothing, or may not go:
// a worker without a slot, or a place under a ceiling, has no work.
func MostProcesses(c *contract.Contract) int {
	most := c.Client.MaxProcesses
	places := 0
	for i := range c.Streams {
		n := c.Streams[i].Traffic.Places()
		if n == 0 {
			return most
		}
		places = max(places, n)
	}
	return min(most, max(places, c.Client.Processes))
}

// hopeless tells why the run, some seconds at the planned rate, shows that
// the whole would be invalid; nothing where it does not. Receipts are read with a margin: what is decided
// of seconds must not be a hiccup of one of them.
func (b *builder) hopeless() []Reason {
	const margin = 2 // of a lag
	var list []Reason
	for _, r := range b.receipts {
		if r.Status != receipt.Broken {
			continue
		}
		hopeless := false
		switch r.Name {
		case "cpu", "delivered":
			hopeless = true
		case "machine_cpu":
			hopeless = r.Spread.P50 >= r.Limit
		case "send_lag", "write_lag", "read_lag":
			hopeless = r.Value >= margin*r.Limit
		}
		if hopeless {
			list = append(list, Reason{r.Name, broken(r)})
		}
	}
	return list
}

// rehearsed is the verdict on some seconds at the planned rate: they say
// nothing of the server, and of the client only whether to go on.
func (b *builder) rehearsed(v Verdict) Verdict {
	why := b.hopeless()
	if whole := b.incomplete(); len(whole) > 0 {
		v.Status, v.Reasons = Invalid, whole
		return v
	}
	v.Status, v.Reasons = Inconclusive, []Reason{}
	if len(why) > 0 {
		v.Status = Invalid
		v.Reasons = append(why, Reason{ReasonRehearsal, "seen in some seconds at the planned rate: the whole was not run"})
	}
	return v
}

// attempts are those before this run, as its observations have them, and this one.
func (b *builder) attempts(r *Result) []Attempt {
	list := []Attempt{}
	for _, a := range b.log.attempts {
		reasons := []Reason{}
		for _, x := range a.Reasons {
			reasons = append(reasons, Reason(x))
		}
		list = append(list, Attempt{
			Processes: a.Processes, Status: a.Status, Reasons: reasons, Preflight: a.Preflight,
			RequestRate: a.RequestRate, InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		})
	}
	return append(list, r.attempt(b.log.noted(observation.NoteRehearsal)))
}

// attempt is this run as one of a series.
func (r *Result) attempt(rehearsal bool) Attempt {
	in, out := r.Tokens.Input, r.Tokens.Output
	return Attempt{
		Processes: r.Client.Processes, Status: r.Verdict.Status, Reasons: r.Verdict.Reasons, Preflight: rehearsal,
		RequestRate:  r.Rates.Request,
		InputTokens:  in.Preflight + in.Measured + in.Warmup + in.Discarded,
		OutputTokens: out.Preflight + out.Measured + out.Warmup + out.Discarded,
	}
}

func (l *log) noted(code string) bool {
	return slices.ContainsFunc(l.notes, func(n observation.Note) bool { return n.Code == code })
}
