// Recordings as WAV: noise of 16 bits, one channel.

package workload

import (
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"

	"assay/internal/seed"
)

// A wavMaker cuts recordings from noise that was encoded before the start. Each
// begins with samples of its own and goes on at a place of its own.
type wavMaker struct {
	rate  int
	noise []byte // the noise, again and again
	coded []byte // the same in base64
}

const (
	wavHead   = 44
	wavSample = 2                 // bytes
	wavOwn    = 64                // bytes that each recording begins with: with the head whole groups of three
	wavStep   = 6                 // bytes from which on the noise may be entered: whole samples, whole groups of three
	wavNoise  = 1 << 16 * wavStep // bytes
	wavQuiet  = 3                 // by how many bits it is below the loudest
)

func newWAV(rate int) *wavMaker {
	m := &wavMaker{rate: rate, noise: quiet(noise(wavNoise, seed.Rand(1, "workload/wav", 0)))}
	m.coded = base64.StdEncoding.AppendEncode(nil, m.noise)
	return m
}

// quiet takes samples down, as nobody shouts all the time.
func quiet(b []byte) []byte {
	for i := 0; i+1 < len(b); i += wavSample {
		v := int16(binary.LittleEndian.Uint16(b[i:]))
		binary.LittleEndian.PutUint16(b[i:], uint16(v>>wavQuiet))
	}
	return b
}

// samples is how many a recording of so many ns has.
func (m *wavMaker) samples(ns int64) int { return int(ns * int64(m.rate) / 1e9) }

// length is how many ns so many samples take.
func (m *wavMaker) length(samples int) int64 { return int64(samples) * 1e9 / int64(m.rate) }

// wavBytes is the size of the file.
func wavBytes(samples int) int { return wavHead + wavSample*samples }

// medium makes a recording.
func (m *wavMaker) medium(ns int64, r *rand.Rand) Medium {
	samples := m.samples(ns)
	size := wavBytes(samples)
	head := m.head(samples)
	own := quiet(noise(wavOwn, r))
	data := make([]byte, 0, base64.StdEncoding.EncodedLen(size))
	data = base64.StdEncoding.AppendEncode(data, append(head, own...))
	left := size - wavHead - wavOwn
	at := r.IntN(wavNoise/wavStep) * wavStep
	for left >= 3 {
		n := min(left, wavNoise-at) / 3 * 3
		data = append(data, m.coded[at/3*4:(at+n)/3*4]...)
		left -= n
		if at += n; at == wavNoise {
			at = 0
		}
	}
	data = base64.StdEncoding.AppendEncode(data, m.noise[at:at+left])
	return Medium{Kind: Recording, Format: WAV, Data: data, Bytes: size, Length: m.length(samples)}
}

// head is that of the file.
func (m *wavMaker) head(samples int) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, wavHead+wavOwn)
	b = append(b, "RIFF"...)
	b = le.AppendUint32(b, uint32(wavBytes(samples)-8))
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16) // bytes of the format
	b = le.AppendUint16(b, 1)  // samples as they are
	b = le.AppendUint16(b, 1)  // channels
	b = le.AppendUint32(b, uint32(m.rate))
	b = le.AppendUint32(b, uint32(m.rate*wavSample))
	b = le.AppendUint16(b, wavSample)
	b = le.AppendUint16(b, 8*wavSample)
	b = append(b, "data"...)
	return le.AppendUint32(b, uint32(wavSample*samples))
}
