package measure

// Requests that agree in every dimension a filter can name share a cell. A
// filter is a union of cells, so that no gap need carry its dimensions.

import (
	"fmt"
	"slices"

	"assay/internal/record"
)

// Cuts of the numeric dimensions that every report shows; a filter adds its own.
var (
	inputCuts    = []int{256, 1024, 4096, 16384}
	outputCuts   = []int{64, 256, 1024}
	positionCuts = []int{64, 256, 1024}
)

// cuts part the whole numbers: bucket i holds what is above cut i−1 and not
// above cut i. Bucket 0 ends at −1: there lies what is not known.
type cuts []int

// newCuts are the default cuts of a field and those that the filters need.
func newCuts(field string, defaults []int, asks []Ask) cuts {
	c := append(cuts{-1}, defaults...)
	for _, a := range asks {
		for _, cond := range a.Filter.Conditions {
			if cond.Field != field {
				continue
			}
			switch cond.Op {
			case "<", ">=":
				c = append(c, cond.Number-1)
			case "=":
				c = append(c, cond.Number-1, cond.Number)
			default:
				c = append(c, cond.Number)
			}
		}
	}
	slices.Sort(c)
	return slices.Compact(c)
}

func (c cuts) bucket(n int) int {
	i, _ := slices.BinarySearch(c, n)
	return i
}

// sample is a number that lies in the bucket, and stands for all of it.
func (c cuts) sample(bucket int) int {
	if bucket == len(c) {
		return c[bucket-1] + 1
	}
	return c[bucket]
}

// cellKey is where a request stands in every dimension.
type cellKey struct {
	stream, endpoint, url string
	later                 bool // not the first turn
	input, output         int  // buckets
	failed                bool // failed or censored
}

// A cell is what is summed over its requests.
type cell struct {
	cellKey
	id     int
	status [record.Local + 1]int64 // of the population
	good   int64
	sent   int64 // items of those that succeeded

	// Per slice of the window, all phases: what ended or arrived in it.
	completions, outputTokens, inputTokens, items [Slices]float64

	gaps []gapStore // per bucket of token position
}

// gapStore is the gaps of one cell and position, per slice of their arrival.
type gapStore struct {
	slices [Slices]codes
	owed   [Slices]int64 // output tokens that failed requests still owed
}

// codes is an append-only list in pieces, so that growing copies nothing.
type codes struct {
	full [][]uint32
	last []uint32
}

const pieceSize = 1 << 12

func (c *codes) add(v uint32) {
	if len(c.last) == cap(c.last) {
		if c.last != nil {
			c.full = append(c.full, c.last)
		}
		c.last = make([]uint32, 0, max(64, min(pieceSize, 4*cap(c.last))))
	}
	c.last = append(c.last, v)
}

func (c *codes) len() int {
	n := len(c.last)
	for _, p := range c.full {
		n += len(p)
	}
	return n
}

func (c *codes) appendTo(dst []uint32) []uint32 {
	for _, p := range c.full {
		dst = append(dst, p...)
	}
	return append(dst, c.last...)
}

// matches tells whether the cell's requests pass the conditions, token
// position aside.
func (s *Summary) matches(c *cellKey, f Filter) bool {
	for _, cond := range f.Conditions {
		ok := true
		switch cond.Field {
		case "stream":
			ok = c.stream == cond.Text
		case "endpoint":
			ok = c.endpoint == cond.Text
		case "url":
			ok = c.url == cond.Text
		case "turn":
			ok = c.later == (cond.Text == "later")
		case "input":
			ok = numeric(cond, s.input.sample(c.input))
		case "output":
			ok = numeric(cond, s.output.sample(c.output))
		}
		if !ok {
			return false
		}
	}
	return true
}

// picked marks, by id, the cells that pass.
func (s *Summary) picked(f Filter) []bool {
	in := make([]bool, len(s.order))
	for i, c := range s.order {
		in[i] = s.matches(&c.cellKey, f)
	}
	return in
}

// matchesPosition tells whether a bucket of token positions passes.
func (s *Summary) matchesPosition(bucket int, f Filter) bool {
	for _, cond := range f.Conditions {
		if cond.Field == "pos" && !numeric(cond, s.position.sample(bucket)) {
			return false
		}
	}
	return true
}

// numeric holds a number against a condition; what is not known passes none.
func numeric(c Condition, n int) bool { return n >= 0 && c.number(n) }

// label names the range between two cuts as people read it: 65-256, >1024.
func label(above, upTo int, last bool) string {
	if last {
		return fmt.Sprintf(">%d", above)
	}
	return fmt.Sprintf("%d-%d", above+1, upTo)
}
