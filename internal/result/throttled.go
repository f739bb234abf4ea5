package result

// What a server refused for the sake of a quota, or because it was full.

import "fmt"

// throttledShare is from which share of the population on refusals are no
// accident: what a run then measured is what it was allowed.
const throttledShare = 0.05

// throttled is nil where nothing was refused.
func (b *builder) throttled() *Throttled {
	if b.s.Throttle.Count == 0 {
		return nil
	}
	t := &Throttled{Count: b.s.Throttle.Count}
	if median, largest, told := b.s.Throttle.RetryAfter(); told {
		t.RetryAfterS = &RetryAfter{P50: median, Max: largest}
	}
	return t
}

// quota is the reason beside the verdict of a run that met many refusals. It
// changes no status: the objectives count them as failures already.
func (b *builder) quota() []Reason {
	n, all := b.s.Throttle.Count, b.population()
	if all == 0 || float64(n) < throttledShare*float64(all) {
		return nil
	}
	return []Reason{{"throttled", fmt.Sprintf("%d of %d requests were refused with 429 or 503: this run measured a quota, or how a full server sheds load, and not what it can serve", n, all)}}
}
