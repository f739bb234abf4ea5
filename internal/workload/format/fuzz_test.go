package format

import (
	"errors"
	"os"
	"strings"
	"testing"

	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

// FuzzOpen reads anything as anything: whatever can be used is found again as
// it was, and means something.
func FuzzOpen(f *testing.F) {
	for _, c := range files {
		data, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, c.said)
		f.Add(packed(data), c.format)
	}
	for _, c := range mutated {
		f.Add([]byte(headers[c.format]+sound[c.format]+"\n"+c.line), c.format)
	}
	f.Fuzz(func(t *testing.T, data []byte, format string) {
		for line := range strings.Lines(string(data)) {
			alike(t, line)
		}
		fsys := holding(string(data))
		var first []workload.Entry
		for e, err := range Entries(fsys, "f", Options{Format: format}) {
			var u *Unusable
			switch {
			case errors.As(err, &u):
			case err != nil:
				if _, err := Open(fsys, "f", Options{Format: format}); err == nil {
					t.Fatal("it is opened, though it can't be read")
				}
				return
			default:
				means(t, e)
				first = append(first, e)
			}
		}
		file, err := Open(fsys, "f", Options{Format: format})
		trees := file != nil && file.Places != nil || err != nil && strings.Contains(err.Error(), "no line can be used")
		if err != nil {
			if len(first) > 0 && !trees {
				t.Fatalf("it has %d entries, and is not opened: %v", len(first), err)
			}
			return
		}
		seen := map[int]bool{}
		for u := range file.Units {
			for _, n := range file.Turns(u) {
				seen[n] = true
			}
		}
		if trees {
			stands(t, file)
		} else if file.Entries != len(first) || len(seen) != len(first) {
			t.Fatalf("%d entries, %d in units, want %d", file.Entries, len(seen), len(first))
		}
		for n := len(first) - 1; n >= 0; n-- {
			again, err := file.Entry(n)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(first[n], again); d != "" {
				t.Fatalf("entry %d is another the second time:\n%s", n, d)
			}
		}
	})
}

// stands holds trees to what can be carried out: each place waits for some
// before it, and for the one whose history it goes on with.
func stands(t *testing.T, f *workload.File) {
	t.Helper()
	n := 0
	for u := range f.Units {
		places := f.Places(u)
		n += len(places)
		for i, p := range places {
			for _, w := range p.Waits {
				if w < 0 || w >= i {
					t.Fatalf("tree %d: place %d waits for %d", u, i, w)
				}
			}
			if (i == 0) != (len(p.Waits) == 0) || p.History >= 0 && p.History != p.Waits[0] {
				t.Fatalf("tree %d: place %d is %+v", u, i, p)
			}
		}
	}
	if n != f.Entries {
		t.Fatalf("%d places, want %d", n, f.Entries)
	}
}

// means holds an entry to what a request is made of.
func means(t *testing.T, e workload.Entry) {
	t.Helper()
	switch {
	case e.Line < 1:
		t.Fatalf("line %d", e.Line)
	case e.Input < 0 || e.Input > workload.MaxTokens || e.Output < 0 || e.Output > workload.MaxTokens:
		t.Fatalf("lengths %d, %d", e.Input, e.Output)
	case e.Think < 0:
		t.Fatalf("think %d", e.Think)
	case e.Input == 0 && e.Text == "" && e.Messages == nil && e.Raw == nil:
		t.Fatal("nothing to send")
	case len(e.Blocks) > 0 && (e.Block < 1 || (len(e.Blocks)-1)*e.Block >= e.Input):
		t.Fatalf("%d blocks of %d in %d tokens", len(e.Blocks), e.Block, e.Input)
	}
}
