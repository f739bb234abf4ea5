// The table of shapes, and what a shape is.

package arrival

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// An opener starts a shape: the function it returns yields the due times of
// requests 0, 1, 2, … in ns from the start of the warm-up, never decreasing.
// It takes all its randomness from r, which is its own.
type opener func(spec Spec, r *rand.Rand) (next func() float64)

// shapes is the table: a new shape is a file and a line here.
var shapes = []struct {
	name string
	open opener
}{
	{Constant, openConstant},
	{Poisson, openPoisson},
}

// ParseShape returns the shape of that name. The error of an unknown one lists
// those that are known.
func ParseShape(name string) (string, error) {
	for _, s := range shapes {
		if s.name == name {
			return s.name, nil
		}
	}
	return "", fmt.Errorf("unknown arrivals %q: known are %s", name, strings.Join(Shapes(), ", "))
}

// Shapes returns the names of the known shapes.
func Shapes() []string {
	names := make([]string, len(shapes))
	for i, s := range shapes {
		names[i] = s.name
	}
	return names
}

// Check says why a schedule cannot be made of the spec.
func (s Spec) Check() error {
	if _, err := ParseShape(s.Shape); err != nil {
		return err
	}
	if !(s.Rate > 0) || math.IsInf(s.Rate, 0) {
		return fmt.Errorf("rate %v/s: must be a number above 0", s.Rate)
	}
	return nil
}

func (s Spec) open(r *rand.Rand) func() float64 {
	if err := s.Check(); err != nil {
		panic("internal error: schedule of an unchecked spec: " + err.Error())
	}
	for _, shape := range shapes {
		if shape.name == s.Shape {
			return shape.open(s, r)
		}
	}
	panic("internal error: shape " + s.Shape + " is checked and not in the table")
}
