package measure

// The token ledger and the errors: what was sent and received, all of it.

import (
	"cmp"
	"slices"

	"assay/internal/record"
)

// A Class counts tokens by what became of their request. Together they are
// all that was sent or received; what is within them is counted beside.
type Class struct {
	Warmup, Measured int64
	Discarded        int64 // of requests that failed, in any phase
}

// A Ledger is the tokens of the records.
type Ledger struct {
	Input, Output     Class
	Cached, Reasoning int64 // within the above

	VerifierInput, VerifierOutput int64 // likewise: of turns whose role is to check another's answer
	OutputSource                  Sources
	InputSource                   Sources
	UsageMismatch                 int64 // requests of words alone whose prompt the server counts more than 10 % apart from what was asked
}

// Sources counts requests by where their token count came from.
type Sources [record.FromEvents + 1]int64

// Name is the source of all, "mixed" when they differ, "none" without any.
func (s Sources) Name() string {
	name := ""
	for i, n := range s {
		switch {
		case n == 0 || record.TokenSource(i) == record.NoSource:
		case name != "":
			return "mixed"
		default:
			name = record.TokenSource(i).String()
		}
	}
	return cmp.Or(name, record.NoSource.String())
}

func (l *Ledger) add(r *record.Record) {
	if r.Sent == record.None {
		return // nothing was sent, nothing received
	}
	l.Input.add(r, max(0, prompt(r)))
	l.Output.add(r, max(0, Tokens(r)))
	if r.Role == Verifier {
		l.VerifierInput += max(0, prompt(r))
		l.VerifierOutput += max(0, Tokens(r))
	}
	l.Cached += int64(max(0, r.Cached))
	l.Reasoning += int64(max(0, r.ReasoningCount))
	if r.Status == record.OK {
		l.OutputSource[min(r.TokenSource, record.FromEvents)]++
		l.InputSource[min(r.InputSource, record.FromEvents)]++
	}
	if r.InputSource == record.FromUsage && r.WantInput > 0 && !r.HasMedia() {
		if d := r.Input - r.WantInput; 10*max(d, -d) > r.WantInput {
			l.UsageMismatch++
		}
	}
}

func (c *Class) add(r *record.Record, n int64) {
	switch {
	case bad(r.Status) || r.Status == record.Local:
		c.Discarded += n
	case r.Phase == record.Measured:
		c.Measured += n
	default:
		c.Warmup += n
	}
}

// An ErrorCount is one kind of error of the population, with an example.
type ErrorCount struct {
	Kind    string
	Count   int64
	Example string
}

// errorTable finds the example of each kind: that of the earliest request, so
// that the order of the records does not matter.
type errorTable map[string]*errorEntry

type errorEntry struct {
	ErrorCount
	t      int64
	stream string
	seq    uint64
}

func (t errorTable) add(r *record.Record) {
	if r.Status == record.OK || r.Status == record.Cancelled {
		return
	}
	kind := cmp.Or(r.ErrorKind, r.Status.String())
	e := t[kind]
	if e == nil {
		e = &errorEntry{ErrorCount: ErrorCount{Kind: kind}}
		t[kind] = e
	}
	e.Count++
	earlier := cmp.Or(cmp.Compare(r.Free, e.t), cmp.Compare(r.Stream, e.stream), cmp.Compare(r.Seq, e.seq)) < 0
	if r.ErrorMessage != "" && (e.Example == "" || earlier) {
		e.Example, e.t, e.stream, e.seq = r.ErrorMessage, r.Free, r.Stream, r.Seq
	}
}

// list is the kinds, the most frequent first.
func (t errorTable) list() []ErrorCount {
	var list []ErrorCount
	for _, e := range t {
		list = append(list, e.ErrorCount)
	}
	slices.SortFunc(list, func(a, b ErrorCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}
