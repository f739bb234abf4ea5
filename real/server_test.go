//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACounterIsTheSumOfItsSamples(t *testing.T) {
	const text = `# HELP done Requests.
# TYPE done counter
done{model="a b",version="1"} 2
done{model="}",version="2"} 3.5 1796132438
done_total 100
donee 7
other 9
`
	for name, expected := range map[string]float64{"done": 5.5, "done_total": 100, "other": 9} {
		got, found, err := sum(strings.NewReader(text), name)
		if err != nil || !found || got != expected {
			t.Errorf("sum(%s) = %g, %t, %v, want %g", name, got, found, err, expected)
		}
	}
	if _, found, err := sum(strings.NewReader(text), "don"); found || err != nil {
		t.Errorf("sum(don) found something: %v", err)
	}
	if _, _, err := sum(strings.NewReader("done two\n"), "done"); err == nil {
		t.Error("sum of what is no number: no error")
	}
}

func TestEveryServerHasScriptsAndRowsAndEveryRowAServer(t *testing.T) {
	b := &bench{options: options{folder: "."}}
	for _, s := range servers {
		for _, script := range []string{"install", "start"} {
			info, err := os.Stat(filepath.Join(b.home(s), script))
			if err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("%s: its %s is no program: %v", s.name, script, err)
			}
		}
		if s.behind != "" {
			find(s.behind)
		}
		used := false
		for _, w := range rows {
			used = used || w.server == s.name
		}
		if !used {
			t.Errorf("%s has no row", s.name)
		}
	}
	seen := map[string]bool{}
	for _, w := range rows {
		find(w.server)
		if key := w.server + " " + w.endpoint + " " + w.exact; seen[key] {
			t.Errorf("%s twice", key)
		} else {
			seen[key] = true
		}
	}
}

// fake is a bench whose one server has these scripts.
func fake(t *testing.T, install, start string) (*bench, server) {
	t.Helper()
	b := &bench{options: options{folder: t.TempDir(), cache: t.TempDir()}, tmp: t.TempDir()}
	home := filepath.Join(b.folder, "servers", "fake")
	for path, text := range map[string]string{
		filepath.Join(home, "install"): "#!/bin/sh\n" + install + "\n",
		filepath.Join(home, "start"):   "#!/bin/sh\n" + start + "\n",
		b.modelMaker():                 "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return b, server{name: "fake", ready: "/"}
}

func TestAServerIsInstalledOnceUntilItsScriptChanges(t *testing.T) {
	b, s := fake(t, "echo once >>../log", "")
	for range 2 {
		if err := b.install(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(b.home(s), "install")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho changed >>../log\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := b.install(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(b.cache, "log"))
	if err != nil || string(log) != "once\nchanged\n" {
		t.Errorf("installed: %q, %v, want once and then changed", log, err)
	}
}

func TestAnInstallationThatFailsSaysWhyAndIsTriedAgain(t *testing.T) {
	b, s := fake(t, "echo no route to the registry; exit 7", "")
	for range 2 {
		err := b.install(t.Context(), s)
		if err == nil || !strings.Contains(err.Error(), "install fake") || !strings.Contains(err.Error(), "exit status 7\nno route to the registry") {
			t.Errorf("install: %v", err)
		}
	}
}

func TestAServerThatEndsAtOnceSaysWhy(t *testing.T) {
	b, s := fake(t, "", "echo no memory >&2; exit 3")
	if err := b.install(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	_, err := b.start(t.Context(), s, "")
	if err == nil || !strings.Contains(err.Error(), "ended before it was ready\nno memory") {
		t.Errorf("start: %v", err)
	}
}
