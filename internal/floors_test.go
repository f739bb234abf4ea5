// Package internal holds the law of the house: which package may import
// which, and what a pure package may not touch. It is a test so that a
// change of the law is a change of this file, made on purpose.
package internal

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// floors is the house from the ground up: imports go strictly down, siblings
// never import one another. A room (wire/http1) stands on its house's floor.
var floors = [][]string{
	0:  {"unit", "seed", "record", "observation", "stats"},
	1:  {"arrival", "workload", "tokenizer", "measure", "receipt", "cost", "sim"},
	2:  {"dialect", "slo"},
	3:  {"search"},
	4:  {"contract"},
	5:  {"result"},
	6:  {"report", "crosswalk", "attest", "columnar"},
	7:  {"wire", "host", "target", "rundir", "ledger"},
	8:  {"dispatch", "fleet", "simserver"},
	9:  {"run"},
	10: {"cli"},
}

// effectsBegin is the lowest floor with a clock, a goroutine, a socket or a file.
const effectsBegin = 7

// forbidden are imports that one house does without: the hot path formats
// nothing and summarises nothing.
var forbidden = map[string][]string{
	"dispatch": {"fmt", "encoding/json", "assay/internal/stats", "assay/internal/report"},
}

// oracle is the embedded server, and oracleMay is all that it may share with
// the client; oracleUsers are those of the client who may start it.
var (
	oracle      = []string{"sim", "simserver"}
	oracleMay   = []string{"unit", "seed", "tokenizer"}
	oracleUsers = []string{"run", "cli"}
)

// confined are dependencies and the only houses that may import them.
var confined = map[string][]string{
	"github.com/parquet-go/parquet-go": {"columnar"},
	"github.com/dlclark/regexp2":       {"tokenizer"},
	"github.com/goccy/go-yaml":         {"contract"},
	"github.com/invopop/jsonschema":    {"contract", "result"},
	"github.com/spf13/cobra":           {"cli"},
	"github.com/spf13/pflag":           {"cli"},
	"golang.org/x/net":                 {"wire"},
	"golang.org/x/text":                {"tokenizer"},
}

// effects are imports that have no place below effectsBegin.
var effects = []string{
	"os", "os/exec", "os/signal", "os/user", "net", "net/http", "net/rpc", "crypto/tls", "crypto/rand",
	"syscall", "log", "log/slog", "io/ioutil", "golang.org/x/sys", "golang.org/x/net",
}

// effectCalls are functions of packages that are otherwise pure.
var effectCalls = map[string][]string{
	"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "LoadLocation"},
	"context":       {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
	"path/filepath": {"Glob", "Walk", "WalkDir", "EvalSymlinks", "Abs"},
}

// ownGenerator are the only names of math/rand/v2 that may be used anywhere:
// the others draw from a generator that everybody shares.
var ownGenerator = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "PCG", "ChaCha8", "Source", "Zipf"}

// longest is the length in lines that no file reaches.
const longest = 500

func TestImportsGoStrictlyDown(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil // a test may look anywhere: what it wants often comes from another floor
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		checked++
		for _, broken := range check(filepath.ToSlash(name), source) {
			t.Error(broken)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Error("found no source file: the law was not applied")
	}
}

func TestTheCommandOnlyStartsTheCommandLine(t *testing.T) {
	names, err := filepath.Glob("../cmd/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			target := strings.Trim(spec.Path.Value, `"`)
			if strings.HasPrefix(target, modulePath) && target != path.Join(modulePath, "cli") {
				t.Errorf("%s imports %s: a command starts cli and nothing else", name, target)
			}
		}
	}
}

func TestTheLawCatchesWhatItForbids(t *testing.T) {
	for _, c := range []struct {
		why, file, source, says string
	}{
		{"up", "unit/a.go", `import _ "assay/internal/slo"`, "goes up or sideways"},
		{"a sibling", "slo/a.go", `import _ "assay/internal/dialect"`, "goes up or sideways"},
		{"a room beside", "wire/sse/a.go", `import _ "assay/internal/wire/http1"`, "rooms"},
		{"a room of the floor's other house", "wire/sse/a.go", `import _ "assay/internal/host"`, "goes up or sideways"},
		{"no such house", "helpers/a.go", ``, "no floor"},
		{"importing one", "cli/a.go", `import _ "assay/internal/helpers"`, "no floor"},
		{"a file", "contract/a.go", `import _ "os"`, "effects begin"},
		{"a socket", "report/a.go", `import _ "net/http"`, "effects begin"},
		{"below a module", "stats/a.go", `import _ "golang.org/x/sys/unix"`, "effects begin"},
		{"a clock", "slo/a.go", `import "time"; var t = time.Now()`, "time.Now"},
		{"a renamed clock", "slo/a.go", `import clock "time"; var t = clock.Since`, "time.Since"},
		{"a goroutine", "measure/a.go", `func f() { go f() }`, "goroutine"},
		{"a format in the hot path", "dispatch/a.go", `import _ "fmt"`, "dispatch does without"},
		{"statistics in the hot path", "dispatch/a.go", `import _ "assay/internal/stats"`, "dispatch does without"},
		{"the client in the oracle", "sim/a.go", `import _ "assay/internal/stats"`, "oracle"},
		{"the wire in the oracle", "simserver/face/a.go", `import _ "assay/internal/wire"`, "oracle"},
		{"the oracle in the client", "dialect/a.go", `import _ "assay/internal/sim"`, "oracle"},
		{"a shared generator", "run/a.go", `import "math/rand/v2"; var x = rand.IntN(6)`, "shared generator"},
		{"a generator that seeds itself", "cli/a.go", `import _ "math/rand"`, "seed.Rand"},
		{"Parquet elsewhere", "rundir/a.go", `import _ "github.com/parquet-go/parquet-go"`, "confined"},
		{"testing in the product", "run/a.go", `import _ "testing"`, "tests only"},
		{"a test package in the product", "run/a.go", `import _ "assay/internal/dialect/dialecttest"`, "tests only"},
		{"init", "run/a.go", `func init() {}`, "init"},
		{"a file without end", "run/a.go", strings.Repeat("\n", longest), "lines"},
	} {
		found := strings.Join(check(c.file, []byte("package p\n"+c.source)), "\n")
		if !strings.Contains(found, c.says) {
			t.Errorf("%s: %s with %q: got %q, want a complaint about %q", c.why, c.file, c.source, found, c.says)
		}
	}
}

func TestTheLawAllowsWhatTheHouseNeeds(t *testing.T) {
	for _, c := range []struct{ file, source string }{
		{"contract/a.go", `import (_ "assay/internal/slo"; _ "assay/internal/dialect"; _ "net/url"; _ "github.com/goccy/go-yaml/ast")`},
		{"wire/http1/a.go", `import (_ "assay/internal/wire"; _ "net"; "time"); var t = time.Now()`},
		{"run/worker/a.go", `import (_ "assay/internal/run"; _ "assay/internal/wire/http1"; _ "assay/internal/dispatch")`},
		{"cli/a.go", `import (_ "assay/internal/simserver"; _ "assay/internal/run/worker"; _ "github.com/spf13/cobra")`},
		{"simserver/a.go", `import (_ "assay/internal/sim"; _ "assay/internal/simserver/face"; _ "assay/internal/tokenizer")`},
		{"stats/a.go", `func f() { go f() }`},
		{"seed/a.go", `import "math/rand/v2"; func f() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }`},
		{"dialect/dialecttest/a.go", `import (_ "testing"; _ "assay/internal/dialect")`},
		{"slo/a.go", `import "time"; const d = time.Second`},
	} {
		if found := check(c.file, []byte("package p\n"+c.source)); len(found) > 0 {
			t.Errorf("%s with %q: got %q, want no complaint", c.file, c.source, found)
		}
	}
}
