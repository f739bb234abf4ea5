package contract

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func holds(contents map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range contents {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

func sum(content string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content))) }

// filesOfEachKind is a contract that names a file in each place that takes one.
const filesOfEachKind = `
target: {simulate: fixed}
traffic: {duration: 1s}
streams:
  - {name: a, traffic: {rate: 5/s}, workload: {file: requests.csv}}
  - {name: b, traffic: {rate: 5/s}, workload: {prompts: prompts.jsonl}}
  - {name: c, traffic: {rate: 5/s}, workload: {lengths: lengths.csv}}
  - {name: d, traffic: {arrivals: series, shape: {file: rates.csv}}, workload: {tokenizer: some/model}}
`

var contentsOfEachKind = map[string]string{
	"requests.csv":  "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,1,1\n",
	"prompts.jsonl": `{"text": "hello"}`,
	"lengths.csv":   "input_tokens,output_tokens\n5,6\n",
	"rates.csv":     "time,rate\n0,5\n1,5\n",
	"cache/t.json":  "{}",
}

func TestAContractIsTheSameOnlyAsLongAsItsFilesHoldTheSame(t *testing.T) {
	tokenizers := map[string]string{"some/model": "cache/t.json"}
	read := func(contents map[string]string) *Contract {
		c := resolved(t, filesOfEachKind)
		if err := c.ReadFiles(holds(contents), tokenizers); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := read(contentsOfEachKind)
	want := map[string]string{"some/model": sum("{}")}
	for _, name := range []string{"requests.csv", "prompts.jsonl", "lengths.csv", "rates.csv"} {
		want[name] = sum(contentsOfEachKind[name])
	}
	if d := cmp.Diff(want, c.Files); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	canonical := canonicalOf(t, c)
	again := resolved(t, string(canonical))
	if got := canonicalOf(t, again); string(got) != string(canonical) || again.Digest() != c.Digest() {
		t.Errorf("read back it is another contract:\n%s", got)
	}
	for name := range contentsOfEachKind {
		other := maps.Clone(contentsOfEachKind)
		other[name] += "\n"
		if read(other).Digest() == c.Digest() {
			t.Errorf("with another %s it has the same digest", name)
		}
		err := again.ReadFiles(holds(other), tokenizers)
		again.forgetArrivals()
		asked := name
		if name == "cache/t.json" {
			asked = "some/model"
		}
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), name+" holds something else than when this was written: "+sum(other[name])) {
			t.Errorf("with another %s: %v", name, err)
		} else if wrong.Line == 0 || !strings.Contains(wrong.Hint, asked) {
			t.Errorf("with another %s: line %d, hint %q", name, wrong.Line, wrong.Hint)
		}
	}
	if err := again.ReadFiles(holds(contentsOfEachKind), tokenizers); err != nil {
		t.Errorf("with the same files: %v", err)
	}
}

func TestFilesThatAreNotNamedAnyMoreAreForgotten(t *testing.T) {
	c := resolved(t, "target: {simulate: fixed}\ntraffic: {rate: 5/s}\nfiles: {old.csv: \""+sum("x")+"\"}\n")
	if err := c.ReadFiles(holds(nil), nil); err != nil || c.Files != nil {
		t.Errorf("files %v, %v, want none", c.Files, err)
	}
}

func TestAFileThatIsMissingIsFoundAtTheSettingThatNamesIt(t *testing.T) {
	for name, setting := range map[string]string{
		"requests.csv": "streams[0].workload.file", "prompts.jsonl": "streams[1].workload.prompts",
		"lengths.csv": "streams[2].workload.lengths", "rates.csv": "streams[3].traffic.shape.file",
	} {
		contents := maps.Clone(contentsOfEachKind)
		delete(contents, name)
		err := resolved(t, filesOfEachKind).ReadFiles(holds(contents), nil)
		if err == nil || !strings.Contains(err.Error(), setting) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v, want %s", name, err, setting)
		}
	}
}

func TestWhatIdentifiesNoContentsIsRefused(t *testing.T) {
	for _, digest := range []string{"", "sha256:", "sha256:" + strings.Repeat("G", 64), sum("x")[7:], sum("x") + "0"} {
		c, err := Load("c.yaml", []byte("target: {simulate: fixed}\ntraffic: {rate: 5/s}\nfiles: {f: \""+digest+"\"}\n"))
		if err == nil {
			err = c.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), "files.f") {
			t.Errorf("%q: %v, want it refused", digest, err)
		}
	}
}
