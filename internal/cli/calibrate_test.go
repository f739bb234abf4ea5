package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay/internal/run"
	"assay/internal/run/calibrate"
)

func size(v float64) *float64 { return &v }

// calibrated is a calibration with everything that the tables can say.
func calibrated() *run.Calibration {
	same := func(v float64) *run.ErrorSpread { return &run.ErrorSpread{P50: v, P99: v, Max: v} }
	return &run.Calibration{
		Machine: run.CalibratedMachine{CPU: "Some CPU", Kernel: "6.1", Cores: 2, Version: "1.0"}, Seconds: 120,
		Ceilings: []run.CalibratedCeiling{
			{Processes: 1, Requests: 1000, Events: 20_000, EventsLimitedBy: "cpu"},
			{Processes: 8, Requests: 1500, RequestsLimitedBy: "send_lag", Events: 15_000, EventsLimitedBy: "machine_cpu",
				ServerCPU: size(0.25), ClientCPU: size(0.5), MachineCPU: size(0.8), EventsBound: size(21_000)},
		},
		Errors: []run.CalibratedAccuracy{
			{Load: 0.1, Events: 1500, Valid: true, TTFT: run.ClockErrors{User: same(0.5)}, Count: 10, Requests: 3, Compared: 3, Looks: same(0.25), Sending: same(2)},
			{Load: 0.9, Events: 13_500, BrokenBy: "read_lag", TTFT: run.ClockErrors{Kernel: same(0.125), User: same(4)}, Count: 90, Requests: 30, Compared: 20, Looks: same(0.25), Sending: same(2)},
		},
	}
}

func TestTheTablesOfACalibrationSayWhatLimitsAndWhatIsNotMeasured(t *testing.T) {
	var b strings.Builder
	if err := showCalibration(&b, calibrated()); err != nil {
		t.Fatal(err)
	}
	// Columns may be of any width.
	got := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"1 1k 1.00× not reached 20k 1.00× cpu",
		"8 1.5k 1.50× send_lag 15k 0.75× machine_cpu",
		"in requests the CPU of client and server can't be told apart here",
		"in events with 8 processes the machine was 80% busy: the client took 50%, the server 25%",
		"at least 21k events/s (reckoned, not measured",
		"10% 1.5k – 0.500 / 0.500 / 0.500 – – 10",
		"At 90% the run was refused: read_lag.",
		"At 90% the server knew the truth of 20 of 30 requests.",
		"to within 0.250 ms (p99)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the tables lack %q:\n%s", want, b.String())
		}
	}
}

func TestACalibrationFindsCeilingsAndTheErrorsOfBothClocks(t *testing.T) {
	exe, err := exec.LookPath("assay")
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c, err := calibrate.Run(t.Context(), calibrate.Options{
		Exe: exe, Processes: []int{1}, Loads: []float64{0.2}, Span: time.Second, Precision: 8, Chances: 2, Most: 3,
		Say: func(line string) { said.WriteString(line + "\n") },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s%+v", said.String(), c)
	if len(c.Ceilings) != 1 || len(c.Errors) != 1 {
		t.Fatalf("%d ceilings and %d errors, want one each", len(c.Ceilings), len(c.Errors))
	}
	if one := c.Ceilings[0]; one.Requests <= 0 || one.Events <= 0 || one.Processes != 1 {
		t.Errorf("%+v, want some requests and events each second", one)
	}
	e := c.Errors[0]
	if e.Count < 50 || e.Compared != e.Requests || e.TTFT.User == nil || e.ITL.User == nil {
		t.Errorf("%+v, want the errors of every request", e)
	}
	// On other systems there are no stamps of the kernel.
	if k := e.ITL.Kernel; k != nil && (k.P50 > e.ITL.User.Max || k.P50 > 0.2) {
		t.Errorf("the kernel's stamps are off by %g ms, user space by %g: what they are compared with is not the truth", k.P50, e.ITL.User.P50)
	}
}
