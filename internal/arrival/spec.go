// Package arrival says when requests are due: one file per shape. A schedule
// is a function of (spec, seed) alone, so every worker computes the whole of
// it and takes its stripe; the number of workers changes nothing. It refuses
// rates that are not above 0 and shapes that it does not know. It promises the
// same instants for the same spec and seed, to the nanosecond, for ever.
package arrival

// Shapes of arrivals.
const (
	Constant = "constant"
	Poisson  = "poisson"
)

// A Spec is a shape with its parameters.
type Spec struct {
	Shape string
	Rate  float64 // requests per second
}
