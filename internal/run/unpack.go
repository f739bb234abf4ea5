package run

// Compressed files of requests: their entries are read here and there, which a
// compressed file does not allow. They are unpacked once, into the folder for
// temporary files, for all processes of a run.

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"assay/internal/contract"
)

// An Unpacked is what stands for a compressed file.
type Unpacked struct {
	Path   string `json:"path"`
	Digest string `json:"digest"` // of the compressed file
}

// Files are those of the operating system, with the unpacked ones in place of
// the compressed.
type Files struct {
	OSFiles
	Unpacked map[string]Unpacked // by the name of the compressed file
}

// Open opens a file by its path.
func (f Files) Open(name string) (fs.File, error) {
	if u, ok := f.Unpacked[name]; ok {
		return f.OSFiles.Open(u.Path)
	}
	return f.OSFiles.Open(name)
}

// Digest identifies the compressed file; "" where name is not unpacked.
func (f Files) Digest(name string) string { return f.Unpacked[name].Digest }

// Unpack unpacks the compressed files of requests that a contract names. The
// caller removes them.
func Unpack(c *contract.Contract) (files Files, remove func(), err error) {
	files.Unpacked = map[string]Unpacked{}
	remove = func() {
		for _, u := range files.Unpacked {
			_ = os.Remove(u.Path) // a temporary file: there is nobody to tell
		}
	}
	for i := range c.Streams {
		name := c.Streams[i].Workload.File
		if _, done := files.Unpacked[name]; name == "" || done {
			continue
		}
		u, err := unpack(name)
		if err != nil {
			remove()
			return Files{}, nil, usage(fmt.Errorf("workload.file: %s: %w", name, err), "")
		}
		if u.Path != "" {
			files.Unpacked[name] = u
		}
	}
	return files, remove, nil
}

// unpack makes a file of the content of a compressed one; of another it makes
// nothing, and who reads it says what is wrong with it.
func unpack(name string) (u Unpacked, err error) {
	f, err := os.Open(name)
	if err != nil {
		return u, nil
	}
	defer f.Close()
	sum := sha256.New()
	b := bufio.NewReaderSize(io.TeeReader(f, sum), 1<<18)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return u, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return u, fmt.Errorf("gzip: %w", err)
	}
	to, err := os.CreateTemp("", "assay-unpacked-*")
	if err != nil {
		return u, fmt.Errorf("unpack it: %w", err)
	}
	n, err := io.Copy(to, z)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("gzip: the file breaks off after %d bytes of content", n)
	case err != nil:
		err = fmt.Errorf("unpack it: %w", err)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		_ = os.Remove(to.Name()) // it failed already
		return u, err
	}
	return Unpacked{Path: to.Name(), Digest: "sha256:" + hex.EncodeToString(sum.Sum(nil))}, nil
}
