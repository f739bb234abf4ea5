package report

import (
	"fmt"
	"strings"

	"assay/internal/result"
)

func writeVerdict(p *page, r *result.Result) {
	head := p.paint(statusStyle(r.Verdict.Status), strings.ToUpper(r.Verdict.Status)) + "  " + p.paint(bold, oneLine(r.Name, 80))
	if r.Contract.DefaultObjectives {
		head += "  (default objectives)"
	}
	p.line(head)
	for _, reason := range r.Verdict.Reasons {
		if reason.Code != "default_objectives" {
			p.line("  " + because(reason))
		}
	}
	p.line("")
	invalid := r.Verdict.Status == result.Invalid
	if invalid {
		p.line(p.paint(bad, "  What follows describes this client, or a run that is not whole: not the server."))
		p.line("")
	}
	writeObjectives(p, r.Verdict.Objectives, !invalid)
	p.line("")
	p.line("  " + population(r))
	writeClaim(p, r)
}

// because is a reason in words, with its code unless the words begin with it.
func because(reason result.Reason) string {
	text := oneLine(reason.Text, 400)
	if strings.HasPrefix(text, reason.Code) {
		return text
	}
	return reason.Code + ": " + text
}

// writeObjectives gives each objective a line. Where they do not count, their
// statuses stand in brackets and without colour.
func writeObjectives(p *page, objectives []result.Objective, counts bool) {
	t := table{align: "lllll"}
	for _, o := range objectives {
		status := cell{o.Status, statusStyle(o.Status)}
		if !counts {
			status = cell{"(" + o.Status + ")", faint}
		}
		bounds := ""
		if o.Value != nil || o.Low != nil || o.High != nil {
			bounds = interval(o.Low, o.High, o.Unit)
		}
		t.row(status, plain(named(o)), cell{amount(o.Value, o.Unit), bold}, plain(bounds), cell{sample(o), faint})
	}
	t.write(p, "  ")
	for _, o := range objectives {
		if s := remark(o); s != "" {
			p.line("    " + named(o) + ": " + s)
		}
	}
}

// named is the objective as written, with the stream it belongs to where the
// contract has several.
func named(o result.Objective) string {
	if o.Stream == "" {
		return o.Objective
	}
	return o.Stream + ": " + o.Objective
}

func sample(o result.Objective) string {
	s := "n " + count(o.Count)
	if o.Effective != nil && int64(*o.Effective+0.5) != o.Count {
		s += ", effective " + count(int64(*o.Effective+0.5))
	}
	return s
}

// remark says why an objective is not settled, what holds now, and how much
// longer it takes.
func remark(o result.Objective) string {
	var parts []string
	if o.Why != "" {
		parts = append(parts, o.Why)
	}
	if o.Status != result.Inconclusive {
		return strings.Join(parts, "; ")
	}
	if o.Holds != "" {
		parts = append(parts, "holds now: "+o.Holds)
	}
	if o.NeedsMoreS != nil {
		parts = append(parts, "about "+seconds(*o.NeedsMoreS)+" more would settle it")
	}
	return strings.Join(parts, "; ")
}

// population is one line on whose numbers these are. What did not happen is
// left out, except ok and failed.
func population(r *result.Result) string {
	q := r.Requests
	parts := []string{
		fmt.Sprintf("window %ss", digits(r.DurationS)),
		"due " + count(q.Due), "ok " + count(q.OK), "failed " + count(q.Failed),
	}
	for _, more := range []struct {
		name string
		n    int64
	}{{"censored", q.Censored}, {"cancelled", q.Cancelled}, {"local", q.Local}, {"held back", q.Held}, {"warm-up", q.Warmup}} {
		if more.n > 0 {
			parts = append(parts, more.name+" "+count(more.n))
		}
	}
	parts = append(parts, fmt.Sprintf("%d processes", r.Client.Processes), "clock "+r.Client.Clock,
		fmt.Sprintf("seed %d", r.Contract.Seed))
	return strings.Join(parts, " · ")
}

func writeClaim(p *page, r *result.Result) {
	if r.Claim || r.Verdict.Status == result.Invalid {
		return
	}
	for _, reason := range r.ClaimWhy {
		if reason.Code == r.Verdict.Status {
			continue // nobody takes an unsettled run for a claim
		}
		p.line("  " + p.paint(doubt, "no capacity claim") + ": " + oneLine(reason.Text, 400))
	}
}
