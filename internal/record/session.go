// Sessions: which numbers their requests have.
package record

// MaxTurns is how many requests a session may have. Request t of session n,
// both from 0, has number n·MaxTurns + t in its stream, so that each number is
// known before anything is sent, whatever becomes of the session.
const MaxTurns = 1000

// SeqOf is the number of request t of session n.
func SeqOf(n uint64, t int) uint64 { return n*MaxTurns + uint64(t) }

// SessionOf is the session that a request of a stream with sessions belongs to.
func SessionOf(seq uint64) uint64 { return seq / MaxTurns }
