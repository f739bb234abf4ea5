package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"testing"
)

func TestAFrameIsLengthChecksumTypePayload(t *testing.T) {
	got := AppendFrame([]byte("x"), FrameControl, []byte("123456789"))
	want := []byte{'x', 9, 0, 0, 0}
	want = binary.LittleEndian.AppendUint32(want, crc32.Checksum([]byte("\x03123456789"), crc32.MakeTable(crc32.Castagnoli)))
	want = append(want, 3)
	want = append(want, "123456789"...)
	if !bytes.Equal(got, want) {
		t.Errorf("AppendFrame = %x, want %x", got, want)
	}
}

func TestFramesComeBackInOrderAndThenEOF(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789"), 300_000) // beyond one growth step
	var stream []byte
	stream = AppendFrame(stream, FrameRecord, []byte("one"))
	stream = AppendFrame(stream, FrameObservation, nil)
	stream = AppendFrame(stream, FrameControl, big)
	r := bufio.NewReader(bytes.NewReader(stream))
	var buf []byte
	for i, want := range []struct {
		typ     byte
		payload []byte
	}{{FrameRecord, []byte("one")}, {FrameObservation, nil}, {FrameControl, big}} {
		typ, payload, err := ReadFrame(r, buf)
		if err != nil || typ != want.typ || !bytes.Equal(payload, want.payload) {
			t.Fatalf("frame %d: type %d, %d bytes, %v", i, typ, len(payload), err)
		}
		buf = payload
	}
	if _, _, err := ReadFrame(r, buf); err != io.EOF {
		t.Errorf("after the last frame: %v, want io.EOF", err)
	}
}

func TestEveryCutInsideAFrameIsTorn(t *testing.T) {
	stream := AppendFrame(nil, FrameRecord, []byte("payload"))
	for n := 1; n < len(stream); n++ {
		_, _, err := ReadFrame(bufio.NewReader(bytes.NewReader(stream[:n])), nil)
		if !errors.Is(err, ErrTorn) {
			t.Errorf("cut after %d bytes: %v, want ErrTorn", n, err)
		}
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	stream := AppendFrame(nil, FrameRecord, []byte("payload"))
	for i := range len(stream) * 8 {
		bad := bytes.Clone(stream)
		bad[i/8] ^= 1 << (i % 8)
		_, _, err := ReadFrame(bufio.NewReader(bytes.NewReader(bad)), nil)
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTorn) {
			t.Errorf("bit %d flipped: %v", i, err)
		}
	}
}

func TestATailOfZerosIsCorrupt(t *testing.T) {
	// What a file system leaves after a loss of power.
	_, _, err := ReadFrame(bufio.NewReader(bytes.NewReader(make([]byte, 4096))), nil)
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("zeros: %v, want ErrCorrupt", err)
	}
}

func TestAClaimedLengthCostsNoMemory(t *testing.T) {
	head := binary.LittleEndian.AppendUint32(nil, MaxFrame)
	head = append(head, make([]byte, 100)...)
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := ReadFrame(bufio.NewReader(bytes.NewReader(head)), nil); !errors.Is(err, ErrTorn) {
				b.Fatal(err)
			}
		}
	})
	if got := result.AllocedBytesPerOp(); got > 2*growStep {
		t.Errorf("a torn frame that claims %d bytes cost %d", MaxFrame, got)
	}
}
