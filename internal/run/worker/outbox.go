package worker

// The way out: records are encoded where they end and written by one
// goroutine, many to a write.

import (
	"sync"

	"assay/internal/fleet"
	"assay/internal/record"
)

// queue and queueBytes bound the frames that wait for the pipe; a coordinator
// that falls behind by more holds back ended requests only, never a send.
const (
	queue      = 4096
	queueBytes = 64 << 20
)

// batch is how many bytes are gathered for one write.
const batch = 64 << 10

type outbox struct {
	send    func(frames []byte) error
	frames  chan *[]byte
	buffers sync.Pool
	done    chan struct{}
	err     error // of the writing; read after done

	mu     sync.Mutex
	room   *sync.Cond
	queued int // bytes
}

func newOutbox(parent *fleet.Conn) *outbox { return newOutboxTo(parent.SendRaw) }

func newOutboxTo(send func(frames []byte) error) *outbox {
	o := &outbox{send: send, frames: make(chan *[]byte, queue), done: make(chan struct{})}
	o.room = sync.NewCond(&o.mu)
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
	o.put(b)
}

// frame queues any other frame.
func (o *outbox) frame(typ byte, payload []byte) {
	b := o.buffer()
	*b = record.AppendFrame((*b)[:0], typ, payload)
	o.put(b)
}

// put waits while too much is queued; a frame that is larger than the bound
// goes alone.
func (o *outbox) put(b *[]byte) {
	o.mu.Lock()
	for o.queued > 0 && o.queued+len(*b) > queueBytes {
		o.room.Wait()
	}
	o.queued += len(*b)
	o.mu.Unlock()
	o.frames <- b
}

// took says that n bytes left the queue.
func (o *outbox) took(n int) {
	o.mu.Lock()
	o.queued -= n
	o.mu.Unlock()
	o.room.Broadcast()
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
			o.err = o.send(gathered)
		}
		o.took(len(gathered))
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
