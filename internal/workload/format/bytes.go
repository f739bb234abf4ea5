package format

// The bytes of a file: unpacked, without the mark that some editors put before
// them, and read again in parts.

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

// mostHeld bounds what is kept of a file that can't be read in parts: one that
// is compressed, and that nobody unpacked.
const mostHeld = 256 << 20

var (
	byteOrderMark = []byte("\ufeff")
	gzipMagic     = []byte{0x1f, 0x8b}
)

// A text is the unpacked content of a file.
type text struct {
	fsys fs.FS
	name string
	size int64
	time int64  // when it was changed last, ns
	held []byte // of a compressed file
	once bool   // of a compressed file: it is not held, and can't be read in parts
	sum  hash.Hash
}

// An Unpacker is a file system that has compressed files unpacked. Digest
// identifies the bytes of a file as they were stored; "" where it is not
// unpacked.
type Unpacker interface{ Digest(name string) string }

// digest identifies the bytes as they are stored; it is known when all was read.
func (t *text) digest() string {
	if u, ok := t.fsys.(Unpacker); ok {
		if digest := u.Digest(t.name); digest != "" {
			return digest
		}
	}
	return "sha256:" + hex.EncodeToString(t.sum.Sum(nil))
}

// openText looks at a file and unpacks it where it is compressed, unless it is
// read but once.
func openText(fsys fs.FS, name string, once bool) (*text, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name one file of it", name)
	}
	t := &text{fsys: fsys, name: name, size: info.Size(), time: info.ModTime().UnixNano(), sum: sha256.New()}
	b := bufio.NewReader(f)
	magic, err := b.Peek(len(gzipMagic))
	if err != nil && err != io.EOF {
		return nil, err
	}
	if _, parts := f.(io.ReaderAt); parts && !bytes.Equal(magic, gzipMagic) {
		return t, nil
	}
	if once && bytes.Equal(magic, gzipMagic) {
		t.once = true
		return t, nil
	}
	t.held, err = unpack(io.TeeReader(b, t.sum), bytes.Equal(magic, gzipMagic))
	return t, err
}

// unpack reads all, to a bound.
func unpack(b io.Reader, packed bool) ([]byte, error) {
	if packed {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		b = z
	}
	data, err := io.ReadAll(io.LimitReader(b, mostHeld+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("gzip: the file breaks off after %d bytes of content", len(data))
	case err != nil:
		return nil, fmt.Errorf("gzip: %w", err)
	case len(data) > mostHeld:
		return nil, fmt.Errorf("it has more than %d MiB unpacked, which would be held in memory: unpack it, and name the unpacked file", mostHeld>>20)
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// begin hands the content from its beginning to read, which need not read all.
func (t *text) begin(read func(r *bufio.Reader, offset int64) error) error {
	return t.from(io.Discard, read)
}

// all is begin for the one time that all is read.
func (t *text) all(read func(r *bufio.Reader, offset int64) error) error {
	return t.from(t.sum, func(r *bufio.Reader, offset int64) error {
		if err := read(r, offset); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, r) // what stands behind an array
		return err
	})
}

// from leaves the byte order mark out; offset is where the content begins.
// What is read of a file that is not held goes into seen as well.
func (t *text) from(seen io.Writer, read func(r *bufio.Reader, offset int64) error) error {
	var source io.Reader = bytes.NewReader(t.held)
	if t.held == nil {
		f, err := t.fsys.Open(t.name)
		if err != nil {
			return err
		}
		defer f.Close()
		source = io.TeeReader(f, seen)
	}
	if t.once {
		z, err := gzip.NewReader(source)
		if err != nil {
			return fmt.Errorf("gzip: %w", err)
		}
		source = &unpacking{z: z}
	}
	b := bufio.NewReaderSize(source, 1<<18)
	offset := int64(0)
	if mark, _ := b.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		_, _ = b.Discard(len(byteOrderMark)) // it is there
		offset = int64(len(byteOrderMark))
	}
	return read(b, offset)
}

// An unpacking reader says in words what is wrong with a compressed file.
type unpacking struct {
	z    io.Reader
	read int64
}

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	u.read += int64(n)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("gzip: the file breaks off after %d bytes of content", u.read)
	case err != nil && err != io.EOF:
		err = fmt.Errorf("gzip: %w", err)
	}
	return n, err
}

// part returns the bytes from one offset to another. A file that is not the
// one that was gone through is refused.
func (t *text) part(from, to int64) ([]byte, error) {
	if t.held != nil {
		return t.held[from:to], nil
	}
	f, err := t.fsys.Open(t.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != t.size || info.ModTime().UnixNano() != t.time {
		return nil, errors.New("it was changed after it was read")
	}
	b := make([]byte, to-from)
	_, err = io.ReadFull(io.NewSectionReader(f.(io.ReaderAt), from, to-from), b)
	return b, err
}
