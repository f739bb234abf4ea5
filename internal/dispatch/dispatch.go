// Package dispatch is the hot path: it sends each request at its time, stamps
// what comes back, and hands over one record a request. In open loop it never
// waits for a response. It formats nothing, logs nothing, summarises nothing,
// and takes clock and sleep as values so that it runs in virtual time.
package dispatch

import (
	"context"
	"sync"
	"sync/atomic"

	"assay/internal/arrival"
	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/wire"
)

// Sleep returns at the instant until (ns since the epoch), never earlier
// unless ctx ends first.
type Sleep func(ctx context.Context, until int64) error

// A Stream is one kind of traffic, as this worker carries it.
type Stream struct {
	Name     string
	Dialect  dialect.Dialect
	Streamed bool // the reply comes as events
	Targets  []Target
	Route    func(n uint64, turn int) int // which of them request n goes to, or turn (from 0) of session n; nil: they take turns
	Limits   Limits

	// Prepare builds request n: it may be slow, and runs ahead of its time.
	Prepare     func(seq uint64) (Prepared, error)
	InputSource record.TokenSource // of Prepared.WantInput; words where it says nothing
	// Session plans session n, where requests belong to sessions: then what is
	// said of request n, of schedule, slots and number, is said of the first
	// request of session n, and Prepare is for Once alone. nil: requests stand
	// alone.
	Session func(n uint64) (*Session, error)

	Schedule    func(yield func(arrival.Due) bool) // open loop; nil in closed loop
	Ceiling     Ceiling                            // open loop: what it may have under way
	Concurrency int                                // closed loop: its slots
	Pace        Pace                               // closed loop: of its slots
	Requests    int                                // closed loop: measured requests over all workers; 0: until WindowEnd
	WindowStart int64                              // ns since the epoch
	WindowEnd   int64                              // 0 when only the requests end it; closed loop releases nothing at or after it

	Cancel func(seq uint64) Cancel // whether request n is given up by its client; nil: none is
}

// A Target is one server address with its connections.
type Target struct {
	URL  string // as shown in records
	Pool wire.Pool
}

// Limits bound one request. Idle is the longest silence inside a reply,
// Request the longest time from release to end, in ns.
type Limits struct {
	Idle    int64
	Request int64
}

// A Prepared is a request ready to be written, and what is known of it ahead.
type Prepared struct {
	Bytes      []byte // head and body
	BodySHA256 [32]byte
	RequestID  string
	WantInput  int
	WantOutput int

	Images, AudioMS, MediaBytes int // as a record has them
	Items                       int // likewise
	Answers                     int // how many values must come back for them
}

// A Dispatcher carries one worker's stripe of all streams.
type Dispatcher struct {
	Worker, Workers int
	Now             wire.Clock
	Sleep           Sleep
	// Emit takes a record that is complete. It is called from many goroutines
	// and must not keep the record.
	Emit func(*record.Record)
	// Secrets never appear in a record's message.
	Secrets []string
	// Bounds are what replies may make this worker hold.
	Bounds Bounds

	bounds   Bounds       // with the usual values filled in
	held     atomic.Int64 // bytes held for replies under way
	counts   Counts
	stopping atomic.Bool   // nothing more is released
	draining atomic.Bool   // what ends from here on is censored
	censored chan struct{} // closed then
	flights  sync.WaitGroup
	records  sync.Pool
	crew     crew

	clerk   clerk
	talks   sync.WaitGroup // sessions that have begun and not ended
	stop    context.CancelFunc
	failed  sync.Once
	failure error // a later turn could not be built
}

// Counts is the dispatcher's own account, cumulative.
type Counts struct {
	Due, Released, InFlight, Done, Failed atomic.Int64
}

// Counts returns the live counters.
func (d *Dispatcher) Counts() *Counts { return &d.counts }

// Run sends this worker's stripe of the streams and returns when everything
// released has ended, or when the drain limit (ns after the end of the
// sending, at least after the window's end) has passed: what has not ended
// then is censored. Ending ctx stops the sending; what is in flight drains.
func (d *Dispatcher) Run(ctx context.Context, streams []Stream, drain int64) error {
	d.bounds = d.Bounds.usual()
	d.crew.errands, d.censored = make(chan errand), make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.stop = cancel
	stop := context.AfterFunc(ctx, func() { d.stopping.Store(true) })
	defer stop()
	errs := make([]error, len(streams))
	unblock := d.unblock(ctx, streams, drain)
	dismiss := d.employ(ctx, streams)
	var walkers sync.WaitGroup
	for i := range streams {
		walkers.Go(func() {
			if streams[i].Schedule != nil {
				errs[i] = d.openLoop(ctx, &streams[i])
			} else {
				errs[i] = d.closedLoop(ctx, &streams[i])
			}
			d.awaitTalks(ctx, &streams[i])
		})
	}
	walkers.Wait()
	unblock()
	d.drain(streams, drain, ctx.Err() != nil)
	dismiss()
	d.crew.dismiss()
	for _, err := range append(errs, d.failure) {
		if err != nil {
			return err
		}
	}
	return nil
}

// drain waits for what is in flight, at most until the limit.
func (d *Dispatcher) drain(streams []Stream, limit int64, stopped bool) {
	from := d.Now()
	for i := range streams {
		if !stopped {
			from = max(from, streams[i].WindowEnd)
		}
	}
	if end := ceilingEnd(streams); end > 0 && !stopped {
		from = end // a ceiling may have held requests back beyond it
	}
	ctx, ended := context.WithCancel(context.Background())
	defer ended()
	var watch sync.WaitGroup
	watch.Go(func() {
		if d.Sleep(ctx, from+limit) == nil {
			d.Censor(streams)
		}
	})
	d.flights.Wait()
	ended()
	watch.Wait()
}

// Censor ends every exchange that still runs: the drain limit has passed.
// Their records say Censored.
func (d *Dispatcher) Censor(streams []Stream) {
	d.stopping.Store(true)
	if !d.draining.Swap(true) && d.censored != nil {
		close(d.censored)
	}
	for i := range streams {
		for _, t := range streams[i].Targets {
			t.Pool.Abort()
		}
	}
}

// flight is one request on its way: its record, its bytes, and the tools that
// read the reply, which later flights use again.
type flight struct {
	record.Record
	stream  *Stream
	bytes   []byte
	places  places // under the stream's ceiling
	cancel  Cancel
	route   uint64 // which of the targets it goes to
	holder  uint64 // whose connection it takes, where they are sticky; 0: anybody's
	talk    *talk  // the session that it belongs to; nil without one
	turn    int    // of the session, from 0
	answers int    // values that must come back
	kept    int    // bytes of its reply that are kept for later turns

	held    int64  // bytes counted against the bounds
	window  int    // of them, those of the scanner
	from    uint64 // the connection's offset where the reply's body began
	scanner Splitter
	splits  dialect.Framing // of scanner
	decoder dialect.Decoder
	decodes string // the dialect of decoder
}

// newFlight readies the record of request seq in the memory of an earlier flight.
func (d *Dispatcher) newFlight(s *Stream, seq uint64, p Prepared) *flight {
	f, _ := d.records.Get().(*flight)
	if f == nil {
		f = &flight{}
	}
	events, marks := f.Events[:0], f.Marks[:0]
	f.Record = record.New(s.Name, seq)
	f.Events, f.Marks = events, marks
	f.stream, f.bytes, f.route, f.holder = s, p.Bytes, seq, 0
	f.talk, f.turn, f.kept = nil, 0, 0
	f.places, f.cancel = places{}, Cancel{}
	if s.Cancel != nil {
		f.cancel = s.Cancel(seq)
	}
	if f.scanner == nil || f.splits != s.Dialect.Framing {
		f.scanner, f.splits = NewSplitter(s.Dialect.Framing), s.Dialect.Framing
	}
	f.scanner.Reset()
	f.from = 0
	if f.decodes != s.Dialect.Name {
		f.decoder, f.decodes = s.Dialect.NewDecoder(), s.Dialect.Name
	}
	f.decoder.Reset()
	f.Worker = d.Worker
	f.Endpoint, f.Streamed = s.Dialect.Name, s.Streamed
	f.WantInput, f.WantOutput = p.WantInput, p.WantOutput
	f.Images, f.AudioMS, f.MediaBytes = p.Images, p.AudioMS, p.MediaBytes
	f.Items, f.answers = p.Items, p.Answers
	f.RequestID, f.BodySHA256 = p.RequestID, p.BodySHA256
	return f
}

// land hands the record of a request that was released over, and takes its
// memory back.
func (d *Dispatcher) land(f *flight) {
	d.counts.InFlight.Add(-1)
	d.counts.Done.Add(1)
	if f.Status == record.Failed || f.Status == record.Local {
		d.counts.Failed.Add(1)
	}
	d.handOver(f)
}

func (d *Dispatcher) handOver(f *flight) {
	d.Emit(&f.Record)
	d.release(f)
	f.bytes, f.stream, f.talk = nil, nil, nil
	d.records.Put(f)
}
