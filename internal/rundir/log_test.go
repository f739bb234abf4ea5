package rundir

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWhatIsSaidStandsInTheLogALineEach(t *testing.T) {
	d, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	for _, text := range []string{"the preflight passed", "a \"word\"\nover two lines"} {
		if err := d.Log(at, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Release(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(d.Path(), LogFile))
	want := `{"time":"2026-01-02T03:04:05.000006Z","text":"the preflight passed"}` + "\n" +
		`{"time":"2026-01-02T03:04:05.000006Z","text":"a \"word\"\nover two lines"}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("log = %s, %v, want %s", got, err, want)
	}
}
