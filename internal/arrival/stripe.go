// Which worker a request belongs to.

package arrival

// Stripe tells whether an open-loop request is this worker's: requests are
// dealt round, so that each worker's share is as even as the whole. Every
// request belongs to exactly one worker.
func Stripe(seq uint64, worker, workers int) bool {
	return seq%uint64(workers) == uint64(worker)
}

// Slots returns the slots of a closed loop that are this worker's: they are
// dealt round, so with fewer slots than workers those beyond them have none and
// stay idle.
func Slots(concurrency, worker, workers int) []int {
	var slots []int
	for s := worker; s < concurrency; s += workers {
		slots = append(slots, s)
	}
	return slots
}

// OwnsSlot tells whether a closed-loop request is this worker's: it belongs to
// the slot that its number is dealt to. The owner sends its requests in order,
// each from whichever of its slots is free first.
func OwnsSlot(seq uint64, concurrency, worker, workers int) bool {
	slot := seq % uint64(concurrency)
	return slot%uint64(workers) == uint64(worker)
}
