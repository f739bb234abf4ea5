package run

// Where the tokenizer of a workload lies: in a file or folder that the contract
// names, or in the cache that Hugging Face's tools keep. Nothing is fetched.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

const (
	tokenizerFile = "tokenizer.json"
	largest       = 256 << 20 // bytes; the largest known has 33 million: more is a slip, such as a file of weights
)

// newSource makes the source of a stream's requests, with the tokenizer that
// the contract names.
func newSource(s *contract.Stream, seed uint64, files fs.FS, env func(string) string) (*workload.Source, error) {
	count := tokenizer.Words
	if s.Workload.Tokenizer != "" {
		t, err := readTokenizer(s, files, env)
		if err != nil {
			return nil, err
		}
		count = t.Count
	}
	var source *workload.Source
	var err error
	if s.Workload.File != "" {
		source, err = newFiled(s, seed, files, count)
	} else {
		source, err = workload.New(s.Workload, seed, s.Name, files, count)
	}
	if err != nil {
		return nil, usage(fmt.Errorf("stream %s: workload: %w", s.Name, err), "")
	}
	return source, nil
}

// countedBy is the source of the counts that a stream's source makes.
func countedBy(s *contract.Stream) record.TokenSource {
	if s.Workload.Tokenizer != "" {
		return record.FromTokenizer
	}
	return record.FromWords
}

// tokenizerOf is the path or the name of the stream's tokenizer, "" for words.
func tokenizerOf(s *contract.Stream) string {
	if s.Workload.Tokenizer == contract.ModelTokenizer {
		return s.Target.Model
	}
	return s.Workload.Tokenizer
}

func readTokenizer(s *contract.Stream, files fs.FS, env func(string) string) (*tokenizer.Tokenizer, error) {
	return openTokenizer("stream "+s.Name+": workload.tokenizer", tokenizerOf(s), "; without workload.tokenizer words are counted", files, env)
}

// openTokenizer reads the tokenizer that is asked for by a path or a name.
// where and otherwise are for the words of an error: which setting asks for it,
// and what happens without it.
func openTokenizer(where, asked, otherwise string, files fs.FS, env func(string) string) (*tokenizer.Tokenizer, error) {
	refuse := func(err error, hint string) error {
		return usage(fmt.Errorf("%s: %w", where, err), hint)
	}
	path, err := findTokenizer(asked, files, env)
	if err != nil {
		return nil, refuse(err, "write the path of a tokenizer.json or of its folder, or the name of a model in the Hugging Face cache"+otherwise)
	}
	if info, err := fs.Stat(files, path); err == nil && info.Size() > largest {
		return nil, refuse(fmt.Errorf("%s is no tokenizer.json: it has %d MB", path, info.Size()>>20), "")
	}
	data, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, refuse(err, "")
	}
	t, err := tokenizer.Read(data)
	if err != nil {
		return nil, refuse(fmt.Errorf("%s: %w", path, err), "byte-pair encoding is read, over bytes or over characters with byte fallback"+otherwise)
	}
	return t, nil
}

// findTokenizer returns the path of the file that is asked for. A path that
// exists goes before a name in the cache.
func findTokenizer(asked string, files fs.FS, env func(string) string) (string, error) {
	switch info, err := fs.Stat(files, asked); {
	case err == nil && info.IsDir():
		path := filepath.Join(asked, tokenizerFile)
		if _, err := fs.Stat(files, path); err != nil {
			return "", fmt.Errorf("the folder %s holds no %s", asked, tokenizerFile)
		}
		return path, nil
	case err == nil:
		return asked, nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
		return "", err
	}
	if strings.HasPrefix(asked, ".") || strings.Count(asked, "/") > 1 || filepath.IsAbs(asked) || strings.HasSuffix(asked, ".json") {
		return "", fmt.Errorf("there is no file or folder %s", asked)
	}
	hub := hubCache(env)
	if hub == "" {
		return "", fmt.Errorf("there is no file or folder %s, and no home folder to look for a cache in", asked)
	}
	return findCached(asked, hub, files)
}

// hubCache is where Hugging Face's tools keep what they fetched; "" when
// nothing says.
func hubCache(env func(string) string) string {
	if dir := env("HF_HUB_CACHE"); dir != "" {
		return dir
	}
	home := env("HF_HOME")
	if home == "" {
		base := env("XDG_CACHE_HOME")
		if user := cmp.Or(env("HOME"), env("USERPROFILE")); base == "" && user != "" {
			base = filepath.Join(user, ".cache")
		}
		if base == "" {
			return ""
		}
		home = filepath.Join(base, "huggingface")
	}
	return filepath.Join(home, "hub")
}

// findCached looks a model up in the cache: the revision that main points at,
// else the only one that has the file. Of several none is guessed.
func findCached(name, hub string, files fs.FS) (string, error) {
	folder := filepath.Join(hub, "models--"+strings.ReplaceAll(name, "/", "--"))
	snapshots := filepath.Join(folder, "snapshots")
	if commit, err := fs.ReadFile(files, filepath.Join(folder, "refs", "main")); err == nil {
		path := filepath.Join(snapshots, strings.TrimSpace(string(commit)), tokenizerFile)
		if _, err := fs.Stat(files, path); err == nil {
			return path, nil
		}
	}
	entries, err := fs.ReadDir(files, snapshots)
	if err != nil {
		return "", fmt.Errorf("there is no file or folder %s, and no model of that name in %s", name, hub)
	}
	var found []string
	for _, e := range entries {
		path := filepath.Join(snapshots, e.Name(), tokenizerFile)
		if _, err := fs.Stat(files, path); err == nil {
			found = append(found, path)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the model %s in %s has no %s", name, hub, tokenizerFile)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("the model %s in %s has %d revisions: name the path of one, such as %s", name, hub, len(found), found[0])
}
