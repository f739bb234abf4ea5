package dispatch

// Sessions: requests that follow one another. The first is due by the schedule
// or by a slot; each later one when the replies that it waits for have ended,
// plus its pause. It is encoded shortly before its instant, or at once by
// whoever carried the last of those replies.

import (
	"context"
	"slices"
	"sync"

	"assay/internal/record"
)

// A Session is the requests of one user or agent, as a stream plans them.
type Session struct {
	ID    string
	Turns []Turn // 1 to record.MaxTurns; the first waits for none
	// Prepare builds request i. Of replies those are set that have come and
	// that Turns keep.
	Prepare func(i int, replies []Reply) (Prepared, error)
}

// A Turn is one request's place in its session.
type Turn struct {
	Number int // the record's: 1 for the first
	Role   string
	Waits  []int // turns before it that must have ended well
	Pause  int64 // ns from the end of the last of them
	Keep   bool  // a later turn is made of its reply
}

// A Reply is what a later turn needs to know of one before it.
type Reply struct {
	Text   string
	Tokens int
}

// A talk is a session under way.
type talk struct {
	*Session
	stream *Stream
	number uint64            // of the session
	phase  record.Phase      // of its first request
	freed  func(ended int64) // gives its slot back; nil without one

	mu      sync.Mutex
	replies []Reply
	ends    []int64 // of each turn that ended well; record.None
	open    int     // requests in flight or waiting for their instant
	last    int64   // the last end
	cut     bool    // something of it was not released
	held    int64   // bytes of replies
}

// opening builds the first request of session n, or the request n of a stream
// without sessions.
func (d *Dispatcher) opening(s *Stream, n uint64) (*flight, error) {
	if s.Session == nil {
		p, err := s.Prepare(n)
		if err != nil {
			return nil, err
		}
		return d.newFlight(s, n, p), nil
	}
	session, err := s.Session(n)
	if err != nil {
		return nil, err
	}
	t := &talk{Session: session, stream: s, number: n, ends: make([]int64, len(session.Turns)), last: record.None}
	for i := range t.ends {
		t.ends[i] = record.None
	}
	t.replies = make([]Reply, len(session.Turns))
	return d.turn(t, 0)
}

// turn builds the flight of request i.
func (d *Dispatcher) turn(t *talk, i int) (*flight, error) {
	t.mu.Lock()
	replies := slices.Clone(t.replies) // others of them may still be coming
	t.mu.Unlock()
	p, err := t.Prepare(i, replies)
	if err != nil {
		return nil, err
	}
	f := d.newFlight(t.stream, record.SeqOf(t.number, i), p)
	f.talk, f.turn, f.route, f.holder = t, i, t.number, t.number+1
	f.Session, f.Turns = t.ID, len(t.Turns)
	f.Turn, f.Role = t.Turns[i].Number, t.Turns[i].Role
	if t.Turns[i].Keep {
		f.decoder.Keep()
	}
	return f, nil
}

// begin notes that the session's first request leaves.
func (t *talk) begin(d *Dispatcher, f *flight, freed func(ended int64)) {
	d.talks.Add(1)
	t.phase, t.freed, t.open = f.Phase, freed, 1
}

// hear takes what later turns need from a turn that has ended.
func (t *talk) hear(d *Dispatcher, f *flight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = max(t.last, f.Ended)
	if f.Status != record.OK {
		return
	}
	t.ends[f.turn] = f.Ended
	if t.Turns[f.turn].Keep {
		text := f.decoder.Kept()
		t.replies[f.turn] = Reply{Text: string(text), Tokens: max(0, f.Output)}
		t.held += int64(len(text))
		d.held.Add(int64(len(text)))
	}
}

// goOn releases or plans the turns that waited for turn i, and ends the
// session when nothing of it is left. The slot of a session that was cut is not
// free: its user still has something to ask.
func (d *Dispatcher) goOn(t *talk, i int) {
	for _, k := range t.ready(i) {
		d.plan(t, k)
	}
	t.mu.Lock()
	t.open--
	over := t.open == 0
	t.mu.Unlock()
	if !over {
		return
	}
	d.held.Add(-t.held)
	for i := range t.stream.Targets {
		t.stream.Targets[i].Pool.Forget(t.number + 1)
	}
	if t.freed != nil && !t.cut {
		t.freed(t.last)
	}
	d.talks.Done()
}

// ready are the turns whose last wait was for turn i. Each is counted as open,
// so that the session does not end before them.
func (t *talk) ready(i int) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ends[i] == record.None {
		return nil // it did not end well: nobody can go on from there
	}
	var list []int
	for k := i + 1; k < len(t.Turns); k++ {
		waits := t.Turns[k].Waits
		if slices.Contains(waits, i) && !slices.ContainsFunc(waits, func(w int) bool { return t.ends[w] == record.None }) {
			list = append(list, k)
		}
	}
	t.open += len(list)
	return list
}

// free is when turn k may go.
func (t *talk) free(k int) int64 {
	at := record.None
	for _, w := range t.Turns[k].Waits {
		at = max(at, t.ends[w])
	}
	return at + t.Turns[k].Pause
}

// early, in ns, is how long before its instant a turn is encoded: long enough
// for any request, and short, since its bytes hold the whole history again.
const early = 100_000_000

// plan has turn k sent at its instant. Beyond the window's end nothing is
// released.
func (d *Dispatcher) plan(t *talk, k int) {
	t.mu.Lock()
	free := t.free(k)
	t.mu.Unlock()
	if end := t.stream.WindowEnd; d.stopping.Load() || end > 0 && free >= end {
		d.giveUp(t, k)
		return
	}
	d.flights.Add(1) // the drain waits for it, too
	p := &pending{at: free - early, t: t, k: k, free: free}
	if p.at > d.Now() {
		d.clerk.add(p)
		return
	}
	d.encode(p)
}

// encode builds the flight of a turn and sends it at its instant.
func (d *Dispatcher) encode(p *pending) {
	f, err := d.turn(p.t, p.k)
	if err != nil {
		d.fail(err)
		d.giveUp(p.t, p.k)
		d.flights.Done()
		return
	}
	f.Due, f.Free, f.Release = p.free, p.free, record.Turn
	p.f, p.at = f, p.free
	if p.at > d.Now() {
		d.clerk.add(p)
		return
	}
	d.send(p)
}

// send releases a later turn, or gives it up where nothing more is released.
func (d *Dispatcher) send(p *pending) {
	defer d.flights.Done()
	f, end := p.f, p.t.stream.WindowEnd
	now := d.Now()
	if f == nil || d.stopping.Load() || end > 0 && now >= end {
		if f != nil {
			f.bytes, f.stream, f.talk = nil, nil, nil
			d.records.Put(f)
		}
		d.giveUp(p.t, p.k)
		return
	}
	f.Released = max(now, f.Free)
	f.Phase = p.t.phase
	if end > 0 {
		f.Phase = record.Warmup
		if f.Released >= f.stream.WindowStart {
			f.Phase = record.Measured
		}
	}
	d.counts.Due.Add(1)
	d.launch(f, nil)
}

// giveUp leaves turn k, and with it those that wait for it, unsent.
func (d *Dispatcher) giveUp(t *talk, k int) {
	t.mu.Lock()
	t.cut = true
	t.mu.Unlock()
	d.goOn(t, k)
}

// fail ends the sending: a request could not be built, and nothing after it
// can be trusted.
func (d *Dispatcher) fail(err error) {
	d.failed.Do(func() { d.failure = err })
	d.stopping.Store(true)
	d.stop()
}

// employ has the clerk at work, where a stream has sessions, until dismissed.
func (d *Dispatcher) employ(ctx context.Context, streams []Stream) (dismiss func()) {
	if !slices.ContainsFunc(streams, func(s Stream) bool { return s.Session != nil }) {
		return func() {}
	}
	over := make(chan struct{})
	d.clerk.woken = make(chan struct{}, 1)
	var work sync.WaitGroup
	work.Go(func() { d.releaseTurns(ctx, over) })
	return func() { close(over); work.Wait() }
}

// awaitTalks returns when every session has ended, or with ctx. Where no
// window ends them, their later turns are part of the sending.
func (d *Dispatcher) awaitTalks(ctx context.Context, s *Stream) {
	if s.Session == nil || s.WindowEnd > 0 {
		return
	}
	over := make(chan struct{})
	d.flights.Go(func() {
		d.talks.Wait()
		close(over)
	})
	select {
	case <-over:
	case <-ctx.Done():
	}
}
