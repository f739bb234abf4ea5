package measure

// Each metric against cases by hand.

import (
	"testing"

	"assay/internal/record"
)

const ms1 = int64(1_000_000)

// event makes a content event at t ms that brought k tokens.
func event(t float64, k int, kind record.Kind) record.Event {
	at := int64(t * 1e6)
	return record.NewEvent(at, at+1000, kind, k, true)
}

// stamped fills in what events say of a record, as the worker does.
func stamped(r *record.Record) {
	r.First, r.Last, r.FirstOutput = record.None, record.None, record.None
	for i, e := range r.Events {
		if i == 0 {
			r.First = e.Arrived
		}
		r.Last = e.Arrived
		if r.FirstOutput == record.None && e.Kind() != record.Reasoning {
			r.FirstOutput = e.Arrived
		}
	}
}

// rival is the stream on which every tool answers otherwise: scheduled at
// −150 ms, sent at 0, a role at 5, then 33 events of 3 tokens each, the first
// at 200 and one every 60 ms; a finish, a usage and an end marker after the last.
func rival() *record.Record {
	r := record.New("main", 0)
	r.Phase, r.Status, r.Streamed = record.Measured, record.OK, true
	r.Due, r.Free, r.Released, r.Ready, r.Sent, r.Written = -150*ms1, -150*ms1, 0, 0, 0, 0
	r.Marks = append(r.Marks, record.Mark{Kind: record.Role, T: 5 * ms1})
	for i := range 33 {
		r.Events = append(r.Events, event(float64(200+60*i), 3, record.Text))
	}
	stamped(&r)
	for i, k := range []record.Kind{record.Finish, record.Usage, record.End} {
		r.Marks = append(r.Marks, record.Mark{Kind: k, T: 2120*ms1 + int64(i+1)*400_000})
	}
	r.Ended, r.TTFB, r.RTT = 2121*ms1, 5*ms1, 1_500_000
	r.Output, r.TokenSource = 99, record.FromUsage
	return &r
}

func TestOneStreamOnWhichEveryToolAnswersOtherwise(t *testing.T) {
	want := map[string]float64{
		"ttft": 200, "ttft_due": 350, "ttfo": 200, "stall": 60, "tpot": 20, "latency": 2120, "latency_due": 2270,
		"decode": 1920, "output_rate": 50, "wait": 0, "ttfb": 5,
		"rtt": 1.5, "ttft_adjusted": 198.5, "latency_adjusted": 2118.5,
	}
	for _, m := range perRequest {
		if m.of == nil {
			continue
		}
		got, ok := m.of(rival())
		if w, has := want[m.ID]; ok != has || got != w {
			t.Errorf("%s = %g, %v; want %g, %v", m.ID, got, ok, w, has)
		}
	}
}

func TestWhatDoesNotExistIsMissingAndNeverZero(t *testing.T) {
	one := rival() // a reply of one event
	one.Events = one.Events[:1]
	stamped(one)
	one.Output = 3
	fat := rival() // all tokens came with the first event, by the server's count
	fat.Output = 3
	silent := rival() // reasoning only
	for i := range silent.Events {
		silent.Events[i] = event(float64(200+60*i), 3, record.Reasoning)
	}
	stamped(silent)
	closed := rival()
	closed.Release, closed.Due = record.Slot, closed.Free
	held := rival() // by a ceiling, until it was free: its user waited from due on
	held.Release, held.Free = record.Ceiling, -20*ms1
	never := record.New("main", 2) // held to the end
	never.Due, never.Release = 0, record.Ceiling
	burst := rival() // all events in one instant
	for i := range burst.Events {
		burst.Events[i] = event(200, 3, record.Text)
	}
	stamped(burst)
	cold := rival()
	cold.Connect, cold.DNS, cold.TLS = 7*ms1, 2*ms1, 3*ms1
	warm := rival()
	warm.Connect, warm.Reused = 7*ms1, true
	mute := rival() // a system that tells no round trip
	mute.RTT = record.None
	near := rival() // the round trip is of another instant
	near.RTT = 201 * ms1
	unsent := record.New("main", 1)
	early := rival() // given up before its first event
	early.Events = nil
	stamped(early)
	for _, c := range []struct {
		name, metric string
		r            *record.Record
		want         float64
		has          bool
	}{
		{"one event", "tpot", one, 0, false}, {"one event", "stall", one, 0, false}, {"one event", "decode", one, 0, false},
		{"one event", "output_rate", one, 0, false}, {"one event", "ttft", one, 200, true}, {"one event", "latency", one, 200, true},
		{"no token after the first event", "tpot", fat, 0, false}, {"no token after the first event", "decode", fat, 1920, true},
		{"reasoning only", "ttfo", silent, 0, false}, {"reasoning only", "ttft", silent, 200, true},
		{"closed loop", "ttft_due", closed, 0, false}, {"closed loop", "latency_due", closed, 0, false}, {"closed loop", "wait", closed, 0, true},
		{"a ceiling", "ttft_due", held, 350, true}, {"a ceiling", "latency_due", held, 2270, true}, {"a ceiling", "wait", held, 130, true},
		{"held to the end", "ttft_due", &never, 0, false}, {"held to the end", "wait", &never, 0, false},
		{"one instant", "tpot", burst, 0, true}, {"one instant", "output_rate", burst, 0, false}, {"one instant", "stall", burst, 0, true},
		{"new connection", "connect", cold, 7, true}, {"new connection", "dns", cold, 2, true}, {"new connection", "tls", cold, 3, true},
		{"opened ahead of need", "connect", warm, 0, false},
		{"no round trip", "rtt", mute, 0, false}, {"no round trip", "ttft_adjusted", mute, 0, false},
		{"no round trip", "latency_adjusted", mute, 0, false}, {"no round trip", "ttft", mute, 200, true},
		{"a longer round trip", "ttft_adjusted", near, -1, true}, {"no event", "ttft_adjusted", early, 0, false},
		{"no event", "latency_adjusted", early, 0, false}, {"no event", "rtt", early, 1.5, true},
		{"nothing sent", "rtt", &unsent, 0, false}, {"nothing sent", "latency_adjusted", &unsent, 0, false},
		{"nothing sent", "ttft", &unsent, 0, false}, {"nothing sent", "latency", &unsent, 0, false}, {"nothing sent", "ttfb", &unsent, 0, false},
		{"nothing sent", "wait", &unsent, 0, false}, {"nothing sent", "tpot", &unsent, 0, false},
	} {
		got, ok := perRequest[column(c.metric)].of(c.r)
		if ok != c.has || got != c.want {
			t.Errorf("%s: %s = %g, %v; want %g, %v", c.name, c.metric, got, ok, c.want, c.has)
		}
	}
}

func TestTokensWithoutAUsageAreThoseOfTheEvents(t *testing.T) {
	r := rival()
	r.Output = record.NoCount
	if got := Tokens(r); got != 99 {
		t.Errorf("Tokens = %d, want 33 · 3", got)
	}
	r.Output = 120 // the server counts more than the events show
	got, _ := tpot(r)
	if want := 1920.0 / (120 - 3); got != want {
		t.Errorf("tpot = %g, want %g", got, want)
	}
}

func TestFluidityByHand(t *testing.T) {
	// Deadlines 100 then 10. First at 95 banks 5; 12 later needs 2 of them;
	// 14 later has 3 banked: late, and the bank is empty; 10 later is in time;
	// an event of two tokens 20 later: the first late, the second banks 10;
	// 22 later is late: the miss before has spent the bank.
	r := rival()
	r.Events = []record.Event{
		event(95, 1, record.Text), event(107, 1, record.Text), event(121, 1, record.Text),
		event(131, 1, record.Text), event(151, 2, record.Text), event(173, 1, record.Text),
	}
	stamped(r)
	if got, ok := fluidity(r, Deadlines{100, 10}); !ok || got != 4.0/7 {
		t.Errorf("fluidity = %g, %v; want 4/7", got, ok)
	}
	if _, ok := fluidity(r, Deadlines{100, 0}); ok {
		t.Error("there is a fluidity without an ITL objective")
	}
	if got, _ := fluidity(r, Deadlines{10, 10}); got != 2.0/7 {
		t.Errorf("fluidity with a late first token = %g, want 2/7", got)
	}
}
