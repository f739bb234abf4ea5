// Package sim is the engine behind the embedded server: it says when each
// event of a reply leaves. It is a pure state machine in virtual time, so that
// the server and a test can drive the same engine. It has no clock, draws
// nothing from the client's timing or statistics, and refuses parameters that
// it does not know. It promises that the instants it names are exact: lateness
// is the server's, and stands in the server's truth.
package sim

import "math"

// Never is the instant of an engine that waits for nothing.
const Never int64 = math.MaxInt64

// A Request is what an engine is told of a request.
type Request struct {
	ID     uint64   // the caller's, unique among the live ones
	Input  int      // tokens of the prompt
	Output int      // most tokens of the reply; 0: as many as the preset says
	Hashes []uint64 // of the prompt's whole blocks, each over all text up to its end; see Settings.BlockSize
}

// An Emission is due output of one request: Events events of Tokens tokens
// each, all due at At. Last says that the reply is complete with it.
type Emission struct {
	ID     uint64
	At     int64
	Events int
	Tokens int
	Last   bool

	// Of a request's first emission only.
	Began  int64 // when an iteration first took it in
	Cached int   // tokens of its prompt that were found in the prefix cache
}

// Stats are an engine's gauges and counters at one instant.
type Stats struct {
	Running, Waiting int
	Blocks, Used     int    // KV blocks; 0 and 0 without a KV cache
	Iterations       uint64 // that ended
	Preempted        uint64
	Asked, Hit       uint64 // tokens looked for and found in the prefix cache
}

// An Engine decides when tokens leave. Times are ns on one monotonic clock; it
// is used by one goroutine at a time.
type Engine interface {
	// Admit takes in a request that was accepted at now, and returns the instant
	// from which the engine counts it: later than now if the engine has already
	// decided beyond now. Whoever admits the same requests at the instants that
	// were returned, in the same order, gets the same emissions.
	Admit(now int64, r Request, emit func(Emission)) (at int64)
	// Cancel forgets a request whose client has gone: what it held is free for
	// whatever the engine decides next.
	Cancel(now int64, id uint64)
	// Next is the instant at which the engine wants to be advanced, or Never.
	Next() int64
	// Advance emits everything that is due by now, in order of time.
	Advance(now int64, emit func(Emission))
	Stats() Stats
}
