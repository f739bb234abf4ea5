// This file tests that a window keeps bytes and their offsets while it moves
// and grows.

package wire

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestAWindowKeepsBytesAndOffsetsWhileItMovesAndGrows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{10, 700, 5000, 60_000} {
		var w Window
		var held []byte // the model: what must be there
		end := uint64(0)
		for range 300 {
			free := w.Buffer()
			if len(free) == 0 {
				t.Fatal("Buffer() is empty")
			}
			n := rng.IntN(len(free)) + 1
			for i := range n {
				free[i] = byte(rng.Uint32())
			}
			held = append(held, free[:n]...)
			end += 5 + uint64(n) // framing lies between the pieces
			w.Advance(Piece{N: n, End: end})
			if !bytes.Equal(w.Held(), held) {
				t.Fatal("the bytes held are not those read")
			}
			if got := w.OffsetOf(len(held)); got != end {
				t.Fatalf("OffsetOf(end) = %d, want %d", got, end)
			}
			if got := w.OffsetOf(len(held) - n + 1); got != end-uint64(n)+1 {
				t.Fatalf("OffsetOf(first byte of the piece) = %d, want %d", got, end-uint64(n)+1)
			}
			drop := len(held)
			if len(held) < most && rng.IntN(3) > 0 {
				drop = rng.IntN(len(held) + 1)
			}
			w.Consume(drop)
			held = held[drop:]
		}
	}
}

func TestAWindowThatGrewIsNotKept(t *testing.T) {
	var w Window
	for range 6 {
		n := len(w.Buffer())
		w.Advance(Piece{N: n, End: w.end + uint64(n)})
	}
	w.Reset()
	if got := len(w.Buffer()); got > 32<<10 {
		t.Errorf("after Reset the buffer has %d bytes", got)
	}
	if len(w.Held()) != 0 {
		t.Errorf("after Reset %d bytes are held", len(w.Held()))
	}
}
