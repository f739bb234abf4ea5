package worker

// The way out: records are encoded where they end and written by one
// goroutine, many to a write.

import (
	"sync"

	"assay/internal/fleet"
	"assay/internal/record"
)

// queue bounds the frames that wait for the pipe; a coordinator that falls
// behind by more holds back ended requests only, never a send.
const queue = 4096

// batch is how many bytes are gathered for one write.
const batch = 64 << 10

type outbox struct {
	parent  *fleet.Conn
	frames  chan *[]byte
	buffers sync.Pool
	done    chan struct{}
	err     error // of the writing; read after done
}

func newOutbox(parent *fleet.Conn) *outbox {
	o := &outbox{parent: parent, frames: make(chan *[]byte, queue), done: make(chan struct{})}
	go o.write()
	return o
}

// record queues one record; it keeps nothing of r.
func (o *outbox) record(r *record.Record) {
	b := o.buffer()
	scratch := o.buffer()
	*scratch = record.Append((*scratch)[:0], r)
	*b = record.AppendFrame((*b)[:0], record.FrameRecord, *scratch)
	o.buffers.Put(scratch)
	o.frames <- b
}

// frame queues any other frame.
func (o *outbox) frame(typ byte, payload []byte) {
	b := o.buffer()
	*b = record.AppendFrame((*b)[:0], typ, payload)
	o.frames <- b
}

func (o *outbox) buffer() *[]byte {
	if b, _ := o.buffers.Get().(*[]byte); b != nil {
		return b
	}
	return new([]byte)
}

// write gathers what is queued and writes it; after an error it only drains.
func (o *outbox) write() {
	defer close(o.done)
	var gathered []byte
	for b := range o.frames {
		gathered = o.gather(gathered[:0], b)
		if o.err == nil {
			o.err = o.parent.SendRaw(gathered)
		}
	}
}

// gather appends b and what else is queued at this moment.
func (o *outbox) gather(dst []byte, b *[]byte) []byte {
	for {
		dst = append(dst, *b...)
		o.buffers.Put(b)
		if len(dst) >= batch {
			return dst
		}
		select {
		case next, ok := <-o.frames:
			if !ok {
				return dst
			}
			b = next
		default:
			return dst
		}
	}
}

// close writes what is queued and returns the first error of the writing.
func (o *outbox) close() error {
	close(o.frames)
	<-o.done
	return o.err
}
