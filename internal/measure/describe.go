package measure

// Descriptions: the distribution of a metric over the requests that
// succeeded, whole and by every dimension.

import "assay/internal/stats"

// A Dimension is one way of parting the population, with its parts in order.
type Dimension struct {
	Name  string
	Parts []Part
}

// A Part is one value of a dimension and the filter that selects it.
type Part struct {
	Label  string
	Filter Filter
}

// Dimensions returns the ways of parting this population.
func (s *Summary) Dimensions() []Dimension {
	var out []Dimension
	add := func(name string, parts []Part) {
		if len(parts) > 0 {
			out = append(out, Dimension{name, parts})
		}
	}
	add("stream", s.named("stream", func(c *cell) string { return c.stream }))
	add("endpoint", s.named("endpoint", func(c *cell) string { return c.endpoint }))
	add("url", s.named("url", func(c *cell) string { return c.url }))
	add("turn", s.named("turn", func(c *cell) string {
		if c.later {
			return "later"
		}
		return "first"
	}))
	add("input_tokens", s.ranges("input", inputCuts))
	add("output_tokens", s.ranges("output", outputCuts))
	add("position", s.ranges("pos", positionCuts))
	return out
}

func (s *Summary) named(field string, of func(*cell) string) []Part {
	var parts []Part
	seen := map[string]bool{}
	for _, c := range s.order {
		v := of(c)
		if seen[v] || s.requestsIn([]*cell{c}) == 0 {
			continue
		}
		seen[v] = true
		parts = append(parts, Part{v, Filter{[]Condition{{Field: field, Op: "=", Text: v}}}})
	}
	return parts
}

// ranges parts a numeric dimension at its default cuts; a filter's own cuts
// lie within.
func (s *Summary) ranges(field string, at []int) []Part {
	var parts []Part
	above := 0
	for i := range len(at) + 1 {
		last := i == len(at)
		f := Filter{[]Condition{{Field: field, Op: ">", Number: above}}}
		p := Part{Filter: f}
		if last {
			p.Label = label(above, 0, true)
		} else {
			p.Label = label(above, at[i], false)
			p.Filter.Conditions = append(p.Filter.Conditions, Condition{Field: field, Op: "<=", Number: at[i]})
			above = at[i]
		}
		if s.anyIn(p.Filter) {
			parts = append(parts, p)
		}
	}
	return parts
}

func (s *Summary) anyIn(f Filter) bool {
	found := false
	cells := s.gapCells(f, AsInfinite)
	if !f.Positional() {
		return s.requestsIn(cells) > 0
	}
	s.eachStore(cells, f, func(g *gapStore) {
		for j := range g.slices {
			found = found || g.slices[j].len() > 0
		}
	})
	return found
}

// Whole returns the sample that a table describes: what succeeded, failures
// left out.
func (s *Summary) Whole(metric string, f Filter) *stats.Sample {
	return s.Sample(Ask{Metric: metric, Filter: f}, LeftOut, false)
}
