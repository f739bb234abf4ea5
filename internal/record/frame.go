// The frame is the one envelope of bytes that cross a pipe or land in a
// journal: it says where a message ends, and whether it survived.
package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Types of frame.
const (
	FrameRecord      byte = 1 // payload: Append
	FrameObservation byte = 2 // payload: one line of observations.jsonl, without its newline
	FrameControl     byte = 3 // payload: whatever coordinator and worker agree on
)

// MaxFrame bounds a payload. A length beyond it is damage, not a message.
const MaxFrame = 64 << 20

// headerSize is length u32, CRC32C u32 (both little-endian), type u8.
const headerSize = 9

// growStep bounds how far a claimed length is believed before its bytes come.
const growStep = 1 << 20

var (
	// ErrTorn is a frame whose end is missing: the writer died inside it.
	ErrTorn = errors.New("torn frame")
	// ErrCorrupt is a frame that is there and is not what was written.
	ErrCorrupt = errors.New("corrupt frame")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendFrame appends a frame with this payload to dst. A payload beyond
// MaxFrame is a broken invariant: whoever builds one bounds it.
func AppendFrame(dst []byte, typ byte, payload []byte) []byte {
	if len(payload) > MaxFrame {
		panic(fmt.Sprintf("internal error: frame of %d bytes", len(payload)))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.LittleEndian.AppendUint32(dst, checksum(typ, payload))
	dst = append(dst, typ)
	return append(dst, payload...)
}

// FrameSize is the number of bytes that a frame with a payload of n bytes takes.
func FrameSize(n int) int { return headerSize + n }

// ReadFrame reads one frame. The payload lies in buf where buf is large
// enough, so it is good until the next call with the same buf. The error is
// io.EOF between frames, ErrTorn inside one, ErrCorrupt when length or
// checksum can't be right, or the reader's own.
func ReadFrame(r *bufio.Reader, buf []byte) (typ byte, payload []byte, err error) {
	var head [headerSize]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if n > 0 {
			err = torn(err)
		}
		return 0, nil, err
	}
	n := int64(binary.LittleEndian.Uint32(head[0:]))
	sum := binary.LittleEndian.Uint32(head[4:])
	typ = head[8]
	if n > MaxFrame {
		return 0, nil, fmt.Errorf("%w: length %d", ErrCorrupt, n)
	}
	payload = buf[:0]
	for int64(len(payload)) < n {
		// Step by step: a length of garbage must not cost its memory.
		have := len(payload)
		step := int(min(n-int64(have), max(growStep, int64(cap(payload)-have))))
		if cap(payload)-have < step {
			grown := make([]byte, have, have+step)
			copy(grown, payload)
			payload = grown
		}
		payload = payload[:have+step]
		if _, err := io.ReadFull(r, payload[have:]); err != nil {
			return 0, nil, torn(err)
		}
	}
	if checksum(typ, payload) != sum {
		return 0, nil, fmt.Errorf("%w: checksum", ErrCorrupt)
	}
	return typ, payload, nil
}

// torn turns an end of input inside a frame into ErrTorn, and leaves the rest.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTorn
	}
	return err
}

func checksum(typ byte, payload []byte) uint32 {
	sum := crc32.Update(0, castagnoli, []byte{typ})
	return crc32.Update(sum, castagnoli, payload)
}
