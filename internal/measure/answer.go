package measure

// Answers: samples for objectives, descriptions for tables, counts and rates.

import (
	"math"

	"assay/internal/record"
	"assay/internal/stats"
)

// Failures says what a sample does with requests that failed or were censored.
type Failures uint8

const (
	LeftOut    Failures = iota // tables: they are counted beside
	AsInfinite                 // percentile objectives: a value that never came
)

// Sample is the values of a metric over the requests that pass the filter, in
// order of time. negated turns them round, for metrics that are better when
// they are higher: a value that never came is the worst in either.
func (s *Summary) Sample(a Ask, failures Failures, negated bool) *stats.Sample {
	if a.Metric == ITL {
		return s.gapSample(a.Filter, failures)
	}
	i, in := column(a.Metric), s.picked(a.Filter)
	var values []float64
	for k := range s.rows {
		w := &s.rows[k]
		if !in[w.cell.id] {
			continue
		}
		switch {
		case i >= 0 && !math.IsNaN(w.values[i]) && negated:
			values = append(values, -w.values[i])
		case i >= 0 && !math.IsNaN(w.values[i]):
			values = append(values, w.values[i])
		case bad(w.status) && failures == AsInfinite:
			values = append(values, math.Inf(1))
		}
	}
	return stats.OfValues(stats.Cut(values, stats.Batches(len(values))))
}

// gapSample pools the gaps by the slice of the window in which they ended.
func (s *Summary) gapSample(f Filter, failures Failures) *stats.Sample {
	cells := s.gapCells(f, failures)
	k := min(Slices, stats.Batches(int(s.requestsIn(cells))))
	values, inf := make([][]uint32, k), make([]int64, k)
	for j := range k {
		n := 0
		s.eachStore(cells, f, func(g *gapStore) {
			for i := j * Slices / k; i < (j+1)*Slices/k; i++ {
				n += g.slices[i].len()
			}
		})
		values[j] = make([]uint32, 0, n)
		s.eachStore(cells, f, func(g *gapStore) {
			for i := j * Slices / k; i < (j+1)*Slices/k; i++ {
				values[j] = g.slices[i].appendTo(values[j])
				inf[j] += g.owed[i]
			}
		})
	}
	return stats.OfCodes(values, inf)
}

func (s *Summary) gapCells(f Filter, failures Failures) []*cell {
	var list []*cell
	for _, c := range s.order {
		if s.matches(&c.cellKey, f) && (!c.failed || failures == AsInfinite) {
			list = append(list, c)
		}
	}
	return list
}

func (s *Summary) requestsIn(cells []*cell) (n int64) {
	for _, c := range cells {
		n += c.status[record.OK] + c.status[record.Failed] + c.status[record.Censored]
	}
	return n
}

func (s *Summary) eachStore(cells []*cell, f Filter, do func(*gapStore)) {
	for _, c := range cells {
		for b := range c.gaps {
			if s.matchesPosition(b, f) {
				do(&c.gaps[b])
			}
		}
	}
}

// InOrder is the values of a metric once a request, in order of time.
func (s *Summary) InOrder(metric string) []float64 {
	var values []float64
	i := column(metric)
	for k := range s.rows {
		if v := s.rows[k].values[i]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// Counts is the population by how its requests ended.
type Counts struct {
	Population                             int64 // records; a request that was never released has none
	Sent                                   int64
	Held                                   int64 // by a ceiling, for a while or to the end
	OK, Failed, Censored, Cancelled, Local int64
	Good                                   int64
}

// Counts counts the requests that pass the filter.
func (s *Summary) Counts(f Filter) Counts {
	var n Counts
	in := s.picked(f)
	for i := range s.rows {
		w := &s.rows[i]
		if !in[w.cell.id] {
			continue
		}
		if w.sent != record.None {
			n.Sent++
		}
		if w.held {
			n.Held++
		}
	}
	for _, c := range s.order {
		if !in[c.id] {
			continue
		}
		n.OK += c.status[record.OK]
		n.Failed += c.status[record.Failed]
		n.Censored += c.status[record.Censored]
		n.Cancelled += c.status[record.Cancelled]
		n.Local += c.status[record.Local]
		n.Good += c.good
	}
	n.Population = n.OK + n.Failed + n.Censored + n.Cancelled + n.Local
	return n
}

// Items is how many vectors, scores and the like the requests of the
// population that succeeded brought.
func (s *Summary) Items(f Filter) (n int64) {
	in := s.picked(f)
	for _, c := range s.order {
		if in[c.id] {
			n += c.sent
		}
	}
	return n
}

// NotGood is the indicator of the requests that were not good, in order of
// time: 1 is not good. The whole population is in it.
func (s *Summary) NotGood(f Filter) *stats.Sample {
	in := s.picked(f)
	var values []float64
	for i := range s.rows {
		w := &s.rows[i]
		if in[w.cell.id] {
			values = append(values, float64(1-digit(w.good)))
		}
	}
	return stats.OfValues(stats.Cut(values, stats.Batches(len(values))))
}

// Rate is a rate per second of the window with its interval by batch means
// over time: request_rate, output_token_rate, input_token_rate, goodput,
// offered_rate (of the records), and that of items by any of its names.
func (s *Summary) Rate(id string, f Filter) stats.Estimate {
	var sums [Slices]float64
	in := s.picked(f)
	switch id {
	case "goodput", "offered_rate":
		for i := range s.rows {
			w := &s.rows[i]
			if in[w.cell.id] && (w.good || id == "offered_rate") {
				sums[s.Window.slice(w.t)]++
			}
		}
	default:
		for _, c := range s.order {
			if !in[c.id] {
				continue
			}
			for j := range sums {
				switch id {
				case "request_rate":
					sums[j] += c.completions[j]
				case "output_token_rate":
					sums[j] += c.outputTokens[j]
				case "input_token_rate":
					sums[j] += c.inputTokens[j]
				case "item_rate", "embedding_rate", "document_rate", "text_rate", "image_rate":
					sums[j] += c.items[j]
				}
			}
		}
	}
	if s.Window.Seconds() <= 0 {
		return stats.Estimate{Point: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Level: stats.Level}
	}
	length := make([]float64, Slices)
	for j := range length {
		length[j] = s.Window.Seconds() / Slices
	}
	return stats.Ratio(sums[:], length)
}
