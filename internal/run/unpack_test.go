package run

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/contract"
	"assay/internal/workload"
)

func zipped(t *testing.T, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestACompressedFileIsUnpackedOnceForAllAndRemoved(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	dir := t.TempDir()
	data := zipped(t, `{"text": "one"}`+"\n"+`{"text": "two"}`+"\n")
	packed, plain := filepath.Join(dir, "p.gz"), filepath.Join(dir, "plain")
	for name, content := range map[string][]byte{packed: data, plain: []byte(`{"text": "three"}`)} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	named := func(names ...string) *contract.Contract {
		c := &contract.Contract{}
		for _, name := range names {
			c.Streams = append(c.Streams, contract.Stream{Name: name, Workload: workload.Spec{File: name}})
		}
		return c
	}
	c := named(packed, plain, packed, "")
	files, remove, err := Unpack(c)
	if err != nil {
		t.Fatal(err)
	}
	left := func() int {
		entries, err := os.ReadDir(temporary)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if left() != 1 {
		t.Errorf("%d files were made, want 1", left())
	}
	f, err := c.Streams[0].RequestFile(files)
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.Entry(1)
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(data)); err != nil || e.Text != "two" || f.Digest != want || f.Name != packed {
		t.Errorf("entry %q, digest %s of %s, %v, want two and %s", e.Text, f.Digest, f.Name, err, want)
	}
	if f, err := c.Streams[1].RequestFile(files); err != nil || f.Entries != 1 {
		t.Errorf("a file that is not compressed: %v", err)
	}
	if remove(); left() != 0 {
		t.Error("it is left behind")
	}

	for want, content := range map[string][]byte{"breaks off after": data[:len(data)-9], "gzip: invalid header": {0x1f, 0x8b, 0, 0, 0, 0, 0, 0, 0, 0, 0}} {
		if err := os.WriteFile(packed, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Unpack(named(packed)); err == nil || !strings.Contains(err.Error(), want) || left() != 0 {
			t.Errorf("%v with %d files left, want %q and none", err, left(), want)
		}
	}
}
