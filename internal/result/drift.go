package result

// Whether the run had settled: a queue that still grows, or latencies that
// still rise, say more of the length of the run than of the server.

// drift returns a reason when the run had not settled. The verdict stands
// without it; a claim does not.
func (b *builder) drift() []Reason {
	return nil
}
