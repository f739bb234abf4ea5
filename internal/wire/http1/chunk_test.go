// This file tests the chunk decoder against net/http's.

package http1

import (
	"bytes"
	"io"
	"net/http/httputil"
	"strings"
	"testing"
)

// decode runs the chunker over b in pieces. It is done where the last chunk's
// size line ends, as net/http's decoder is.
func decode(b []byte, cuts ...int) (data []byte, done bool, err error) {
	var c chunker
	for _, piece := range cutUp(b, cuts...) {
		for len(piece) > 0 {
			if c.state == inData {
				n := int(min(uint64(len(piece)), c.left))
				data = append(data, piece[:n]...)
				c.took(n)
				piece = piece[n:]
				continue
			}
			// One byte at a time, to see the trailers begin.
			n, err := c.frame(piece[:1])
			if err != nil {
				return data, false, err
			}
			if c.state == inTrailer {
				return data, true, nil
			}
			piece = piece[n:]
		}
	}
	return data, false, io.ErrUnexpectedEOF
}

func FuzzChunked(f *testing.F) {
	for _, s := range []string{
		"5\r\nhello\r\n0\r\n\r\n", "a;x=y\r\n0123456789\r\n0\r\n", "1 \r\nx\r\n2\t\r\nyz\r\n00\r\n\r\n", "3\nabc\n0\n\n",
		"ffffffffffffffff\r\nabc", "10000000000000000\r\n", "1\r\r\nx\r\n", ";\r\n", "3\r\nabc\r",
		"1;" + strings.Repeat("e", 4090) + "\r\nx\r\n0\r\n",
	} {
		f.Add([]byte(s), []byte{3})
		f.Add([]byte(s), []byte{255, 1})
	}
	f.Fuzz(func(t *testing.T, b, sizes []byte) {
		cuts := []int{100}
		for _, n := range sizes {
			cuts = append(cuts, int(n))
		}
		want, wantErr := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(b)))
		got, done, err := decode(b, cuts...)
		if wantErr != nil && strings.Contains(wantErr.Error(), "non-data") {
			return
		}
		if (wantErr == nil) != (done && err == nil) {
			t.Fatalf("%q: got done=%v, %v; net/http %v", b, done, err, wantErr)
		}
		// On an error net/http may have dropped or kept what came before it.
		if wantErr == nil && !bytes.Equal(got, want) {
			t.Errorf("%q: got %q, net/http %q", b, got, want)
		}
	})
}
