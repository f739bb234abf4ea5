package result

// The instrument's account of itself.

import (
	"fmt"
	"time"

	"assay/internal/observation"
	"assay/internal/receipt"
	"assay/internal/unit"
)

// limits are the contract's, marked where they are not the usual ones.
func (b *builder) limits() receipt.Limits {
	c, usual := b.c.Client, b.c.UsualClient()
	fraction := func(v, u unit.Fraction) receipt.Limit {
		return receipt.Limit{Value: float64(v), Usual: float64(u), Changed: v != u}
	}
	l := receipt.Limits{
		CPU:        fraction(c.MaxCPU, usual.MaxCPU),
		CPUSecond:  fraction(c.MaxCPUSecond, usual.MaxCPUSecond),
		MachineCPU: fraction(c.MaxMachineCPU, usual.MaxMachineCPU),
		Coalesced:  fraction(c.MaxCoalesced, usual.MaxCoalesced),
		Delivered:  fraction(c.MinDelivered, usual.MinDelivered),
		SendLag:    receipt.Limit{Value: milliseconds(*usual.MaxSendLag), Usual: milliseconds(*usual.MaxSendLag)},
	}
	if c.MaxSendLag != nil {
		l.SendLag.Value, l.SendLag.Changed = milliseconds(*c.MaxSendLag), *c.MaxSendLag != *usual.MaxSendLag
	}
	return l
}

func milliseconds(d unit.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (b *builder) client() Client {
	find := func(name string) receipt.Receipt { return receipt.Find(b.receipts, name) }
	c := Client{
		Processes:      b.log.epoch.Processes,
		CPUMax:         number(find("cpu").Spread.Max),
		MachineCPUMax:  number(find("machine_cpu").Spread.Max),
		SendLag:        lag(find("send_lag")),
		ReadLag:        lag(find("read_lag")),
		Coalesced:      number(find("coalesced").Value),
		Delivered:      number(find("delivered").Value),
		NewConnections: number(find("new_connections").Value),
		Clock:          b.evidence.Clock.String(),
		GapsClamped:    b.s.Clamped,
		Network:        b.network(),
		Proof:          proof(b.obs),
		Receipts:       []Receipt{},
	}
	if v := find("local_faults").Value; finite(v) {
		c.LocalFaults = int64(v)
	}
	for _, r := range b.receipts {
		c.Receipts = append(c.Receipts, Receipt{
			Name: r.Name, Unit: r.Unit, Value: number(r.Value), Limit: number(r.Limit), Usual: number(r.Usual),
			Changed: r.Changed, Status: r.Status.String(), Warns: r.Warns, Note: r.Note,
		})
	}
	return c
}

func lag(r receipt.Receipt) *Lag {
	if !finite(r.Spread.Max) {
		return nil
	}
	return &Lag{P50: number(r.Spread.P50), P99: number(r.Spread.P99), Max: number(r.Spread.Max)}
}

// proof is the doubling check as the observations have it; nil without one.
func proof(obs []observation.Observation) *Proof {
	var p *observation.Proof
	for i := range obs {
		if obs[i].Kind == observation.KindProof {
			p = obs[i].Proof
		}
	}
	if p == nil {
		return nil
	}
	out := &Proof{
		Processes: p.Processes, Run: fmt.Sprintf("attempts/%d", p.N), Status: p.Status,
		Holds: receipt.ProofHolds(p), Compared: []Comparison{},
	}
	for _, c := range p.Compared {
		out.Compared = append(out.Compared, Comparison{
			Name: c.Name, This: c.This, ThisCI: c.CI, Other: c.Other, OtherCI: c.OtherCI, Overlap: receipt.Overlaps(c),
		})
	}
	return out
}
