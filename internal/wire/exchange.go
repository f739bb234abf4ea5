// This file is what each protocol's room offers to those who send: a pool of
// connections to one server, and exchanges on them.

package wire

import (
	"context"
	"net/http"
	"time"
)

// Terms are how one exchange is carried out.
type Terms struct {
	// Idle is the longest silence once the head has arrived; 0: any.
	Idle time.Duration
	// Until is the instant at which the exchange ends, ns since the epoch;
	// record.None: none.
	Until int64
	// Holder is whose connection it takes under Sticky; 0: nobody's.
	Holder uint64
}

// A Policy is how connections are shared among requests.
type Policy uint8

const (
	Pooled     Policy = iota // any request takes any that is unused; they are opened ahead
	PerRequest               // each request makes its own, and closes it
	Sticky                   // a holder makes its own, and keeps it until it is forgotten
)

// A Head is the head of an answer.
type Head struct {
	Status      int
	ContentType string
	Header      http.Header
	Length      int64 // -1 when the body's end is not told ahead
	Chunked     bool
}

// An Exchange is one request and its answer. One goroutine reads it; Abort may
// be called from any.
type Exchange interface {
	// Times are the stamps so far.
	Times() Times
	// Head waits for the answer's head. Interim heads (1xx) are passed over.
	Head() (*Head, error)
	// Read reads body bytes that came with one read and lie together. It waits
	// for the first byte only. Its error is io.EOF at the body's proper end,
	// else an Error; with an error there are no bytes.
	Read(p []byte) (Piece, error)
	// ArrivedAt is when the byte before offset off had arrived. It knows the
	// bytes of the last Read, and some before.
	ArrivedAt(off uint64) Stamp
	// Over says that the caller has what it wanted, and that Finish follows: a
	// request of the same holder waits for this connection.
	Over()
	// Finish gives the connection back where it can serve again, else closes
	// it. It may wait for the rest of the answer: take the stamps before.
	// After Finish only Times may be called.
	Finish()
	// Abort ends the exchange at once. A Read that waits returns an error that
	// is ErrAborted.
	Abort()
}

// A Pool is the connections to one server. Its methods may be called from
// several goroutines.
type Pool interface {
	// Open sends a request, as the room's Encode made it, once. Cancelling ctx
	// ends the making of a connection; afterwards only the terms and Abort end
	// the exchange.
	Open(ctx context.Context, request []byte, t Terms) (Exchange, error)
	// Warm opens connections until n are unused, and Keep holds spare unused
	// ones until ctx ends: of a pool whose policy shares them.
	Warm(ctx context.Context, n int) error
	Keep(ctx context.Context, spare int)
	// Unused is how many connections wait for an exchange.
	Unused() int
	// Forget closes what a holder keeps: it sends no more.
	Forget(holder uint64)
	// Paths appends what TCP says of at most n open connections to into, and
	// tells how many are open. Which ones is left to chance.
	Paths(into []Path, n int) (paths []Path, connections int)
	// Close closes what is unused, and the rest as its exchanges end; Abort
	// ends all at once.
	Close()
	Abort()
}
