// What a plan shows beside its requests: lengths, columns over time, money.
package run

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/unit"
)

// 1…100 and one of 100,000: of 101 values p50 is the 51st, p90 the 91st (ceil
// of 90.9), p99 the 100th (ceil of 99.99).
func TestPlannedLengthsAreOrderStatisticsInRanges(t *testing.T) {
	var c lengthCount
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(100) {
		c.add(i + 1)
	}
	want := PlannedLengths{Mean: 50.5, Min: 1, P50: 50, P90: 90, P99: 99, Max: 100}
	for from := 0; from < 100; from += 20 {
		want.Ranges = append(want.Ranges, LengthRange{from, from + 19, 20})
	}
	want.Ranges[0].Count, want.Ranges = 19, append(want.Ranges, LengthRange{100, 119, 1})
	if diff := cmp.Diff(want, c.lengths()); diff != "" {
		t.Errorf("1 to 100: -want +got\n%s", diff)
	}
	c.add(100_000)
	want = PlannedLengths{Mean: 105050.0 / 101, Min: 1, P50: 51, P90: 91, P99: 100, Max: 100_000, Ranges: []LengthRange{
		{1, 255, 100}, {256, 511, 0}, {512, 1023, 0}, {1024, 2047, 0}, {2048, 4095, 0}, {4096, 8191, 0},
		{8192, 16383, 0}, {16384, 32767, 0}, {32768, 65535, 0}, {65536, 131071, 1},
	}}
	if diff := cmp.Diff(want, c.lengths()); diff != "" {
		t.Errorf("with a long tail: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(PlannedLengths{}, (&lengthCount{}).lengths()); diff != "" {
		t.Errorf("nothing: -want +got\n%s", diff)
	}
}

func TestEqualRangesAreCutAtRoundNumbers(t *testing.T) {
	for width, high := range map[int]int{1: 9, 2: 19, 5: 49, 10: 99, 20: 199, 50: 499, 100: 999, 5000: 49_999} {
		if got := equalRanges(1, high)[1]; got.To-got.From+1 != width || got.From != max(width, 2) {
			t.Errorf("the second range of 1 to %d is %d to %d, want %d to %d", high, got.From, got.To, max(width, 2), max(width, 2)+width-1)
		}
	}
}

func TestRangesHoldEveryLengthOnceAndAreFew(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		low := 1 + r.IntN(1<<r.IntN(23))
		high := low + r.IntN(1<<r.IntN(23))
		for name, ranges := range map[string][]LengthRange{"equal": equalRanges(low, high), "doubling": doublingRanges(low, high)} {
			n := len(ranges)
			if n > mostRanges || ranges[0].From > low || ranges[0].To < low || ranges[n-1].From > high || ranges[n-1].To < high {
				t.Fatalf("%s ranges of %d to %d: %v", name, low, high, ranges)
			}
			for i := 1; i < n; i++ {
				if ranges[i].From != ranges[i-1].To+1 || ranges[i].From > ranges[i].To {
					t.Fatalf("%s ranges of %d to %d have a gap: %v", name, low, high, ranges)
				}
			}
		}
	}
}

// 40/s for 3 s after 1 s: of at most 40 steps with 4 or more the roundest is 100 ms.
func TestColumnsOfAMetronomeAreEqualAndTheWindowBeginsAtOne(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 40, Arrivals: arrival.Constant, Duration: unit.Duration(3 * time.Second)}, time.Second)
	want := PlannedArrivals{
		Warmup: PlannedPhase{time.Second, 100 * time.Millisecond, slices.Repeat([]int64{4}, 10)},
		Window: PlannedPhase{3 * time.Second, 100 * time.Millisecond, slices.Repeat([]int64{4}, 30)},
	}
	got := planned(t, s).Streams[0].Arrivals
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(slices.Repeat([]float64{40}, 30), got.Window.Rates()); diff != "" {
		t.Errorf("rates: -want +got\n%s", diff)
	}
}

// Whatever the phases, the columns hold what the sums say.
func TestColumnsHoldEveryRequestInItsPhase(t *testing.T) {
	for _, c := range []struct {
		traffic contract.Traffic
		warmup  time.Duration
	}{
		{contract.Traffic{Duration: unit.Duration(7777777 * time.Microsecond)}, 0},
		{contract.Traffic{Duration: unit.Duration(time.Second)}, 30 * time.Second},
		{contract.Traffic{Duration: unit.Duration(61 * time.Second)}, 10 * time.Millisecond},
		{contract.Traffic{Requests: 100}, time.Second},
		{contract.Traffic{Requests: 1}, time.Second},
	} {
		c.traffic.Rate, c.traffic.Arrivals = 50, arrival.Poisson
		s := planned(t, plannedStream(t, c.traffic, c.warmup)).Streams[0]
		for name, phase := range map[string]struct {
			got  PlannedPhase
			want int64
		}{"warm-up": {s.Arrivals.Warmup, s.WarmupSum.Requests}, "window": {s.Arrivals.Window, s.WindowSum.Requests}} {
			sum := int64(0)
			for _, n := range phase.got.Counts {
				sum += n
			}
			if sum != phase.want {
				t.Errorf("%+v after %v: %s has %d in its columns, want %d", c.traffic, c.warmup, name, sum, phase.want)
			}
		}
		if n := len(s.Arrivals.Warmup.Counts) + len(s.Arrivals.Window.Counts); n > columns || n < columns/6 {
			t.Errorf("%+v after %v: %d columns", c.traffic, c.warmup, n)
		}
	}
}

// A closed loop has no instants, so no columns.
func TestAClosedLoopHasNoColumns(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Concurrency: 2, Duration: unit.Duration(time.Second)}, 0)
	if got := planned(t, s).Streams[0].Arrivals; len(got.Window.Counts) != 0 {
		t.Errorf("columns %+v, want none", got)
	}
}

// 9 minutes and a minute of warm-up at 6 an hour are 1; a drain of 5 minutes
// would add a half. The longest stream counts.
func TestTheCostOfAPlanIsThatOfItsLongestStream(t *testing.T) {
	long := StreamPlan{Warmup: time.Minute, Window: 9 * time.Minute, Drain: 5 * time.Minute}
	short := StreamPlan{Window: time.Minute, Drain: time.Second}
	got := costOf(&contract.Cost{PerHour: 6, Currency: "EUR"}, []StreamPlan{long, short})
	if got.Amount(got.Span) != 1 || got.Amount(got.Most) != 1.5 {
		t.Errorf("cost %v to %v, want 1 to 1.5", got.Amount(got.Span), got.Amount(got.Most))
	}
	if got := costOf(&contract.Cost{PerHour: 6}, []StreamPlan{long, {Concurrency: 3}}); got.Span != 0 {
		t.Errorf("cost for %v, want unknown", got.Span)
	}
	if costOf(nil, []StreamPlan{long}) != nil {
		t.Error("a cost without a price")
	}
}

func TestTheSummaryOfAPlanSaysWhatIsNotKnownAsNull(t *testing.T) {
	open := plannedStream(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Duration: unit.Duration(time.Second)}, 0, "error_rate < 1%")
	closed := plannedStream(t, contract.Traffic{Concurrency: 4, Duration: unit.Duration(time.Second)}, time.Second, "ttft p99 < 1s")
	closed.Name = "closed"
	p := planned(t, open, closed)
	p.Cost = &PlannedCost{PerHour: 3600, Currency: "EUR", Span: time.Second, Most: 2 * time.Second}
	text, err := json.Marshal(p.Summary())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"schema":"assay/plan/v1","name":"test","seed":1,"cost":{"per_hour":3600,"currency":"EUR","amount":1,"amount_at_most":2},`,
		`"stream":"main","arrivals":"constant, 2/s","concurrency":null,"warmup_s":0,"window_s":1,"drain_s":0,` +
			`"warmup":{"requests":0,"input_tokens":0,"output_tokens":0},"window":{"requests":2,`,
		`"output_tokens":{"mean":20,"min":20,"p50":20,"p90":20,"p99":20,"max":20,"histogram":[{"from":20,"to":20,"count":2}]}`,
		`"over_time":[{"phase":"window","from_s":0,"step_s":0.1,"counts":[1,0,0,0,0,1,0,0,0,0]}],`,
		`"objectives":[{"objective":"error_rate \u003c 1%","least":1,"planned":2,"enough":true}]`,
		`"stream":"closed","arrivals":null,"concurrency":4,"warmup_s":1,"window_s":1,"drain_s":0,"warmup":null,"window":null,`,
		`"over_time":[],`, `"planned":null,"enough":true}],"notes":[]}]}`,
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the summary lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "NaN") {
		t.Errorf("the summary has a NaN: %s", text)
	}
}
