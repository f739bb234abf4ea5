// The way back from bytes to a record. The bytes may be anything: a journal
// outlives the process that wrote it.
package record

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Decode overwrites the whole of r with the record in data, reusing the room
// of r.Events and r.Marks. It fails on what Append can't have written, and
// never asks for more memory than data explains.
func Decode(data []byte, r *Record) error {
	d := decoder{rest: data}
	version, err := d.version()
	if err != nil {
		return err
	}
	events, marks := r.Events[:0], r.Marks[:0]
	*r = Record{}
	r.Stream = d.string()
	r.Seq = d.uvarint()
	r.Session = d.string()
	r.Turn = d.int()
	r.Role = d.string()
	r.Worker = d.int()
	r.Phase = Phase(d.enum(len(phaseNames)))
	r.Release = Release(d.enum(len(releaseNames)))
	r.URL = d.string()
	r.Endpoint = d.string()
	for i, p := range r.stamps() {
		if version == 1 && i >= stampsBefore2 || version < 4 && i >= stampsBefore4 || version < 6 && i >= stampsBefore6 {
			*p = None
			continue
		}
		*p = d.stamp()
	}
	r.Streamed = d.enum(2) == 1
	r.Reused = d.enum(2) == 1
	r.Clock = Clock(d.enum(len(clockNames)))
	r.Unstamped = d.int()
	r.Status = Status(d.enum(len(statusNames)))
	r.ErrorKind = d.string()
	r.ErrorMessage = d.string()
	for i, p := range r.counts() {
		if version < 3 && i >= countsBefore3 || version < 5 && i >= countsBefore5 || version < 7 && i >= countsBefore7 {
			continue
		}
		*p = d.int()
	}
	r.InputSource = TokenSource(d.enum(len(sourceNames)))
	r.TokenSource = TokenSource(d.enum(len(sourceNames)))
	r.FinishReason = d.string()
	r.RequestID = d.string()
	copy(r.BodySHA256[:], d.bytes(len(r.BodySHA256)))
	r.Events = d.events(events)
	r.Marks = d.marks(marks)
	r.Dropped = d.int()
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes too many", len(d.rest))
	}
	return d.err
}

// A decoder takes fields off the front of rest until the first error, and
// gives zeros after it.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("decode record: "+format, args...)
	}
	d.rest = nil
}

func (d *decoder) byte() byte {
	b := d.bytes(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail("ends early")
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// enum reads a byte that must be below n.
func (d *decoder) enum(n int) byte {
	b := d.byte()
	if int(b) >= n {
		d.fail("value %d of %d", b, n)
		return 0
	}
	return b
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("number expected")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) int() int {
	v := d.varint()
	if int64(int(v)) != v {
		d.fail("number %d too large", v)
		return 0
	}
	return int(v)
}

func (d *decoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.fail("number %d too large", v)
		return 0
	}
	return uint32(v)
}

func (d *decoder) stamp() int64 {
	u := d.uvarint() - 1
	if d.err != nil {
		return 0
	}
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) string() string {
	n := d.length(1)
	return string(d.bytes(n))
}

// length reads the count of things that take at least size bytes each.
func (d *decoder) length(size int) int {
	n := d.uvarint()
	if n > uint64(len(d.rest)/size) {
		d.fail("length %d beyond the end", n)
		return 0
	}
	return int(n)
}

func (d *decoder) events(into []Event) []Event {
	n := d.length(3)
	if cap(into) < n {
		into = make([]Event, 0, n)
	}
	var last int64
	for range n {
		last += d.varint()
		lag, packed := d.uint32(), d.uint32()
		if k := Kind(packed & kindMask); int(k) >= len(kindNames) {
			d.fail("event kind %d", k)
		}
		into = append(into, Unpack(last, lag, packed))
	}
	return into
}

func (d *decoder) marks(into []Mark) []Mark {
	n := d.length(2)
	if cap(into) < n {
		into = make([]Mark, 0, n)
	}
	var last int64
	for range n {
		kind := Kind(d.enum(len(kindNames)))
		last += d.varint()
		into = append(into, Mark{Kind: kind, T: last})
	}
	return into
}

// Key reads only what a record is sorted by.
func Key(data []byte) (stream string, seq uint64, err error) {
	d := decoder{rest: data}
	if _, err := d.version(); err != nil {
		return "", 0, err
	}
	stream, seq = d.string(), d.uvarint()
	return stream, seq, d.err
}

func (d *decoder) version() (byte, error) {
	v := d.byte()
	if d.err == nil && (v < oldestVersion || v > codecVersion) {
		return v, fmt.Errorf("record of version %d: this program reads versions %d to %d", v, oldestVersion, codecVersion)
	}
	return v, d.err
}
