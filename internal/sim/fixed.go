package sim

import "container/heap"

// fixed has the same time to the first token and the same gap after it for
// every request, whatever the load: what a client reports can be compared with
// what is known.
var fixed = Preset{
	Name:   "fixed",
	About:  "the same time to first token and the same gap for every request, whatever the load",
	Params: []Param{ttft, itl, outputTokens, tokensPerEvent, templateTokens, imageTokens, audioTokens, masterSeed},
	build: func(v values) Engine {
		return &fixedEngine{
			ttft: v.duration("ttft"), itl: v.duration("itl"),
			output: v.count("output_tokens"), perEvent: v.count("tokens_per_event"),
			live: map[uint64]*fixedReply{},
		}
	},
}

var (
	ttft = Param{Name: "ttft", Kind: Duration, Default: "100ms", About: "from the last byte of the request to the first token"}
	itl  = Param{Name: "itl", Kind: Duration, Default: "20ms", About: "from each event to the next"}
)

// fixedEngine holds every live reply in a heap by the instant of its next event.
type fixedEngine struct {
	ttft, itl        int64
	output, perEvent int
	queue            fixedQueue
	live             map[uint64]*fixedReply
}

// A fixedReply is one reply under way. Event i is due at first + i·itl, counted
// from the start each time: errors can't add up.
type fixedReply struct {
	id    uint64
	first int64
	i     int64
	left  int // tokens
	due   int64
	place int // in the heap
}

func (e *fixedEngine) Admit(now int64, r Request, emit func(Emission)) (at int64) {
	f := &fixedReply{id: r.ID, first: now + e.ttft, due: now + e.ttft, left: wanted(r, e.output)}
	e.live[r.ID] = f
	heap.Push(&e.queue, f)
	if f.due <= now {
		e.Advance(now, emit)
	}
	return now
}

func (e *fixedEngine) Stats() Stats { return Stats{Running: len(e.live)} }

func (e *fixedEngine) Cancel(_ int64, id uint64) {
	if f := e.live[id]; f != nil {
		heap.Remove(&e.queue, f.place)
		delete(e.live, id)
	}
}

func (e *fixedEngine) Next() int64 {
	if len(e.queue) == 0 {
		return Never
	}
	return e.queue[0].due
}

func (e *fixedEngine) Advance(now int64, emit func(Emission)) {
	for len(e.queue) > 0 && e.queue[0].due <= now {
		f := e.queue[0]
		k := min(f.left, e.perEvent)
		f.left -= k
		out := Emission{ID: f.id, At: f.due, Events: 1, Tokens: k, Last: f.left == 0}
		if f.i == 0 {
			out.Began = f.first - e.ttft
		}
		emit(out)
		if f.left == 0 {
			heap.Pop(&e.queue)
			delete(e.live, f.id)
			continue
		}
		f.i++
		f.due = f.first + f.i*e.itl
		heap.Fix(&e.queue, 0)
	}
}

// fixedQueue orders by due time, and equal times by arrival.
type fixedQueue []*fixedReply

func (q fixedQueue) Len() int { return len(q) }
func (q fixedQueue) Less(i, j int) bool {
	if q[i].due != q[j].due {
		return q[i].due < q[j].due
	}
	return q[i].id < q[j].id
}
func (q fixedQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}
func (q *fixedQueue) Push(x any) {
	f := x.(*fixedReply)
	f.place = len(*q)
	*q = append(*q, f)
}
func (q *fixedQueue) Pop() any {
	old := *q
	f := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return f
}
