package worker

// The way out: records are encoded where they end into one buffer, which one
// goroutine writes to the pipe now and then. A write for each record would
// wake the coordinator for each, and cost as much as the request itself.

import (
	"sync"
	"time"

	"assay/internal/fleet"
	"assay/internal/record"
)

const (
	// gathered is how long frames wait for others before they are written: the
	// journal has them within a second all the same.
	gathered = 50 * time.Millisecond
	// batch is how many bytes are written without waiting for more.
	batch = 64 << 10
	// queueBytes bounds what waits for the pipe; a coordinator that falls
	// behind by more holds back ended requests only, never a send.
	queueBytes = 64 << 20
)

type outbox struct {
	send func(frames []byte) error
	some chan struct{} // has a token when pending is not empty
	full chan struct{} // has a token when pending is a batch, or closed is set
	done chan struct{}
	err  error // of the writing; read after done

	mu      sync.Mutex
	room    *sync.Cond
	pending []byte // frames to be written
	writing int    // bytes being written
	payload []byte // of the record being encoded
	closed  bool
}

func newOutbox(parent *fleet.Conn) *outbox { return newOutboxTo(parent.SendRaw) }

func newOutboxTo(send func(frames []byte) error) *outbox {
	o := &outbox{send: send, some: make(chan struct{}, 1), full: make(chan struct{}, 1), done: make(chan struct{})}
	o.room = sync.NewCond(&o.mu)
	go o.write()
	return o
}

// record queues one record; it keeps nothing of r.
func (o *outbox) record(r *record.Record) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.payload = record.Append(o.payload[:0], r)
	o.put(record.FrameRecord, o.payload)
	if cap(o.payload) > batch {
		o.payload = nil // one of a very long reply: it is not kept
	}
}

// frame queues any other frame.
func (o *outbox) frame(typ byte, payload []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.put(typ, payload)
}

// put waits while too much is queued; a frame that is larger than the bound
// goes alone. o.mu is held; it is free while put waits, so the payload of
// another record may take the place of this one's: hence the copy before.
func (o *outbox) put(typ byte, payload []byte) {
	if size := record.FrameSize(len(payload)); o.queued() > 0 && o.queued()+size > queueBytes {
		payload = append([]byte(nil), payload...)
		for o.queued() > 0 && o.queued()+size > queueBytes {
			o.room.Wait()
		}
	}
	if len(o.pending) == 0 {
		token(o.some)
	}
	o.pending = record.AppendFrame(o.pending, typ, payload)
	if len(o.pending) >= batch {
		token(o.full)
	}
}

func (o *outbox) queued() int { return len(o.pending) + o.writing }

func token(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// write writes what has gathered; after an error it only drains.
func (o *outbox) write() {
	defer close(o.done)
	timer := time.NewTimer(0)
	var frames []byte
	for range o.some {
		timer.Reset(gathered)
		select {
		case <-timer.C:
		case <-o.full:
		}
		o.mu.Lock()
		frames, o.pending = o.pending, frames[:0]
		o.writing = len(frames)
		o.mu.Unlock()
		if o.err == nil && len(frames) > 0 {
			o.err = o.send(frames)
		}
		if cap(frames) > 4*batch {
			frames = nil // it had grown behind a coordinator that did not read
		}
		o.mu.Lock()
		o.writing = 0
		over := o.closed && len(o.pending) == 0
		if o.closed {
			token(o.full)
		}
		o.mu.Unlock()
		o.room.Broadcast()
		if over {
			return
		}
	}
}

// close writes what is queued and returns the first error of the writing.
func (o *outbox) close() error {
	o.mu.Lock()
	o.closed = true
	token(o.some)
	token(o.full)
	o.mu.Unlock()
	<-o.done
	return o.err
}
