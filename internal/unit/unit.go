// Package unit turns what people write (40/s, 500ms, 70%) into typed values
// and back. It refuses a number without its unit.
package unit

import "time"

// A Duration is written with a unit: 500ms, 10m, 1h30m.
type Duration time.Duration

// A Rate is events per second, written 40/s, 2400/min, 5/h.
type Rate float64

// A Fraction is 0–1, written 70% or 0.7.
type Fraction float64
