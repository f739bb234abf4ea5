// The files that a contract names, and what they hold: a contract is the same
// one only as long as its files hold the same.

package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
)

// digestPrefix stands before what identifies a file's bytes.
const digestPrefix = "sha256:"

var digestForm = regexp.MustCompile(`^` + digestPrefix + `[0-9a-f]{64}$`)

// A namedFile is a file that a setting names.
type namedFile struct {
	setting string
	name    string
	digest  func(fs.FS) (string, error)
}

// ReadFiles reads what the schedule and the requests rest on, and writes into
// Files what each file held. Where Files says it already, other contents are an
// error: they would be another workload. others are files that stand for a name
// of the contract, by that name: tokenizers. Call it after Resolve.
func (c *Contract) ReadFiles(fsys fs.FS, others map[string]string) error {
	files := map[string]string{}
	note := func(f namedFile, path string) error {
		digest, err := f.digest(fsys)
		if err != nil {
			return c.fail(f.setting, err.Error(), "")
		}
		if was, ok := c.Files[f.name]; ok && was != digest {
			return c.fail("files."+f.name, fmt.Sprintf("%s holds something else than when this was written: %s", path, digest),
				"with its former contents it is this contract; to take it as it is now, drop the line of "+f.name+" under files")
		}
		files[f.name] = digest
		return nil
	}
	for _, f := range c.namedFiles() {
		if err := note(f, f.name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if err := note(namedFile{"workload.tokenizer", name, digestOf(others[name])}, others[name]); err != nil {
			return err
		}
	}
	if c.Files = files; len(files) == 0 {
		c.Files = nil
	}
	return c.ReadArrivals(fsys)
}

// namedFiles are those of all streams, in their order.
func (c *Contract) namedFiles() []namedFile {
	var all []namedFile
	for i := range c.Streams {
		s, prefix := &c.Streams[i], ""
		if !c.derived {
			prefix = fmt.Sprintf("streams[%d].", i)
		}
		add := func(setting, name string, digest func(fs.FS) (string, error)) {
			if name != "" {
				all = append(all, namedFile{prefix + setting, name, digest})
			}
		}
		add("workload.file", s.Workload.File, func(fsys fs.FS) (string, error) {
			file, err := s.RequestFile(fsys)
			if err != nil {
				return "", err
			}
			return file.Digest, nil
		})
		add("workload.prompts", s.Workload.Prompts, digestOf(s.Workload.Prompts))
		for k, p := range s.Workload.Lengths {
			add(fmt.Sprintf("workload.lengths[%d].file", k), p.File, digestOf(p.File))
		}
		add("traffic.shape.file", s.Traffic.Shape.File, digestOf(s.Traffic.Shape.File))
	}
	return all
}

// digestOf identifies the bytes of a file.
func digestOf(path string) func(fs.FS) (string, error) {
	return func(fsys fs.FS) (string, error) {
		f, err := fsys.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return "", fmt.Errorf("read %s: %w", path, err)
		}
		return digestPrefix + hex.EncodeToString(sum.Sum(nil)), nil
	}
}

// checkFiles refuses what identifies no contents.
func (c *Contract) checkFiles() error {
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		if digest := c.Files[name]; !digestForm.MatchString(digest) {
			return c.fail("files."+name, fmt.Sprintf("%q is not sha256: with 64 digits", digest), "a run writes it: drop it")
		}
	}
	return nil
}
