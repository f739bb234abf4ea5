package report

// The other runs of the same contract: the attempts before this one, and the
// one with twice the processes.

import (
	"fmt"
	"strconv"

	"assay/internal/result"
)

// writeAttempts shows the way to this result, where there was more than one
// attempt. The rate of an invalid one is the phantom that it would have been.
func writeAttempts(p *page, attempts []result.Attempt) {
	if len(attempts) < 2 {
		return
	}
	p.heading("attempts  (what an invalid one reached is this client's ceiling, not the server's)")
	t := table{align: "rrlrll"}
	t.row(header("", "processes", "", "request rate", "folder", "why")...)
	for i, a := range attempts {
		status := cell{a.Status, statusStyle(a.Status)}
		if a.Preflight {
			status.text += " (rehearsal)"
		}
		folder, why := "attempts/"+strconv.Itoa(i+1), ""
		if i == len(attempts)-1 {
			folder = "this one"
		}
		if len(a.Reasons) > 0 && a.Reasons[0].Code != "default_objectives" {
			why = because(a.Reasons[0])
		}
		t.row(plain(strconv.Itoa(i+1)), plain(strconv.Itoa(a.Processes)), status,
			plain(amount(a.RequestRate, "1/s")), plain(folder), cell{oneLine(why, 200), faint})
	}
	t.write(p, "  ")
}

// writeProof shows the doubling check with the numbers of both runs.
func writeProof(p *page, c result.Client) {
	if c.Proof == nil {
		return
	}
	word := cell{"holds", good}
	if !c.Proof.Holds {
		word = cell{"does not hold", bad}
	}
	p.heading(fmt.Sprintf("doubling check by %d processes", c.Proof.Processes) + "  " + p.paint(word.style, word.text))
	t := table{align: "lrlrll"}
	t.row(header("", strconv.Itoa(c.Processes)+" processes", "95%", strconv.Itoa(c.Proof.Processes)+" processes", "95%", "")...)
	for _, x := range c.Proof.Compared {
		agree := cell{"agree", good}
		if !x.Overlap {
			agree = cell{"apart", bad}
		}
		t.row(plain(x.Name), cell{number(x.This), bold}, plain(interval(x.ThisCI[0], x.ThisCI[1], "")),
			cell{number(x.Other), bold}, plain(interval(x.OtherCI[0], x.OtherCI[1], "")), agree)
	}
	t.write(p, "  ")
	p.line("  the other run: " + c.Proof.Run + ", " + p.paint(statusStyle(c.Proof.Status), c.Proof.Status))
}
