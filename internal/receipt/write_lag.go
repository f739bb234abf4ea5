package receipt

// write_lag: from `sent` until the kernel had taken the first bytes, p99.
// A process that loses its core there has not sent what it says it has, and
// the wait stands in TTFT. The rest of a long request waits for the network,
// and does not count. TTFT may be off by a fiftieth of its median, as send_lag
// allows it for the objective, and by a millisecond at least, or by what the contract allows sending; of a
// hundred requests or fewer the second latest is judged, as in send_lag.

const writeShare = 0.02

func writeLag(e *Evidence, l Limits) Receipt {
	r := blank("write_lag", "ms")
	if e.writeLag.Count() == 0 {
		r.Note = "no request tells how long it took to be handed over"
		return r
	}
	r.Spread = spread(&e.writeLag)
	limit := ms(lateRead)
	if e.ttft.Count() > 0 {
		limit = max(limit, writeShare*ms(e.ttft.Percentile(0.5)))
	}
	allowed := Limit{Value: limit, Usual: limit}
	if l.SendLag.Changed && l.SendLag.Value > limit {
		allowed.Value, allowed.Changed = l.SendLag.Value, true
	}
	r.belowButForOne(&e.writeLag, allowed)
	return r
}
