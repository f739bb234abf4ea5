package format

// What was counted on the way through a file.

import "slices"

// mostExamples bounds the unusable lines that are told one by one.
const mostExamples = 5

// A Tally is what was counted.
type Tally struct {
	Unusable int
	Sessions int    // sessions of any length that the file names
	Bodies   int    // entries with a body to be sent as it is
	Streamed int    // of them: those that ask for a reply in pieces
	media    [2]int // entries with some, by workload.Kind
	first    []Unusable
	later    int // turns after the first of their session
	repeats  int // of them: those that repeat the turn before
}

func (t *Tally) unusable(u *Unusable) {
	if t.Unusable++; len(t.first) < mostExamples {
		t.first = append(t.first, Unusable{u.Line, shorten(u.Reason)})
	}
}

// cumulative tells whether the later turns of the file hold their history. The
// most of them decide: a history that was cut in the middle begins otherwise.
func (t *Tally) cumulative() bool { return t.repeats > 0 && 2*t.repeats >= t.later }

func (t *Tally) examples(r *reader) []string {
	var all []string
	for _, u := range slices.Clone(t.first) {
		all = append(all, r.place(&u))
	}
	return all
}
