package observation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func worker(n int) *int { return &n }

func samples() []Observation {
	return []Observation{
		{T: 0, Kind: KindEpoch, Epoch: &Epoch{Wall: "2026-01-02T03:04:05.000000006Z", Monotonic: 7, Processes: 8, Active: 8, MaxProcs: 1, Cores: 2, OS: "linux", Arch: "amd64", Version: "dev"}},
		{T: -5, Kind: KindPreflight, Preflight: &Preflight{OK: true, HTTPStatus: 200, TTFTms: 1.5, InputTokens: 3, OutputTokens: 4}},
		{T: 1, Kind: KindPhases, Phases: &Phases{WarmupStart: 0, WindowStart: 2, WindowEnd: -1, DrainEnd: 9}},
		{T: 2, Kind: KindProcess, Worker: worker(-1), Process: &Process{PID: 1, Interval: 1e9, CPU: 2e8, Wait: 3e7, MaxProcs: 1, RSS: 1 << 20, FDs: 9}},
		{T: 3, Kind: KindRuntime, Worker: worker(0), Runtime: &Runtime{GCPauseMax: 1, SchedDelayP99: 2, Goroutines: 3, Heap: 4}},
		{T: 4, Kind: KindMachine, Machine: &Machine{Interval: 1e9, Cores: 1.5, Busy: 5, Steal: 6}},
		{T: 5, Kind: KindClock, Clock: &ClockOffset{Offset: 1.8e18, Width: 80, Step: -3}},
		{T: 6, Kind: KindProgress, Worker: worker(3), Progress: &Progress{Due: 9, Released: 8, InFlight: 7, Done: 6, Failed: 5, Final: true}},
		{T: 7, Kind: KindDeath, Worker: worker(3), Death: &Death{Reason: "signal: killed"}},
		{T: 8, Kind: KindNote, Note: &Note{Code: NoteDiskFull, Text: "<no space & no hope>"}},
		{T: 9, Kind: KindNetwork, Worker: worker(1), Network: &Network{Connections: 3, RTTMin: 1, RTTMedian: 2, RTTMax: 5, Retransmits: 4}},
		{T: 10, Kind: KindAttempt, Attempt: &Attempt{N: 1, Processes: 1, Status: "invalid", Reasons: []Reason{{"cpu", "hot"}}, InputTokens: 5}},
		{T: 11, Kind: KindCalibration, Calibration: &Calibration{Taken: "2026-01-02T03:04:05Z", Ceilings: []Ceiling{{8, 100, 1000}}}},
		{T: 12, Kind: KindProof, Proof: &Proof{N: 1, Processes: 16, Status: "pass", Compared: []Comparison{{Name: "request_rate"}}}},
		{T: 13, Kind: KindCache, Cache: &Cache{Stream: "main", Requests: 3, InputTokens: 9, Known: 4}},
		{T: 15, Kind: KindTokenizer, Tokenizer: &Tokenizer{Stream: "main", URL: "http://h/tokenize", Asked: 1041, SHA256: "ab"}},
		{T: 14, Kind: KindFile, File: &File{Stream: "main", Name: "f.csv", Format: "azure_trace", Requests: 5, Units: 4, Unusable: 1, Reasons: []string{"f.csv:3: no"}}},
	}
}

func file(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, o := range samples() {
		line, err := Encode(&o)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func TestObservationsOfEveryKindSurviveTheFile(t *testing.T) {
	got, torn, err := Read(strings.NewReader(file(t)))
	if err != nil || torn != 0 {
		t.Fatalf("torn %d, %v", torn, err)
	}
	if diff := cmp.Diff(samples(), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestALineIsPlainJSON(t *testing.T) {
	o := samples()[8]
	got, err := Encode(&o)
	if want := `{"t_ns":7,"kind":"death","worker":3,"death":{"reason":"signal: killed"}}`; err != nil || string(got) != want {
		t.Errorf("Encode = %s, %v, want %s", got, err, want)
	}
}

func TestALastLineCutShortIsDroppedAndCounted(t *testing.T) {
	whole := file(t)
	last := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	for cut := last + 1; cut < len(whole)-1; cut++ {
		got, torn, err := Read(strings.NewReader(whole[:cut]))
		if err != nil || torn != cut-last || len(got) != len(samples())-1 {
			t.Fatalf("cut at %d: %d observations, torn %d, %v; want %d, %d", cut, len(got), torn, err, len(samples())-1, cut-last)
		}
	}
	if got, torn, err := Read(strings.NewReader(whole[:len(whole)-1])); err != nil || torn != 0 || len(got) != len(samples()) {
		t.Errorf("without the last newline: %d observations, torn %d, %v", len(got), torn, err)
	}
}

func TestDamageInTheMiddleIsAnErrorThatNamesTheLine(t *testing.T) {
	lines := strings.SplitAfter(file(t), "\n")
	lines[3] = lines[3][:10] + "\n"
	_, _, err := Read(strings.NewReader(strings.Join(lines, "")))
	if err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("err = %v, want line 4", err)
	}
}

func TestFieldsAndKindsOfALaterVersionAreNoError(t *testing.T) {
	got, _, err := Read(strings.NewReader(`{"t_ns":1,"kind":"weather","weather":{"rain":true}}
{"t_ns":2,"kind":"note","note":{"code":"x","text":"","more":1},"extra":[]}
`))
	if err != nil || len(got) != 2 || got[0].Kind != "weather" || got[1].Note.Code != "x" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAKindWithoutItsBodyIsRefused(t *testing.T) {
	for _, o := range []Observation{
		{},
		{Kind: KindDeath},
		{Kind: KindDeath, Note: &Note{}},
		{Kind: KindDeath, Death: &Death{}, Note: &Note{}},
	} {
		if _, err := Encode(&o); err == nil {
			t.Errorf("%+v was encoded", o)
		}
	}
}
