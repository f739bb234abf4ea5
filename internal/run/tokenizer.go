package run

// The tokenizer of a workload, read from the file that the contract names.

import (
	"fmt"
	"io/fs"
	"strings"

	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

// largest is in bytes. The largest known has 33 million: more is a slip, such
// as a file of weights.
const largest = 256 << 20

// newSource makes the source of a stream's requests, with the tokenizer that
// the contract names.
func newSource(s *contract.Stream, seed uint64, files fs.FS, env func(string) string) (*workload.Source, error) {
	if s.Workload.Tokenizer == contract.ServerTokenizer {
		return newCounted(s, seed, files)
	}
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

// tokenizerOf is the path or the name of the stream's tokenizer; "" for words
// and where the server counts.
func tokenizerOf(s *contract.Stream) string {
	switch s.Workload.Tokenizer {
	case contract.ModelTokenizer:
		return s.Target.Model
	case contract.ServerTokenizer:
		return ""
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
	path, e, err := findTokenizer(asked, files, env)
	if err != nil {
		return nil, refuse(err, "write the path of a tokenizer.json or of its folder, the name of a model in the Hugging Face cache, or an encoding of OpenAI"+otherwise)
	}
	data, err := readVocabulary(path, files)
	if err != nil {
		return nil, refuse(err, "")
	}
	t, err := understand(path, data, e)
	if err != nil {
		return nil, refuse(fmt.Errorf("%s: %w", path, err), "a tokenizer.json of byte-pair encoding or Unigram is read, or a file of ranks"+otherwise)
	}
	return t, nil
}

func readVocabulary(path string, files fs.FS) ([]byte, error) {
	if info, err := fs.Stat(files, path); err == nil && info.Size() > largest {
		return nil, fmt.Errorf("%s is no tokenizer: it has %d MB", path, info.Size()>>20)
	}
	return fs.ReadFile(files, path)
}

// understand reads a file of ranks, of the encoding that was asked for or the
// one that the file says, or a tokenizer.json.
func understand(path string, data []byte, e *tokenizer.Encoding) (*tokenizer.Tokenizer, error) {
	digest := tokenizer.Digest(data)
	if e != nil {
		if digest != e.SHA256 {
			return nil, fmt.Errorf("this is not %s, or it is damaged: its SHA-256 is %s", e.File, digest)
		}
		return e.Read(data)
	}
	e, err := tokenizer.EncodingOf(path, digest)
	switch {
	case err == nil:
		return e.Read(data)
	case strings.HasSuffix(path, tokenizer.RanksSuffix):
		return nil, err
	}
	return tokenizer.Read(data)
}
