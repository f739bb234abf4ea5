package format

// The elements of a file: the lines of JSONL and CSV, or the elements of a
// JSON array. They are found one after the other, and none but the current one
// is in memory.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A layout is how elements stand in a file.
type layout uint8

const (
	inLines layout = iota
	inArray
	inData // {"data": [ … ]}
)

// longest is the length beyond which a line is a slip: of a file that has no
// lines, such as a film.
const longest = 64 << 20

// An element is one of them. Its bytes are good until the next one.
type element struct {
	number int // from 1
	offset int64
	end    int64
	data   []byte
}

// elements goes through a file. An error ends it.
func elements(b *bufio.Reader, l layout, offset int64, number int) iter.Seq2[element, error] {
	if l == inLines {
		return lines(b, offset, number)
	}
	return values(b, l, offset, number)
}

// lines yields the lines that are not blank.
func lines(b *bufio.Reader, offset int64, number int) iter.Seq2[element, error] {
	return func(yield func(element, error) bool) {
		var long []byte
		for ; ; number++ {
			data, err := b.ReadSlice('\n')
			if err == bufio.ErrBufferFull {
				long = append(long[:0], data...)
				for err == bufio.ErrBufferFull && len(long) <= longest {
					data, err = b.ReadSlice('\n')
					long = append(long, data...)
				}
				if data = long; len(long) > longest {
					err = fmt.Errorf("line %d is longer than %d MiB", number, longest>>20)
				}
			}
			if err != nil && err != io.EOF {
				yield(element{}, err)
				return
			}
			e := element{number: number, offset: offset, end: offset + int64(len(data)), data: bytes.TrimSpace(data)}
			if offset = e.end; len(e.data) > 0 && !yield(e, nil) || err == io.EOF {
				return
			}
		}
	}
}

// values yields the elements of a JSON array. What follows a syntax error
// can't be told apart any more, so one ends it.
func values(b *bufio.Reader, l layout, offset int64, number int) iter.Seq2[element, error] {
	return func(yield func(element, error) bool) {
		r := &bounded{r: b, left: longest}
		d := json.NewDecoder(r)
		err := enter(d, l)
		for ; err == nil && d.More(); number++ {
			var data json.RawMessage
			r.left = longest
			if err = d.Decode(&data); err != nil {
				break
			}
			end := offset + d.InputOffset()
			if !yield(element{number: number, offset: end - int64(len(data)), end: end, data: data}, nil) {
				return
			}
		}
		if err == nil {
			_, err = d.Token() // the end of the array
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it breaks off")
		}
		if err != nil {
			yield(element{}, fmt.Errorf("after element %d: %w", number-1, err))
		}
	}
}

// A bounded reader does not go on for ever in one element.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the next is longer than %d MiB", longest>>20)
	}
	return n, err
}

// enter reads up to the first element.
func enter(d *json.Decoder, l layout) error {
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch {
		case t == json.Delim('['):
			return nil
		case l == inData && t == json.Delim('{'):
		case l == inData && t == "data":
		case l == inData:
			if d.More() { // the value of another member that stands before
				var skipped json.RawMessage
				if err := d.Decode(&skipped); err != nil {
					return err
				}
				continue
			}
			return errors.New("it has no data")
		default:
			return errors.New("it is no array")
		}
	}
}

// again yields the elements of a part that was cut out between two of them.
func again(part []byte, l layout, offset int64, number int) iter.Seq2[element, error] {
	if l == inLines {
		return lines(bufio.NewReaderSize(bytes.NewReader(part), 1<<12), offset, number)
	}
	part = bytes.TrimRight(part, ", \t\r\n")
	whole := io.MultiReader(bytes.NewReader([]byte{'['}), bytes.NewReader(part), bytes.NewReader([]byte{']'}))
	return values(bufio.NewReader(whole), inArray, offset-1, number)
}
