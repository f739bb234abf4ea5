// The instrument's own limits.

package contract

import (
	"time"

	"assay/internal/unit"
)

// ProofDoubling runs the same traffic again with twice the processes, and
// calls the run invalid when that moves the numbers.
const ProofDoubling = "doubling"

// UsualClient is what client: would be if it said nothing: receipts compare
// with it, so that a report shows each limit that was changed.
func (c *Contract) UsualClient() Client {
	lag := c.usualSendLag()
	return Client{
		Processes: processes, MaxProcesses: maxProcesses, MaxCPU: 0.70, MaxCPUSecond: 0.90, MaxMachineCPU: 0.85,
		MaxSendLag: &lag, MaxCoalesced: 0.01, MinDelivered: 0.999,
	}
}

// usualSendLag is min(5 ms, max(1 ms, 2 % of the tightest TTFT objective)); 5 ms without one.
func (c *Contract) usualSendLag() unit.Duration {
	const longest, shortest = 5 * time.Millisecond, time.Millisecond
	lag := longest
	for i := range c.Streams {
		for _, o := range c.Streams[i].SLO {
			if o.Metric == "ttft" || o.Metric == "ttft_due" {
				lag = min(lag, max(shortest, time.Duration(0.02*o.Value*float64(time.Millisecond))))
			}
		}
	}
	return unit.Duration(lag)
}

func (c *Contract) resolveClient() {
	usual := c.UsualClient()
	if c.Client.Processes == 0 {
		c.Client.Processes = usual.Processes
	}
	if c.Client.MaxProcesses == 0 {
		c.Client.MaxProcesses = max(usual.MaxProcesses, c.Client.Processes)
	}
	if c.Client.MaxSendLag == nil {
		c.Client.MaxSendLag = usual.MaxSendLag
	}
	for _, f := range []struct {
		key   string
		field *unit.Fraction
		value unit.Fraction
	}{
		{"max_cpu", &c.Client.MaxCPU, usual.MaxCPU},
		{"max_cpu_second", &c.Client.MaxCPUSecond, usual.MaxCPUSecond},
		{"max_machine_cpu", &c.Client.MaxMachineCPU, usual.MaxMachineCPU},
		{"max_coalesced", &c.Client.MaxCoalesced, usual.MaxCoalesced},
		{"min_delivered", &c.Client.MinDelivered, usual.MinDelivered},
	} {
		// A zero that was written is a limit of zero.
		if _, ok := c.written["client."+f.key]; !ok && *f.field == 0 {
			*f.field = f.value
		}
	}
}
