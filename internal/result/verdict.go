package result

// The verdict, and whether it may stand as a capacity claim.

import (
	"fmt"
	"math"
	"strings"

	"assay/internal/observation"
	"assay/internal/receipt"
	"assay/internal/slo"
)

// verdict: a run that is not whole or whose client broke a receipt is invalid,
// whatever its objectives say.
func (b *builder) verdict() Verdict {
	judged := b.judge()
	v := Verdict{Reasons: []Reason{}, Objectives: []Objective{}}
	v.Reasons = append(v.Reasons, b.incomplete()...)
	for _, r := range b.receipts {
		if r.Status == receipt.Broken && r.Name != "local_faults" && b.invalidates(r.Name, judged) {
			v.Reasons = append(v.Reasons, Reason{r.Name, broken(r)})
		}
	}
	invalid := len(v.Reasons) > 0
	v.Reasons = append(v.Reasons, b.quota()...)
	if b.c.DefaultObjectives() {
		v.Reasons = append(v.Reasons, Reason{"default_objectives", "the contract names no objectives: these are the default ones"})
	}
	status := slo.Pass
	for _, j := range judged {
		v.Objectives = append(v.Objectives, objective(j))
		switch {
		case j.Status == slo.Fail:
			status = slo.Fail
		case j.Status == slo.Inconclusive && status == slo.Pass:
			status = slo.Inconclusive
		}
	}
	if len(judged) == 0 {
		status = slo.Inconclusive
	}
	if v.Status = status.String(); invalid {
		v.Status = Invalid
	}
	return v
}

// incomplete says why a run is not whole. Each reason but "interrupted" is
// "incomplete": a fault of the harness.
func (b *builder) incomplete() []Reason {
	var list []Reason
	for _, n := range b.log.notes {
		switch n.Code {
		case observation.NoteInterrupted:
			list = append(list, Reason{"interrupted", "the run was interrupted: " + n.Text})
		case observation.NoteRecovered:
			list = append(list, Reason{"incomplete", "the run was recovered after a crash: " + n.Text})
		case observation.NoteTornTail:
			list = append(list, Reason{"incomplete", "the journal's tail was torn: " + n.Text})
		}
	}
	if r := receipt.Find(b.receipts, "local_faults"); r.Status == receipt.Broken {
		list = append(list, Reason{"incomplete", "local_faults: " + r.Note})
	}
	if missing := b.missing(); missing > 0 {
		list = append(list, Reason{"incomplete", fmt.Sprintf("%d of the %d requests of the schedule have no record", missing, b.due.records)})
	}
	if b.s.Records == 0 {
		list = append(list, Reason{"incomplete", "there is no record at all"})
	}
	return list
}

// missing is how many scheduled requests, warm-up included, have no record.
// Later turns of sessions are in no schedule and make up for none.
func (b *builder) missing() int64 {
	var open int64
	for name := range b.due.open {
		later, _ := b.s.Later(name)
		open += b.s.StreamRecords(name) - later
	}
	return max(0, b.due.records-open)
}

// invalidates tells whether a broken receipt spoils this run: coalesced events
// have a wrong time, which a run judged on latency and errors alone does not use.
func (b *builder) invalidates(name string, judged []slo.Judgement) bool {
	if name != "coalesced" {
		return true
	}
	for _, j := range judged {
		if info, _ := slo.Known(j.Objective.Metric); info.NeedsStream || info.NeedsGood {
			return true
		}
	}
	return false
}

func broken(r receipt.Receipt) string {
	than := "must be below"
	if r.Name == "delivered" {
		than = "must be above"
	}
	switch {
	case r.Name == "cpu" && r.Value < r.Limit:
		return r.Note // the single second that was too high
	case r.Name == "doubling":
		return "doubling: " + r.Note
	}
	t := fmt.Sprintf("%s is %s and %s %s", r.Name, amount(r.Value, r.Unit), than, amount(r.Limit, r.Unit))
	if r.Note != "" {
		t += " (" + r.Note + ")"
	}
	return t
}

func amount(v float64, unit string) string {
	switch unit {
	case "fraction":
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v*100), "0"), ".") + "%"
	case "count":
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g %s", v, unit)
}

// leastProcesses is the fleet below which a result is no capacity claim,
// unless twice as many processes saw the same: one process can mislead
// everybody for a year.
const leastProcesses = 8

// claim tells whether the result may stand as a capacity claim, and why not.
func (b *builder) claim(v Verdict, a Arrivals) (bool, []Reason) {
	why := []Reason{}
	if v.Status != Pass && v.Status != Fail {
		why = append(why, Reason{v.Status, "the verdict is " + v.Status})
	}
	proven := receipt.Find(b.receipts, "doubling").Status == receipt.Holds
	if n := b.log.epoch.Processes; n < leastProcesses && !proven {
		why = append(why, Reason{"processes", fmt.Sprintf("%d processes sent the load; a claim needs %d", n, leastProcesses)})
	}
	for _, name := range []string{"cpu", "machine_cpu", "send_lag"} {
		if r := receipt.Find(b.receipts, name); r.Status == receipt.Unavailable {
			why = append(why, Reason{name, name + " could not be read here: " + r.Note})
		}
	}
	if a.Holds != nil && !*a.Holds {
		why = append(why, Reason{"arrivals", "what was sent is not what was asked: " + a.Test})
	}
	why = append(why, b.quota()...)
	why = append(why, b.drift()...)
	return len(why) == 0, why
}

// objective is one judgement as the file has it.
func objective(j slo.Judgement) Objective {
	e := j.Estimate
	o := Objective{
		Objective: j.Objective.Text, Stream: j.Stream, Unit: j.Unit,
		Value: number(e.Point), Low: number(e.Low), High: number(e.High), Bound: j.Objective.Value,
		Status: j.Status.String(), Count: e.N, Holds: j.Holds, NeedsMoreS: number(j.MoreS), Why: j.Why,
	}
	if e.Effective > 0 && j.Objective.Metric != "error_rate" {
		o.Effective = number(e.Effective)
	}
	return o
}

// number is a value that exists: what is missing or open is null.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
