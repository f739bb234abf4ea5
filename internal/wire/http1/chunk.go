// This file decodes the chunked transfer coding as a state machine over
// whatever bytes are there: it never needs one more to hand over those before.

package http1

import "errors"

// A chunkState is what the next byte belongs to.
type chunkState uint8

const (
	inSize        chunkState = iota // hexadecimal digits
	inSpace                         // white space behind them
	inExtension                     // behind a semicolon
	inSizeEnd                       // LF of the size line
	inData                          // left bytes of the chunk
	inDataCR                        // CR behind them
	inDataLF                        // LF behind them
	inTrailer                       // at the start of a trailer line, or of the blank one
	inTrailerEnd                    // LF of the blank line
	inTrailerLine                   // anywhere else in a trailer line
	inEnd                           // behind the last byte of the body
)

const (
	maxChunkLine = 4 << 10
	maxTrailer   = 64 << 10
)

// A chunker is the decoder's state. Its zero value is at the start of a body.
type chunker struct {
	state  chunkState
	left   uint64 // data bytes of this chunk still to come
	digits int
	line   int // bytes of this size line, or of all trailers
}

// frame reads framing from b up to data, to the body's end or to b's end, and
// returns how many bytes it took.
func (c *chunker) frame(b []byte) (int, error) {
	for i, ch := range b {
		if c.state == inData || c.state == inEnd {
			return i, nil
		}
		if err := c.step(ch); err != nil {
			return i, err
		}
	}
	return len(b), nil
}

// took says that n bytes of data were taken.
func (c *chunker) took(n int) {
	if c.left -= uint64(n); c.left == 0 {
		c.state = inDataCR
	}
}

func (c *chunker) step(ch byte) error {
	switch c.state {
	case inDataCR:
		return c.expect(ch, '\r', inDataLF)
	case inDataLF:
		c.left, c.digits, c.line = 0, 0, 0
		return c.expect(ch, '\n', inSize)
	case inTrailer, inTrailerEnd, inTrailerLine:
		return c.trailer(ch)
	}
	if c.line++; c.line > maxChunkLine {
		return errors.New("a chunk's size line is too long")
	}
	if c.state == inSizeEnd {
		next := inData
		if c.left == 0 {
			next, c.line = inTrailer, 0
		}
		return c.expect(ch, '\n', next)
	}
	return c.sizeLine(ch)
}

func (c *chunker) sizeLine(ch byte) error {
	switch {
	case ch == '\n':
		return errors.New("a chunk's size line ends without CR")
	case ch == '\r':
		if c.digits == 0 {
			return errors.New("a chunk has no size")
		}
		c.state = inSizeEnd
	case c.state == inExtension:
	case ch == ' ' || ch == '\t':
		c.state = inSpace
	case ch == ';' && c.state == inSize:
		c.state = inExtension
	case c.state == inSpace:
		return errors.New("a chunk's size has something behind it")
	default:
		return c.digit(ch)
	}
	return nil
}

func (c *chunker) digit(ch byte) error {
	var v byte
	switch {
	case ch >= '0' && ch <= '9':
		v = ch - '0'
	case ch >= 'a' && ch <= 'f':
		v = ch - 'a' + 10
	case ch >= 'A' && ch <= 'F':
		v = ch - 'A' + 10
	default:
		return errors.New("a chunk's size is not hexadecimal")
	}
	if c.digits++; c.digits > 16 {
		return errors.New("a chunk's size has more than 16 digits")
	}
	c.left = c.left<<4 | uint64(v)
	return nil
}

func (c *chunker) trailer(ch byte) error {
	if c.line++; c.line > maxTrailer {
		return errors.New("the trailers are too long")
	}
	switch {
	case c.state == inTrailer && ch == '\r':
		c.state = inTrailerEnd
	case ch == '\n' && c.state == inTrailerLine:
		c.state = inTrailer
	case ch == '\n':
		c.state = inEnd
	default:
		c.state = inTrailerLine
	}
	return nil
}

func (c *chunker) expect(ch, want byte, next chunkState) error {
	if ch != want {
		return errors.New("a chunk does not end where its size says")
	}
	c.state = next
	return nil
}
