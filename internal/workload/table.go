// Lengths in pairs: a prompt's and its answer's, drawn together, because what
// is asked at length is often answered briefly.

package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sort"
)

// A Pair is a length of prompts with a length of answers and how often the two
// come together, or a file of such.
type Pair struct {
	Input  int     `yaml:"input,omitempty" json:"input,omitempty"`
	Output int     `yaml:"output,omitempty" json:"output,omitempty"`
	Weight float64 `yaml:"weight,omitempty" json:"weight,omitempty"` // 0: one
	File   string  `yaml:"file,omitempty" json:"file,omitempty"`     // CSV, instead of the others and alone in its list
}

// SetWord takes the one word that stands for a whole list of pairs: a file.
func (p *Pair) SetWord(word string) { p.File = word }

// check says why the pair can't be drawn.
func (p Pair) check() error {
	switch {
	case p.File != "" && p != Pair{File: p.File}:
		return errors.New("a file brings its own pairs: write file alone")
	case p.File != "":
		return nil
	case p.Input < 1 || p.Input > MaxTokens:
		return fmt.Errorf("input %d is not between 1 and %d", p.Input, MaxTokens)
	case p.Output < 1 || p.Output > MaxTokens:
		return fmt.Errorf("output %d is not between 1 and %d", p.Output, MaxTokens)
	case !(p.Weight >= 0 && p.Weight <= maxWeight):
		return fmt.Errorf("weight %v is not above 0 and at most %v", p.Weight, maxWeight)
	}
	return nil
}

// maxWeight keeps the sum of the weights of any file finite and exact enough.
const maxWeight = 1e12

// CheckPairs says why lengths can't be drawn from the list, and which element
// is at fault; -1 says the list as a whole.
func CheckPairs(list []Pair) (at int, err error) {
	for i, p := range list {
		if err := p.check(); err != nil {
			return i, err
		}
		if p.File != "" && len(list) > 1 {
			return i, errors.New("a file is the whole list: write lengths: FILE.csv")
		}
	}
	if len(list) == 0 {
		return -1, errors.New("there are no lengths")
	}
	return -1, nil
}

// A table is pairs to be drawn from.
type table struct {
	in, out []int32
	sums    []float64 // of the weights up to and with each pair; nil: all weigh the same
}

// newTable makes a table of a checked list, reading the file that it names.
func newTable(list []Pair, fsys fs.FS) (*table, error) {
	if at, err := CheckPairs(list); err != nil {
		if at >= 0 {
			err = fmt.Errorf("element %d: %w", at+1, err)
		}
		return nil, err
	}
	if name := list[0].File; name != "" {
		return readTable(fsys, name)
	}
	t := &table{}
	for _, p := range list {
		if p.Weight == 0 {
			p.Weight = 1
		}
		t.add(p)
	}
	return t, nil
}

// add takes one more pair. Sums are kept only from the first weight on that is
// not one: a file of a million requests has none.
func (t *table) add(p Pair) {
	if t.sums == nil && p.Weight != 1 {
		t.sums = make([]float64, len(t.in), cap(t.in))
		for i := range t.sums {
			t.sums[i] = float64(i + 1)
		}
	}
	t.in, t.out = append(t.in, int32(p.Input)), append(t.out, int32(p.Output))
	if t.sums != nil {
		t.sums = append(t.sums, t.total()+p.Weight)
	}
}

func (t *table) total() float64 {
	if len(t.sums) == 0 {
		return 0
	}
	return t.sums[len(t.sums)-1]
}

// draw returns one pair, each as often as it weighs.
func (t *table) draw(r *rand.Rand) (in, out int) {
	i := 0
	if t.sums == nil {
		i = int(r.Uint64N(uint64(len(t.in))))
	} else {
		u := r.Float64() * t.total()
		i = min(sort.Search(len(t.sums), func(k int) bool { return t.sums[k] > u }), len(t.sums)-1)
	}
	return int(t.in[i]), int(t.out[i])
}

// below is the share of prompts that have fewer tokens.
func (t *table) below(tokens int) float64 {
	under, before := 0.0, 0.0
	for i, n := range t.in {
		weight := 1.0
		if t.sums != nil {
			weight = t.sums[i] - before
			before = t.sums[i]
		}
		if int(n) < tokens {
			under += weight
		}
	}
	if t.sums == nil {
		return under / float64(len(t.in))
	}
	return under / t.total()
}
