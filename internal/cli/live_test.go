package cli

import (
	"strings"
	"testing"
	"time"

	"assay/internal/run"
)

func progressAt(elapsed time.Duration) run.Event {
	return run.Event{Progress: &run.Progress{
		Elapsed: elapsed, Planned: 130 * time.Second, Phase: "window", InFlight: 14, Done: 240, Failed: 2,
		Rate: 20.14, TTFTp50: 81.2, ITLp50: 10.02, ITLp99: 11.61, CPU: 0.113,
	}}
}

func TestTheLiveLineIsRedrawnInPlaceAndWipedForMessages(t *testing.T) {
	var b strings.Builder
	l := &live{w: &b, redraw: true, width: func() int { return 42 }}
	l.event(progressAt(12 * time.Second))
	l.event(run.Event{Message: "drain"})
	l.event(progressAt(13 * time.Second))
	l.done()
	want := "\r\x1b[K12s/2m10s  window  20.1/s  in flight 14 …" +
		"\r\x1b[Kassay: drain\n" +
		"\r\x1b[K13s/2m10s  window  20.1/s  in flight 14 …" +
		"\r\x1b[K"
	if got := b.String(); got != want {
		t.Errorf("live line\n got %q\nwant %q", got, want)
	}
}

func TestWithoutATerminalALineComesEveryFiveSeconds(t *testing.T) {
	var b strings.Builder
	l := &live{w: &b}
	for half := range 25 { // every half second, up to 12 s
		l.event(progressAt(time.Duration(half) * 500 * time.Millisecond))
	}
	l.done()
	got := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(got) != 3 {
		t.Fatalf("%d lines in 12 s, want 3 (at 0, 5 and 10 s):\n%s", len(got), b.String())
	}
	want := "10s/2m10s  window  20.1/s  in flight 14  ttft 81 ms  itl 10.0 ms (p99 11.6)  client cpu 11%  done 240  errors 2"
	if got[2] != want {
		t.Errorf("line\n got %q\nwant %q", got[2], want)
	}
}

func TestTheDefaultFolderTakesAnyName(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	if got, want := defaultDir("../chat/40 rps é", at), "runs/-chat-40-rps---20260304T040607Z"; got != want {
		t.Errorf("defaultDir = %q, want %q", got, want)
	}
}
