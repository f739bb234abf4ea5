// Pictures as PNG: noise, which nothing compresses, so that a picture has the
// same bytes however hard an encoder tries.

package workload

import (
	"encoding"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"math/rand/v2"
	"slices"
)

// A pngMaker makes PNG of 8-bit colours. Where all pictures have one size, all
// but their last rows are the same and encoded before the start; the last rows
// are what makes each another one for everything that looks at pictures.
type pngMaker struct {
	width, height int // of base; 0 without
	base          *pngBase
}

// A pngBase is a PNG up to its last rows.
type pngBase struct {
	coded []byte // in base64, as far as whole groups of three go
	rest  []byte // what is left of the last group
	sum   []byte // the state of the checksum over the rows so far
}

func newPNG(i Images, r *rand.Rand) *pngMaker {
	m := &pngMaker{}
	if i.Width.Law == "constant" && i.Height.Law == "constant" {
		m.width, m.height = int(i.Width.A), int(i.Height.A)
		m.base = newBase(m.width, m.height, r)
	}
	return m
}

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	chunkAround  = 12     // bytes of a chunk beside its data
	storedMost   = 0xffff // bytes of a stored block
	storedAround = 5
	zlibHead     = "\x78\x01"
)

// pngRow is the bytes of a row: its filter and its pixels.
func pngRow(width int) int { return 1 + 3*width }

// lastRows is how many rows differ from picture to picture: enough to be seen
// when a server makes the picture small, and to fit into one block.
func lastRows(width, height int) int {
	return min(max(1, height/64), storedMost/pngRow(width))
}

// pngBytes is the size of the file.
func pngBytes(width, height int) int {
	row, last := pngRow(width), lastRows(width, height)
	body := row * (height - last)
	blocks := (body + storedMost - 1) / storedMost
	const header = 13
	return len(pngSignature) + 4*chunkAround + header + len(zlibHead) + storedAround*(blocks+1) + row*height + adler32.Size
}

// newBase makes all of a picture but its last rows.
func newBase(width, height int, r *rand.Rand) *pngBase {
	rows := height - lastRows(width, height)
	body := noiseRows(width, rows, r)
	sum := adler32.New()
	sum.Write(body)
	file := make([]byte, 0, pngBytes(width, height))
	file = append(file, pngSignature...)
	file = chunk(file, "IHDR", func(b []byte) []byte {
		b = binary.BigEndian.AppendUint32(b, uint32(width))
		b = binary.BigEndian.AppendUint32(b, uint32(height))
		return append(b, 8, 2, 0, 0, 0) // bits, colours, and the only ways of the standard
	})
	file = chunk(file, "IDAT", func(b []byte) []byte {
		b = append(b, zlibHead...)
		for block := range slices.Chunk(body, storedMost) {
			b = stored(b, block, false)
		}
		return b
	})
	whole := len(file) / 3 * 3
	return &pngBase{
		coded: base64.StdEncoding.AppendEncode(nil, file[:whole]),
		rest:  slices.Clone(file[whole:]),
		sum:   stateOf(sum),
	}
}

// medium makes a picture.
func (m *pngMaker) medium(width, height int, r *rand.Rand) Medium {
	base := m.base
	if width != m.width || height != m.height {
		base = newBase(width, height, r)
	}
	sum := adler32.New()
	if err := sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(base.sum); err != nil {
		panic("internal error: the state of a checksum: " + err.Error())
	}
	last := noiseRows(width, lastRows(width, height), r)
	sum.Write(last)
	end := make([]byte, 0, len(base.rest)+len(last)+64)
	end = append(end, base.rest...)
	end = chunk(end, "IDAT", func(b []byte) []byte { return sum.Sum(stored(b, last, true)) })
	end = chunk(end, "IEND", func(b []byte) []byte { return b })
	data := make([]byte, 0, base64.StdEncoding.EncodedLen(pngBytes(width, height)))
	data = base64.StdEncoding.AppendEncode(append(data, base.coded...), end)
	return Medium{Kind: Image, Format: PNG, Data: data, Bytes: pngBytes(width, height)}
}

// noiseRows are rows of pixels of any colour.
func noiseRows(width, rows int, r *rand.Rand) []byte {
	row := pngRow(width)
	b := noise(rows*row, r)
	for i := range rows {
		b[i*row] = 0 // no filter
	}
	return b
}

// noise is so many random bytes.
func noise(n int, r *rand.Rand) []byte {
	b := make([]byte, (n+7)/8*8)
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], r.Uint64())
	}
	return b[:n]
}

// chunk appends a part of a PNG.
func chunk(file []byte, name string, data func([]byte) []byte) []byte {
	at := len(file)
	file = append(file, 0, 0, 0, 0)
	file = data(append(file, name...))
	binary.BigEndian.PutUint32(file[at:], uint32(len(file)-at-8))
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[at+4:]))
}

// stored appends a block of deflate that is not compressed.
func stored(b, data []byte, last bool) []byte {
	final := byte(0)
	if last {
		final = 1
	}
	n := uint16(len(data))
	b = append(b, final)
	b = binary.LittleEndian.AppendUint16(b, n)
	b = binary.LittleEndian.AppendUint16(b, ^n)
	return append(b, data...)
}

func stateOf(h hash.Hash32) []byte {
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic("internal error: the state of a checksum: " + err.Error())
	}
	return state
}
