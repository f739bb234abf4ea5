// Pictures as JPEG, put together from blocks that were encoded before the
// start: an encoder would cost as much as all the rest of sending a request.

package workload

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"

	"assay/internal/seed"
)

// A jpegMaker makes JPEG of any size. Between two blocks stands a restart
// marker, behind which nothing is known of the block before, so that any block
// may follow any other.
type jpegMaker struct {
	head   []byte // up to the entropy-coded data
	frame  int    // where the height stands in head
	blocks [jpegBlocks][]byte
}

const (
	jpegSide    = 16 // pixels of a block, with its colours at half the resolution
	jpegBlocks  = 64 // which a picture chooses from
	jpegQuality = 80

	startOfFrame, startOfScan, restartEvery, endOfImage, restart = 0xc0, 0xda, 0xdd, 0xd9, 0xd0
)

// newJPEG encodes blocks until so many of one length are there: the size of a
// picture is known without making it then. Blocks are the same in every run:
// which stand where makes a picture.
func newJPEG() (*jpegMaker, error) {
	const tries = 100 * jpegBlocks
	r := seed.Rand(1, "workload/jpeg", 0)
	byLength := map[int][][]byte{}
	for range tries {
		head, data, err := encodeBlock(r)
		if err != nil {
			return nil, err
		}
		alike := append(byLength[len(data)], data)
		if byLength[len(data)] = alike; len(alike) == jpegBlocks {
			m := &jpegMaker{blocks: [jpegBlocks][]byte(alike)}
			m.head, m.frame, err = jpegHead(head)
			return m, err
		}
	}
	return nil, errors.New("no blocks of one length: the encoder is another one")
}

// encodeBlock is a picture of one block, in two parts: the head, and the data
// without the end mark.
func encodeBlock(r *rand.Rand) (head, data []byte, err error) {
	picture := image.NewRGBA(image.Rect(0, 0, jpegSide, jpegSide))
	base, slope := [3]float64{}, [3]float64{}
	for c := range base {
		base[c], slope[c] = 40+float64(r.IntN(160)), float64(r.IntN(7)-3)
	}
	for y := range jpegSide {
		for x := range jpegSide {
			var v [3]uint8
			grain := 12 * r.NormFloat64()
			for c := range v {
				v[c] = uint8(min(max(base[c]+float64(slope[c]*float64(x+y-jpegSide))+grain, 0), 255))
			}
			picture.SetRGBA(x, y, color.RGBA{v[0], v[1], v[2], 255})
		}
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, nil, err
	}
	b := file.Bytes()
	at := 2 // behind the start mark
	for b[at+1] != startOfScan {
		at += 2 + int(binary.BigEndian.Uint16(b[at+2:]))
	}
	at += 2 + int(binary.BigEndian.Uint16(b[at+2:]))
	return b[:at], b[at : len(b)-2], nil
}

// jpegHead is the head with a restart after every block; frame is where the
// height stands.
func jpegHead(head []byte) (out []byte, frame int, err error) {
	for at := 2; at < len(head); {
		switch head[at+1] {
		case startOfFrame:
			frame = at + 5
		case startOfScan:
			out = append(out, head[:at]...)
			out = append(out, 0xff, restartEvery, 0, 4, 0, 1)
			return append(out, head[at:]...), frame, nil
		}
		at += 2 + int(binary.BigEndian.Uint16(head[at+2:]))
	}
	return nil, 0, errors.New("a JPEG without a scan")
}

func jpegCount(width, height int) int {
	return ((width + jpegSide - 1) / jpegSide) * ((height + jpegSide - 1) / jpegSide)
}

// bytes is the size of the file: each block has a mark of two bytes behind it.
func (m *jpegMaker) bytes(width, height int) int {
	return len(m.head) + jpegCount(width, height)*(len(m.blocks[0])+2)
}

// medium makes a picture.
func (m *jpegMaker) medium(width, height int, r *rand.Rand) Medium {
	size := m.bytes(width, height)
	file := append(make([]byte, 0, size), m.head...)
	binary.BigEndian.PutUint16(file[m.frame:], uint16(height))
	binary.BigEndian.PutUint16(file[m.frame+2:], uint16(width))
	const perDraw = 10 // blocks that 64 random bits choose
	bits, n := uint64(0), jpegCount(width, height)
	for i := range n {
		if i%perDraw == 0 {
			bits = r.Uint64()
		}
		file = append(file, m.blocks[bits%jpegBlocks]...)
		bits /= jpegBlocks
		mark := restart + byte(i%8)
		if i == n-1 {
			mark = endOfImage
		}
		file = append(file, 0xff, mark)
	}
	return Medium{Kind: Image, Format: JPEG, Data: base64.StdEncoding.AppendEncode(nil, file), Bytes: size}
}
