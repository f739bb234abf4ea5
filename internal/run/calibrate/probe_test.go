package calibrate

import (
	"testing"
	"time"

	"assay/internal/result"
	"assay/internal/run"
)

func number(v float64) *float64 { return &v }

func TestAProbeBreaksByItsReceiptsAndByWhatDidNotComeBack(t *testing.T) {
	receipts := func(status ...string) *result.Result {
		r := &result.Result{Requests: result.Requests{Due: 10, OK: 10}}
		for i, s := range status {
			r.Client.Receipts = append(r.Client.Receipts, result.Receipt{Name: []string{"cpu", "machine_cpu", "send_lag"}[i], Status: s})
		}
		return r
	}
	lost := receipts(result.Holds)
	lost.Requests.OK = 8
	for _, c := range []struct {
		r    *result.Result
		want string
	}{
		{receipts(result.Holds, result.NotApplicable, result.Reported), ""},
		{receipts(result.Holds, result.Unavailable, result.Holds), ""}, // the run says so itself
		{receipts(result.Broken, result.Holds, result.Broken), "cpu, send_lag"},
		{lost, "2 requests did not succeed"},
	} {
		if got := broken(c.r); got != c.want {
			t.Errorf("broken(%+v) = %q, want %q", c.r.Client.Receipts, got, c.want)
		}
	}
}

func TestTheUseOfAReceiptIsAPartOfItsLimit(t *testing.T) {
	r := &result.Result{Client: result.Client{Receipts: []result.Receipt{{Name: "cpu", Value: number(0.35), Limit: number(0.7)}, {Name: "machine_cpu"}}}}
	if got := use(r, "cpu"); got != 0.5 {
		t.Errorf("use of cpu = %g, want 0.5", got)
	}
	if got := use(r, "machine_cpu"); got != 0 {
		t.Errorf("use of a receipt without a value = %g, want 0: not known", got)
	}
}

func TestABoundIsOnlyGivenWhereTheMachineWasTheLimit(t *testing.T) {
	held := &probe{rate: 1000, shares: shares{machine: number(0.8), serverUser: number(0.3), worst: 0.4}}
	if b := (found{held, &probe{broken: "cpu"}}).bound(); b != nil {
		t.Errorf("a worker was the limit: bound %g, want none", *b)
	}
	if b := (found{held, nil}).bound(); b != nil {
		t.Errorf("nothing was the limit: bound %g, want none", *b)
	}
	var c run.CalibratedCeiling
	noteEvents(&c, found{held, &probe{broken: "cpu, machine_cpu"}})
	if c.EventsBound == nil || *c.EventsBound < 1699 || *c.EventsBound > 1701 || c.Events != 1000 || c.EventsLimitedBy != "cpu, machine_cpu" {
		t.Errorf("%+v, want 1000 events/s, at least 1700 with the server elsewhere", c)
	}
	c = run.CalibratedCeiling{}
	noteRequests(&c, found{nil, &probe{broken: "send_lag"}})
	if c.Requests != 0 || c.RequestsBound != nil || c.RequestsLimitedBy != "send_lag" {
		t.Errorf("%+v, want no ceiling and why", c)
	}
}

func TestTheLoadsOfProbesAreWholeContracts(t *testing.T) {
	for _, l := range []load{short, streams} {
		c, err := l.contract("http://127.0.0.1:1", 3, 12.5, 2*time.Second)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		s := c.Streams[0]
		if float64(s.Traffic.Rate) != 12.5 || c.Client.Processes != 3 || time.Duration(s.Traffic.Duration) != 2*time.Second || time.Duration(*s.Traffic.Warmup) != 500*time.Millisecond {
			t.Errorf("%s: rate %v, %d processes, %v after %v, want 12.5/s, 3, 2s after 500ms", l.name, s.Traffic.Rate, c.Client.Processes, s.Traffic.Duration, *s.Traffic.Warmup)
		}
	}
	// A reply must be over by the end of the warm-up, or the window begins below its load.
	if lasts := first + (events-1)*pace; lasts > warmup {
		t.Errorf("a streamed reply lasts %s, the warm-up %s", lasts, warmup)
	}
}

func TestAQuickCalibrationIsBoundedByFourMinutes(t *testing.T) {
	o := Quick()
	// A probe takes its warm-up, its window, half a second until the last
	// reply is over, and up to half a second to start and to be judged.
	each := warmup + o.Span + time.Second
	if most := time.Duration(2*len(o.Processes)*o.Most+len(o.Loads)) * each; most > 4*time.Minute {
		t.Errorf("%d probes may take %s, want 4m at the most", 2*len(o.Processes)*o.Most+len(o.Loads), most)
	}
}
