package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a result.json of one attempt in a series.
func write(t *testing.T, folder, status, reasons string, processes, attempts int, rate float64) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	list := strings.TrimSuffix(strings.Repeat("{},", attempts), ",")
	text := fmt.Sprintf(`{"verdict":{"status":%q,"reasons":[%s]},"attempts":[%s],"rates":{"request":%g},
		"client":{"processes":%d,"receipts":[{"name":"cpu","value":0.5},{"name":"machine_cpu","value":null}]},"environment":{"cores":2}}`,
		status, reasons, list, rate, processes)
	if err := os.WriteFile(filepath.Join(folder, "result.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// told is the story of a refused attempt by one process and a last one.
func told(t *testing.T, status string, rate float64) (story, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "attempts", "1"), "invalid", `{"code":"cpu"},{"code":"send_lag"}`, 1, 1, 500)
	write(t, dir, status, ``, 2, 2, rate)
	return storyOf(dir)
}

func TestAStoryShowsBothCeilingsAndThePrice(t *testing.T) {
	s, err := told(t, "pass", 750)
	if err != nil {
		t.Fatal(err)
	}
	text := s.text(price{2, "EUR"})
	for _, want := range []string{
		"1        1          invalid  500         50 %            –        cpu, send_lag\n",
		"2        2          pass     750         50 %            –        \n",
		"phantom ceiling  500 requests/s by 1 process",
		"real ceiling     750 requests/s by 2 processes: 50 % more",
		// 7,500/s at 500/s each are 15 servers; 5 × 2 EUR × 8,760 h.
		"For 7500 requests/s the phantom asks for 15 servers where 10 do: 5 bought for nothing, 87600 EUR a year",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the story lacks %q:\n%s", want, text)
		}
	}
	if text := s.text(price{}); strings.Contains(text, "a year") {
		t.Errorf("a price stands in the story where none was given:\n%s", text)
	}
}

func TestNoStoryIsMadeUp(t *testing.T) {
	for why, c := range map[string]struct {
		status string
		rate   float64
		quiet  bool // nothing to show, rather than something wrong
	}{
		"refused to the end":     {"invalid", 750, true},
		"hardly any difference":  {"pass", 519, true},
		"the server is too slow": {"fail", 750, false},
	} {
		if _, err := told(t, c.status, c.rate); err == nil || errors.Is(err, errNoRoom) != c.quiet {
			t.Errorf("%s: %v, want an error; errNoRoom: %v", why, err, c.quiet)
		}
	}
	dir := t.TempDir()
	write(t, dir, "pass", "", 1, 1, 500)
	if _, err := storyOf(dir); !errors.Is(err, errNoRoom) {
		t.Errorf("one process was enough: %v, want errNoRoom", err)
	}
}
