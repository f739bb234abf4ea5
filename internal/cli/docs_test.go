package cli

// Examples in the docs are executed, shortened and against the embedded
// server; contracts in them and in examples/ are read and resolved.

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/contract"
)

const repository = "../.."

// pages are the texts whose examples are executed.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	return append(found, filepath.Join(repository, "README.md"), filepath.Join(repository, "CONTRIBUTING.md"))
}

// blocks are the fenced blocks of a page in this language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, part := range strings.Split(string(data), "```") {
		if name, body, ok := strings.Cut(part, "\n"); i%2 == 1 && ok && name == language {
			found = append(found, body)
		}
	}
	return found
}

func TestExamplesInTheDocsRun(t *testing.T) {
	address := "http://127.0.0.1:8000"
	ran := 0
	for _, page := range pages(t) {
		folder := t.TempDir()
		if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(filepath.Join(repository, "examples"))); err != nil {
			t.Fatal(err)
		}
		url := ""
		for _, block := range blocks(t, page, "sh") {
			for line := range strings.Lines(block) {
				line = shortened(strings.TrimSpace(line))
				if line == "" {
					continue
				}
				if url == "" && strings.Contains(line, address) {
					url = serveTruth(t, "--preset", "fixed") // stands in for the reader's server
				}
				ran++
				runLine(t, folder, strings.ReplaceAll(line, address, url))
			}
		}
	}
	if ran < 5 {
		t.Errorf("ran %d examples: the pages were not understood", ran)
	}
}

// shortened is the part of an example that is run here, "" for none: what
// builds and tests is run elsewhere, and a load takes two seconds.
func shortened(line string) string {
	_, assay, found := strings.Cut(line, "bin/assay ")
	if !found {
		return ""
	}
	switch verb, _, _ := strings.Cut(assay, " "); verb {
	case "run":
		assay += " --duration 2s --warmup 0s --output-tokens 8 --anyway --quiet"
	case "simulate":
		assay = strings.Replace(assay, "127.0.0.1:8000", "127.0.0.1:0", 1) + " --die-with-parent </dev/null"
	}
	return "assay " + assay
}

func runLine(t *testing.T, folder, line string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY=none")
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		// A load so short has any verdict; that it has one is what counts.
		if code := exit.ExitCode(); strings.HasPrefix(line, "assay run") && (code == 1 || code == 3 || code == 4) {
			return
		}
	}
	if err != nil {
		t.Errorf("%s\n%v\n%s", line, err, output)
	}
}

func TestContractsInTheDocsAndExamplesResolve(t *testing.T) {
	seen := 0
	check := func(name, text string) {
		seen++
		c, err := contract.Load(name, []byte(text))
		if err == nil {
			err = c.Resolve()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, page := range pages(t) {
		for _, block := range blocks(t, page, "yaml") {
			if strings.HasPrefix(block, "version:") {
				check(page, block)
			}
		}
	}
	examples, err := filepath.Glob(filepath.Join(repository, "examples", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range examples {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(file, string(data))
	}
	if seen == 0 {
		t.Error("found no contract")
	}
}

func TestLinksInTheDocsLeadSomewhere(t *testing.T) {
	for _, page := range append(pages(t), filepath.Join(repository, "docs", "decisions", "README.md")) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(data), "](") {
			target, _, ok := strings.Cut(part, ")")
			if i == 0 || !ok || strings.Contains(target, "://") {
				continue
			}
			target, _, _ = strings.Cut(target, "#")
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", page, target)
			}
		}
	}
}
