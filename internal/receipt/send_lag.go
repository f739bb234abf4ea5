package receipt

// send_lag: (released − free) + (sent − ready), p99: how long the client held
// back what it could have sent. Waiting for a slot or a turn is wait, and
// connecting is the network's and the server's. The p99 of a hundred requests
// or fewer is the latest of them, and one late request moves no number of a
// run: TTFT counts from the sending. There the second latest is judged.

import (
	"fmt"

	"assay/internal/stats"
)

func sendLag(e *Evidence, l Limits) Receipt {
	r := blank("send_lag", "ms")
	r.bound(l.SendLag)
	if e.sendLag.Count() == 0 {
		r.Note = "no request was released"
		return r
	}
	r.Spread = spread(&e.sendLag)
	r.belowButForOne(&e.sendLag, l.SendLag)
	return r
}

// belowButForOne settles a receipt of one lag a request, by its p99 or, where
// that is the latest of all, by the second latest.
func (r *Receipt) belowButForOne(lags *stats.Tally, l Limit) {
	r.below(r.Spread.P99, l)
	n := lags.Count()
	if n == 1 {
		return
	}
	const between = 1.5 // so that the rank is n − 1, however it is rounded
	if second := ms(lags.Percentile((float64(n) - between) / float64(n))); second < r.Spread.P99 {
		r.below(second, l)
		r.Note = fmt.Sprintf("the second latest of %d requests; the latest was %.3g ms late", n, r.Spread.Max)
	}
}
