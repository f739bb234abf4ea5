package receipt

// Each receipt by hand: what holds, what breaks it, and what can't be read.

import (
	"math"
	"strings"
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
)

const second = int64(1e9)

var usual = Limits{
	CPU: Limit{Value: 0.7}, CPUSecond: Limit{Value: 0.9}, MachineCPU: Limit{Value: 0.85},
	SendLag: Limit{Value: 5}, Coalesced: Limit{Value: 0.01}, Delivered: Limit{Value: 0.999},
}

// evidence is that of a window from 10 s to 30 s.
func evidence(obs []observation.Observation, scheduled int64, records ...record.Record) *Evidence {
	e := NewEvidence(obs, 10*second, 30*second, scheduled)
	for i := range records {
		e.Add(&records[i])
	}
	return e
}

func seconds(worker int, shares map[int]float64, usual float64) []observation.Observation {
	var obs []observation.Observation
	for s := 1; s <= 40; s++ {
		share, ok := shares[s]
		if !ok {
			share = usual
		}
		obs = append(obs, observation.Observation{T: int64(s) * second, Kind: observation.KindProcess, Worker: &worker,
			Process: &observation.Process{Interval: second, CPU: int64(share * 1e9), Wait: int64(share * 1e9), MaxProcs: 2}})
	}
	return obs
}

func check1(t *testing.T, name string, got Receipt, value float64, status Status) {
	t.Helper()
	same := got.Value == value || math.IsNaN(got.Value) && math.IsNaN(value) || math.Abs(got.Value-value) < 1e-12
	if !same || got.Status != status {
		t.Errorf("%s: %s = %g, %s (%s); want %g, %s", name, got.Name, got.Value, got.Status, got.Note, value, status)
	}
}

func TestCPUIsTimeRunningAndTimeWaitingOverTheShareOfTheMachine(t *testing.T) {
	// (cpu + wait) ÷ (wall × GOMAXPROCS): both are `share` of a second, of two procs.
	calm := seconds(0, nil, 0.2)
	// 20 seconds lie in the window, and their p95 is the 19th (nearest rank).
	oneHigh := append(calm, seconds(1, map[int]float64{20: 0.8}, 0.3)...)
	twoHigh := append(calm, seconds(1, map[int]float64{20: 0.8, 21: 0.75}, 0.3)...)
	tooHigh := append(calm, seconds(1, map[int]float64{20: 0.95}, 0.3)...)
	outside := append(calm, seconds(1, map[int]float64{5: 0.95, 35: 0.95}, 0.3)...)
	coordinator := append(calm, seconds(-1, map[int]float64{20: 0.95}, 0.3)...)
	check1(t, "calm", cpu(evidence(calm, 0), usual), 0.2, Holds)
	check1(t, "one high second", cpu(evidence(oneHigh, 0), usual), 0.3, Holds)
	check1(t, "p95 too high", cpu(evidence(twoHigh, 0), usual), 0.75, Broken)
	check1(t, "one second too high", cpu(evidence(tooHigh, 0), usual), 0.3, Broken)
	check1(t, "high outside the window", cpu(evidence(outside, 0), usual), 0.3, Holds)
	check1(t, "the coordinator counts", cpu(evidence(coordinator, 0), usual), 0.3, Broken)
	check1(t, "no sample", cpu(evidence(nil, 0), usual), math.NaN(), Unavailable)
	if r := cpu(evidence(oneHigh, 0), usual); r.Spread.Max != 0.8 || !strings.Contains(r.Note, "worker 1") {
		t.Errorf("highest second %g, note %q", r.Spread.Max, r.Note)
	}
	blind := append([]observation.Observation{}, calm...)
	worker := 2
	blind = append(blind, observation.Observation{T: 15 * second, Kind: observation.KindProcess, Worker: &worker, Process: &observation.Process{Unavailable: "no schedstat"}})
	if r := cpu(evidence(blind, 0), usual); r.Status != Unavailable || r.Note != "no schedstat" {
		t.Errorf("a worker that can't be read: %s, %q", r.Status, r.Note)
	}
	short := evidence(seconds(0, map[int]float64{3: 0.6}, 0.2)[:3], 0)
	check1(t, "a run too short for a sample inside", cpu(short, usual), 0.6, Holds)
}

func TestMachineCPUCountsOthersToo(t *testing.T) {
	machine := func(busy float64) []observation.Observation {
		var obs []observation.Observation
		for s := int64(1); s <= 40; s++ {
			obs = append(obs, observation.Observation{T: s * second, Kind: observation.KindMachine, Machine: &observation.Machine{Interval: second, Cores: 4, Busy: int64(busy * 4e9), Steal: int64(busy * 1e9)}})
		}
		return obs
	}
	check1(t, "idle", machineCPU(evidence(machine(0.5), 0), usual), 0.5, Holds)
	check1(t, "busy", machineCPU(evidence(machine(0.85), 0), usual), 0.85, Broken)
	check1(t, "no sample", machineCPU(evidence(nil, 0), usual), math.NaN(), Unavailable)
	if r := machineCPU(evidence(machine(0.5), 0), usual); !strings.Contains(r.Note, "25%") {
		t.Errorf("steal is not told: %q", r.Note)
	}
}

// request is one of the window; lag and opening are ns, events are
// (arrival, lag) in ms.
func request(lag, opening int64, events ...[2]float64) record.Record {
	r := record.New("main", 0)
	r.Phase, r.Streamed, r.Status, r.Reused = record.Measured, true, record.OK, true
	r.Due, r.Free = 11*second, 11*second
	r.Released = r.Free + lag
	r.Ready = r.Released + opening
	r.Sent = r.Ready + 1000
	r.Clock = record.Kernel
	for _, e := range events {
		at := 12*second + int64(e[0]*1e6)
		r.Events = append(r.Events, record.NewEvent(at, at+int64(e[1]*1e6), record.Text, 1, true))
	}
	return r
}

func TestAShareThatMayBeAllIsNeverTooMuch(t *testing.T) {
	for limit, want := range map[float64]Status{1: Holds, 0.99: Broken} {
		r := blank("machine_cpu", "fraction")
		if r.below(1, Limit{Value: limit}); r.Status != want {
			t.Errorf("all of a machine is %s where the limit is %g, want %s", r.Status, limit, want)
		}
	}
	r := blank("send_lag", "ms")
	if r.below(1, Limit{Value: 1}); r.Status != Broken {
		t.Errorf("1 ms is %s where the limit is 1 ms, want broken", r.Status)
	}
}

func TestSendLagLeavesConnectingOut(t *testing.T) {
	var list []record.Record
	for i := range int64(100) {
		list = append(list, request(i*40_000, 500_000_000))
	}
	warmup := request(second, 0)
	warmup.Phase = record.Warmup
	list = append(list, warmup)
	r := sendLag(evidence(nil, 100, list...), usual)
	check1(t, "p99", r, 98*0.04+0.001, Holds)
	if r.Spread.Max != 99*0.04+0.001 || math.Abs(r.Spread.P50-(49*0.04+0.001)) > 1e-12 {
		t.Errorf("spread %+v", r.Spread)
	}
	for i := range list {
		list[i].Sent += 2_000_000 // between the connection and the first byte
	}
	check1(t, "late", sendLag(evidence(nil, 100, list...), usual), 98*0.04+2.001, Broken)
	one := []record.Record{request(0, 0)}
	for range 49 {
		one = append(one, request(100_000, 0))
	}
	one[7] = request(12_000_000, 0)
	check1(t, "one of fifty is late", sendLag(evidence(nil, 50, one...), usual), 0.101, Holds)
	one[8] = request(11_000_000, 0)
	check1(t, "two of fifty are late", sendLag(evidence(nil, 50, one...), usual), 11.001, Broken)
	check1(t, "the only one is late", sendLag(evidence(nil, 1, one[7]), usual), 12.001, Broken)
	check1(t, "nothing released", sendLag(evidence(nil, 100), usual), math.NaN(), Unavailable)
}

func TestWriteLagIsTheTimeToHandARequestOver(t *testing.T) {
	// First content comes ttft after the sending.
	with := func(handover, ttft int64) record.Record {
		r := request(0, 0)
		r.Handover, r.First = handover, r.Sent+ttft
		return r
	}
	var list []record.Record
	for i := range int64(200) {
		list = append(list, with(i*4_000, 20_000_000))
	}
	r := writeLag(evidence(nil, 200, list...), usual)
	check1(t, "p99", r, 197*0.004, Holds)
	if r.Limit != 1 {
		t.Errorf("limit %g, want 1 ms where TTFT is 20 ms", r.Limit)
	}
	for i := range list {
		list[i].Handover += 300_000
	}
	check1(t, "late", writeLag(evidence(nil, 200, list...), usual), 197*0.004+0.3, Broken)
	easy := usual
	easy.SendLag = Limit{Value: 7, Usual: 5, Changed: true}
	if r := writeLag(evidence(nil, 200, list...), easy); r.Status != Holds || r.Limit != 7 || r.Usual != 1 || !r.Changed {
		t.Errorf("where the contract allows 7 ms: %+v", r)
	}
	for i := range list {
		list[i].First = list[i].Sent + 80_000_000
	}
	if r := writeLag(evidence(nil, 200, list...), usual); r.Status != Holds || math.Abs(r.Limit-1.6) > 0.001 { // a tally rounds
		t.Errorf("limit %g, %s, want a fiftieth of 80 ms, and holds", r.Limit, r.Status)
	}
	few := []record.Record{with(9_000_000, 20_000_000), with(200_000, 20_000_000), with(100_000, 20_000_000)}
	check1(t, "one of three", writeLag(evidence(nil, 3, few...), usual), 0.2, Holds)
	untold := with(record.None, 20_000_000)
	check1(t, "not told", writeLag(evidence(nil, 1, untold), usual), math.NaN(), Unavailable)
}

func TestReadLagIsHeldAgainstHalfTheGapBetweenReads(t *testing.T) {
	// Reads at 10.1, 20.1, 30.1 (two events), 40.1: gaps of 10 ms, limit 5.
	prompt := request(0, 0, [2]float64{10, 0.1}, [2]float64{20, 0.1}, [2]float64{30, 0.1}, [2]float64{30, 0.1}, [2]float64{40, 0.1})
	r := readLag(evidence(nil, 1, prompt), usual)
	check1(t, "prompt", r, 0.1, Holds)
	if r.Limit != 5 {
		t.Errorf("limit %g, want half of 10 ms", r.Limit)
	}
	late := request(0, 0, [2]float64{10, 6}, [2]float64{20, 6}, [2]float64{30, 6})
	check1(t, "late", readLag(evidence(nil, 1, late), usual), 6, Broken)
	burst := request(0, 0, [2]float64{10, 0.9}, [2]float64{10.01, 0.9}, [2]float64{10.02, 0.9})
	check1(t, "a burst read within 1 ms", readLag(evidence(nil, 1, burst), usual), 0.9, Holds)
	burst = request(0, 0, [2]float64{10, 1}, [2]float64{10.01, 1}, [2]float64{10.02, 1})
	check1(t, "a burst read late", readLag(evidence(nil, 1, burst), usual), 1, Broken)
	alone := request(0, 0, [2]float64{10, 6})
	check1(t, "one event", readLag(evidence(nil, 1, alone), usual), math.NaN(), NotApplicable)
	user := request(0, 0, [2]float64{10, 0}, [2]float64{20, 0})
	user.Clock = record.User
	check1(t, "user", readLag(evidence(nil, 1, user), usual), math.NaN(), Unavailable)
	packet := late
	packet.Clock = record.Packet
	check1(t, "packet", readLag(evidence(nil, 1, packet), usual), 6, Reported)
}

func TestOneRequestThatWasReadLateIsLeftOut(t *testing.T) {
	burst := func(lag float64) record.Record {
		return request(0, 0, [2]float64{10, 0.1}, [2]float64{20, lag}, [2]float64{20, lag}, [2]float64{20, lag})
	}
	list := []record.Record{burst(4.9)}
	for range 49 {
		list = append(list, burst(0.1))
	}
	check1(t, "coalesced", coalesced(evidence(nil, 50, list...), usual), 0, Holds)
	narrow := usual
	narrow.SendLag.Value = 2 // and gaps of 2 ms, so that read_lag's limit is 1 ms
	short := func(lag float64) record.Record {
		return request(0, 0, [2]float64{10, 0.1}, [2]float64{12, lag}, [2]float64{14, lag})
	}
	lags := []record.Record{short(1.9)}
	for range 49 {
		lags = append(lags, short(0.1))
	}
	check1(t, "read_lag", readLag(evidence(nil, 50, lags...), narrow), 0.1, Holds)
	lags[0] = short(2)
	check1(t, "read_lag, too late", readLag(evidence(nil, 50, lags...), narrow), 2, Broken)
	list[0], list[30] = list[30], list[0] // the latest need not be the first
	check1(t, "in the middle", coalesced(evidence(nil, 50, list...), usual), 0, Holds)
	list[30] = burst(5) // beyond what a sending may be late
	check1(t, "later than allowed", coalesced(evidence(nil, 50, list...), usual), 2.0/200, Broken)
	list[30], list[31] = burst(4.9), burst(4.8)
	check1(t, "two requests", coalesced(evidence(nil, 50, list...), usual), 4.0/200, Broken)
	long := []record.Record{burst(4.9), burst(4.8), burst(4.7)}
	for range 100 {
		long = append(long, burst(0.1))
	}
	check1(t, "a request that is less than a hundredth", coalesced(evidence(nil, 103, long...), usual), 6.0/412, Broken)
}

func TestCoalescedCountsOnlyLateReads(t *testing.T) {
	var list []record.Record
	for range 50 {
		list = append(list, request(0, 0, [2]float64{10, 0.1}, [2]float64{20, 0.1}, [2]float64{20, 0.1})) // prompt and together
	}
	check1(t, "prompt reads", coalesced(evidence(nil, 50, list...), usual), 0, Holds)
	list = append(list, request(0, 0, [2]float64{30, 3}, [2]float64{30, 3}, [2]float64{30, 3})) // two share with a later one
	list = append(list, list[len(list)-1])                                                      // a second request
	check1(t, "late reads", coalesced(evidence(nil, 52, list...), usual), 4.0/156, Broken)
	list[0].Clock = record.User
	if e := evidence(nil, 51, list...); e.Clock != record.Mixed {
		t.Errorf("clock %s, want mixed", e.Clock)
	}
	whole := request(0, 0, [2]float64{30, 3}, [2]float64{30, 3})
	whole.Streamed = false
	check1(t, "not streamed", coalesced(evidence(nil, 1, whole), usual), math.NaN(), NotApplicable)
}

func TestDeliveredIsReleasedOverDue(t *testing.T) {
	late := request(0, 0)
	never := record.New("main", 1)
	never.Phase, never.Due, never.Free = record.Measured, 12*second, 12*second
	slot := request(0, 0)
	slot.Release = record.Slot
	check1(t, "all", delivered(evidence(nil, 2, late, late), usual), 1, Holds)
	check1(t, "one never released", delivered(evidence(nil, 2, late, never), usual), 0.5, Broken)
	check1(t, "one without a record", delivered(evidence(nil, 4, late, late, late), usual), 0.75, Broken)
	check1(t, "closed loop", delivered(evidence(nil, 0, slot, slot), usual), 1, Holds)
	check1(t, "a closed loop does not hide what a schedule lacks", delivered(evidence(nil, 2, late, slot, slot), usual), 0.75, Broken)
	waited := request(0, 0)
	waited.Release = record.Ceiling
	held := never
	held.Release, held.Free = record.Ceiling, record.None
	check1(t, "one that a ceiling let go late", delivered(evidence(nil, 2, late, waited), usual), 1, Holds)
	check1(t, "one that a ceiling never let go", delivered(evidence(nil, 3, late, waited, held), usual), 1, Holds)
	check1(t, "a ceiling does not hide what the client lost", delivered(evidence(nil, 5, late, waited, waited, held), usual), 0.75, Broken)
	check1(t, "nothing due", delivered(evidence(nil, 0), usual), math.NaN(), Unavailable)
}

func TestLocalFaultsAreNotOneAllowed(t *testing.T) {
	starved := request(0, 0)
	starved.Phase, starved.Status, starved.ErrorKind, starved.ErrorMessage = record.Warmup, record.Local, record.ErrLocal, "too many open files"
	worker := 3
	obs := []observation.Observation{
		{Kind: observation.KindDeath, Worker: &worker, Death: &observation.Death{Reason: "signal: killed"}},
		{Kind: observation.KindNote, Note: &observation.Note{Code: observation.NoteDiskFull, Text: "no space left"}},
		{Kind: observation.KindNote, Note: &observation.Note{Code: observation.NoteInterrupted}},
	}
	check1(t, "none", localFaults(evidence(nil, 1, request(0, 0)), usual), 0, Holds)
	r := localFaults(evidence(obs, 1, starved), usual)
	check1(t, "three", r, 3, Broken)
	for _, want := range []string{"too many open files", "worker 3 died: signal: killed", "no space left"} {
		if !strings.Contains(r.Note, want) {
			t.Errorf("note %q lacks %q", r.Note, want)
		}
	}
}

func TestWhatHasNoLimitIsReported(t *testing.T) {
	cold := request(0, 0, [2]float64{10, 0.1}, [2]float64{20, 0.1})
	cold.Reused = false
	cold.Events[1] = record.NewEvent(cold.Events[1].Arrived, cold.Events[1].Arrived, record.Text, 1, false)
	obs := []observation.Observation{
		{Kind: observation.KindClock, Clock: &observation.ClockOffset{}},
		{Kind: observation.KindClock, Clock: &observation.ClockOffset{Step: -3_000_000}},
		{Kind: observation.KindRuntime, Runtime: &observation.Runtime{GCPauseMax: 200_000, SchedDelayP99: 40_000}},
		{Kind: observation.KindRuntime, Runtime: &observation.Runtime{GCPauseMax: 100_000, SchedDelayP99: 9_000_000}},
	}
	e := evidence(obs, 4, cold, request(0, 0), request(0, 0), request(0, 0))
	check1(t, "connections", newConnections(e, usual), 0.25, Reported)
	check1(t, "unstamped", unstamped(e, usual), 0.5, Reported)
	check1(t, "steps", clockSteps(e, usual), 1, Reported)
	check1(t, "pauses", gcPause(e, usual), 0.2, Reported)
	check1(t, "delays", schedulerDelay(e, usual), 9, Reported)
	none := evidence(nil, 0)
	for _, r := range All(none, usual) {
		if r.Status == Broken && r.Name != "delivered" || r.Status == Reported {
			t.Errorf("without evidence %s is %s", r.Name, r.Status)
		}
	}
	if len(All(none, usual)) != 22 || Find(All(none, usual), "send_lag").Name != "send_lag" || Find(nil, "x").Status != Unavailable {
		t.Error("a receipt is missing")
	}
}
