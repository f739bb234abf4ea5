package receipt

// send_lag: (released − free) + (sent − ready), p99: how long the client held
// back what it could have sent. Waiting for a slot or a turn is wait, and
// connecting is the network's and the server's.

func sendLag(e *Evidence, l Limits) Receipt {
	r := blank("send_lag", "ms")
	r.bound(l.SendLag)
	if e.sendLag.Count() == 0 {
		r.Note = "no request was released"
		return r
	}
	r.Spread = spread(&e.sendLag)
	r.below(r.Spread.P99, l.SendLag)
	return r
}
