package cli

// What a person sees while a run is under way: on a terminal one line that is
// redrawn, elsewhere a line every few seconds.

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"assay/internal/run"
)

// plainEvery is the time between lines where the line can't be redrawn.
const plainEvery = 5 * time.Second

const clearLine = "\r\x1b[K"

// A live shows the events of a run. The zero time of a run is its own: no
// clock is read here.
type live struct {
	mu     sync.Mutex
	w      io.Writer
	redraw bool
	width  func() int
	shown  bool          // a line stands on the terminal without its line break
	next   time.Duration // when the next plain line is due
}

func newLive(w io.Writer) *live {
	return &live{w: w, redraw: isTerminal(w) && os.Getenv("TERM") != "dumb", width: func() int { return widthOf(w) }}
}

// event is a run.Options.OnEvent. What can't be written to a screen is lost
// and changes nothing.
func (l *live) event(e run.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Progress == nil {
		l.wipe()
		fmt.Fprintf(l.w, "assay: %s\n", e.Message)
		return
	}
	line := progressLine(*e.Progress)
	if l.redraw {
		fmt.Fprint(l.w, clearLine+cut(line, l.width()-1))
		l.shown = true
		return
	}
	if e.Progress.Elapsed < l.next {
		return
	}
	fmt.Fprintln(l.w, line)
	l.next = e.Progress.Elapsed.Truncate(plainEvery) + plainEvery
}

// done leaves the terminal clean for the report.
func (l *live) done() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

func (l *live) wipe() {
	if l.shown {
		fmt.Fprint(l.w, clearLine)
		l.shown = false
	}
}

// progressLine is the state of a run in one line, the most important first:
// a narrow terminal cuts its end.
func progressLine(p run.Progress) string {
	parts := []string{clockOf(p.Elapsed)}
	if p.Planned > 0 {
		parts[0] += "/" + clockOf(p.Planned)
	}
	parts = append(parts, p.Phase, fmt.Sprintf("%.1f/s", p.Rate), fmt.Sprintf("in flight %d", p.InFlight))
	if p.TTFTp50 > 0 {
		parts = append(parts, fmt.Sprintf("ttft %.0f ms", p.TTFTp50))
	}
	if p.ITLp50 > 0 {
		parts = append(parts, fmt.Sprintf("itl %.1f ms (p99 %.1f)", p.ITLp50, p.ITLp99))
	}
	parts = append(parts, fmt.Sprintf("client cpu %.0f%%", p.CPU*100), fmt.Sprintf("done %d", p.Done))
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("errors %d", p.Failed))
	}
	return strings.Join(parts, "  ")
}

// clockOf is 42s, 3m05s or 2h03m.
func clockOf(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 100:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	runes := []rune(s)
	return string(runes[:max(0, width-1)]) + "…"
}
