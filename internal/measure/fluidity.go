package measure

import "assay/internal/record"

// Deadlines are the objectives that fluidity counts against, in ms; 0 where
// the stream has none, and then no request has a fluidity.
type Deadlines struct{ First, Next float64 }

// fluidity = deadlines met ÷ tokens: the first token is due within First of
// the sending, every other within Next of the one before; a token that comes
// early banks what it saved, a miss spends the bank (arXiv 2407.07000). All
// tokens of an event arrive with it.
func fluidity(r *record.Record, d Deadlines) (float64, bool) {
	if d.First <= 0 || d.Next <= 0 || r.Sent == record.None {
		return 0, false
	}
	met, tokens := 0, 0
	slack := 0.0
	before := r.Sent
	for _, e := range r.Events {
		for range e.Tokens() {
			allowed := d.Next
			if tokens == 0 {
				allowed = d.First
			}
			tokens++
			took := ms(e.Arrived - before)
			before = e.Arrived
			if took > allowed+slack {
				slack = 0
				continue
			}
			met++
			slack += allowed - took
		}
	}
	if tokens == 0 {
		return 0, false
	}
	return float64(met) / float64(tokens), true
}
