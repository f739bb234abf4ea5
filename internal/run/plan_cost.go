package run

// What the planned traffic would cost: the server's price by the hour, for as
// long as the traffic takes.

import (
	"time"

	"assay/internal/contract"
)

// A PlannedCost is money for warm-up and window, and what the drain may add.
// Where only the server decides when the window ends, Span is 0 and nothing
// but the price is known. Starting, the preflight and what the server does
// between runs are not in it.
type PlannedCost struct {
	PerHour    float64
	Currency   string
	Span, Most time.Duration // without and with the whole drain
}

// Amount is what so much time costs.
func (c PlannedCost) Amount(d time.Duration) float64 { return c.PerHour * d.Hours() }

// costOf takes the longest stream, because they run side by side.
func costOf(price *contract.Cost, streams []StreamPlan) *PlannedCost {
	if price == nil {
		return nil
	}
	c := &PlannedCost{PerHour: price.PerHour, Currency: price.Currency}
	for _, s := range streams {
		if s.Window == 0 {
			c.Span, c.Most = 0, 0
			break
		}
		c.Span = max(c.Span, s.Warmup+s.Window)
		c.Most = max(c.Most, s.Warmup+s.Window+s.Drain)
	}
	return c
}
