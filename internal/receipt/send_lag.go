package receipt

// send_lag: (released − free) + (sent − ready), p99: how long the client held
// back what it could have sent. Waiting for a slot or a turn is wait, and
// connecting is the network's and the server's. The p99 of a hundred requests
// or fewer is the latest of them, and one late request moves no number of a
// run: TTFT counts from the sending. There the second latest is judged.

import "fmt"

func sendLag(e *Evidence, l Limits) Receipt {
	r := blank("send_lag", "ms")
	r.bound(l.SendLag)
	if e.sendLag.Count() == 0 {
		r.Note = "no request was released"
		return r
	}
	r.Spread = spread(&e.sendLag)
	r.below(r.Spread.P99, l.SendLag)
	n := e.sendLag.Count()
	if n == 1 {
		return r
	}
	const between = 1.5 // so that the rank is n − 1, however it is rounded
	if second := ms(e.sendLag.Percentile((float64(n) - between) / float64(n))); second < r.Spread.P99 {
		r.below(second, l.SendLag)
		r.Note = fmt.Sprintf("the second latest of %d requests; the latest was %.3g ms late", n, r.Spread.Max)
	}
	return r
}
