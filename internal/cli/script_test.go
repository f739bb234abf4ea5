package cli

// The command line as its users have it: each script in testdata/script runs
// the real command, workers and embedded server as processes of their own.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// raceExit keeps the race detector from sleeping for a second at the end of
// each of the many processes that these tests start.
const raceExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if err := os.Setenv("GORACE", raceExit); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"assay": command})
}

// command does what cmd/assay does.
func command() {
	ctx := Interruptible(context.Background(), os.Stderr)
	os.Exit(Main(ctx, os.Args[1:], IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

var updateScripts = os.Getenv("UPDATE_SCRIPTS") != ""

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       updateScripts,
		Setup: func(env *testscript.Env) error {
			root, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			env.Setenv("TOKENIZERS", filepath.Join(root, "internal", "tokenizer", "testdata"))
			env.Setenv("NO_COLOR", "1")
			env.Setenv("GORACE", raceExit)
			quick, err := os.ReadFile("testdata/quick.yaml")
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "quick.yaml"), quick, 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve":  serve,
			"exits":  exits,
			"lines":  countLines,
			"absent": absent,
			"field":  jsonField,

			"sameplan": samePlan,

			"listen": listen,
			"heard":  heard,
		},
	})
}

// serve starts the embedded server with these flags and sets $URL and $ADDR.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("serve can't be negated")
	}
	args = append([]string{"simulate", "--listen", "127.0.0.1:0", "--die-with-parent", "--json"}, args...)
	cmd := exec.Command("assay", args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	var ready struct {
		URL string `json:"url"`
	}
	ts.Check(json.Unmarshal([]byte(line), &ready))
	ts.Setenv("URL", ready.URL)
	ts.Setenv("ADDR", ready.URL[strings.Index(ready.URL, "//")+2:])
}

// exits runs a command and wants its exit status to be one of a
// comma-separated list. A run that is invalid though nothing asked for it met
// a machine that was busy with other tests: it is repeated, a few times.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS[,STATUS] COMMAND ARGS…")
	}
	wanted := strings.Split(args[0], ",")
	command := args[1:]
	status := statusOf(ts, command)
	for range 4 {
		if status != 4 || slices.Contains(wanted, "4") || !slices.Contains(command, "run") {
			break
		}
		if i := slices.Index(command, "--out"); i >= 0 {
			ts.Check(os.RemoveAll(ts.MkAbs(command[i+1])))
		}
		ts.Logf("invalid: this machine was busy; once more")
		status = statusOf(ts, command)
	}
	if !slices.Contains(wanted, itoa(status)) {
		ts.Fatalf("%s exited with %d, want %s", strings.Join(command, " "), status, args[0])
	}
}

func statusOf(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%s: %v", command[0], err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// countLines wants a file to have so many lines; two files to have the same number.
func countLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N|FILE")
	}
	n := func(file string) string { return itoa(strings.Count(ts.ReadFile(file), "\n")) }
	want := args[1]
	if strings.Trim(want, "0123456789") != "" {
		want = n(want)
	}
	if got := n(args[0]); got != want {
		ts.Fatalf("%s has %s lines, want %s", args[0], got, want)
	}
}

// absent wants no file below a folder to contain a word.
func absent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: absent WORD FOLDER")
	}
	seen := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		data, err := os.ReadFile(name)
		if strings.Contains(string(data), args[0]) {
			ts.Fatalf("%s holds %q", name, args[0])
		}
		return err
	}))
	if seen == 0 {
		ts.Fatalf("no file below %s", args[1])
	}
}

// jsonField wants the field at a dotted path of a JSON file to have a value,
// as JSON writes it.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: field FILE PATH VALUE")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	for _, key := range strings.Split(args[1], ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			v = nil
			for i, element := range in {
				if itoa(i) == key {
					v = element
				}
			}
		default:
			v = nil
		}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	ts.Check(encoder.Encode(v))
	got := strings.TrimSuffix(text.String(), "\n")
	if (got == args[2]) == neg {
		ts.Fatalf("%s of %s is %s, want %s", args[1], args[0], got, args[2])
	}
}

// samePlan wants a plan and records to have the same requests: number,
// instant and sizes. Records are in the order of the plan.
func samePlan(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sameplan PLAN RECORDS")
	}
	type request struct {
		Stream     string `json:"stream"`
		Seq        uint64 `json:"seq"`
		Due        int64  `json:"due_ns"`
		Input      int    `json:"input_tokens"`
		Output     int    `json:"output_tokens"`
		WantInput  int    `json:"want_input_tokens"`
		WantOutput int    `json:"want_output_tokens"`
	}
	read := func(file string) []request {
		var all []request
		for line := range strings.Lines(ts.ReadFile(file)) {
			var r request
			ts.Check(json.Unmarshal([]byte(line), &r))
			all = append(all, r)
		}
		return all
	}
	plan, records := read(args[0]), read(args[1])
	if len(plan) == 0 || len(plan) != len(records) {
		ts.Fatalf("%d requests planned, %d recorded", len(plan), len(records))
	}
	for i, p := range plan {
		r := records[i]
		if p.Stream != r.Stream || p.Seq != r.Seq || p.Due != r.Due || p.Input != r.WantInput || p.Output != r.WantOutput {
			ts.Fatalf("request %d was planned as %+v and recorded as %+v", i, p, r)
		}
	}
}
