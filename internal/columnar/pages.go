// Columns read page by page. A file is mostly the lists of events, and those
// are taken as the arrays that the pages hold: a value of the library's for
// each element costs several times as much as decoding it.
package columnar

import (
	"bytes"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

var errShort = errors.New("a column ends before the others")

// A feed gives one column's part of each row.
type feed interface {
	next(s *scanner) error
	close()
}

func newFeed(c *column, chunk parquet.ColumnChunk) feed {
	if c.list {
		return &lists{column: c, pages: chunk.Pages()}
	}
	return &scalars{column: c, pages: chunk.Pages()}
}

// scalars is a column of one value a row.
type scalars struct {
	column   *column
	pages    parquet.Pages
	page     parquet.Page
	values   parquet.ValueReader
	buf      [128]parquet.Value
	from, to int // of buf: values not taken
}

func (c *scalars) next(s *scanner) error {
	for c.from == c.to {
		if err := c.fill(); err != nil {
			return err
		}
	}
	c.from++
	return c.column.take(s, &s.r, c.buf[c.from-1:c.from])
}

func (c *scalars) fill() error {
	if c.values == nil {
		parquet.Release(c.page)
		page, err := c.pages.ReadPage()
		if err != nil {
			c.page = nil
			return short(err)
		}
		c.page, c.values = page, page.Values()
	}
	n, err := c.values.ReadValues(c.buf[:])
	c.from, c.to = 0, n
	if err == io.EOF {
		c.values, err = nil, nil
	}
	return err
}

func (c *scalars) close() {
	parquet.Release(c.page)
	c.pages.Close()
}

// lists is a column of a list a row.
type lists struct {
	column *column
	pages  parquet.Pages
	page   parquet.Page
	data   encoding.Values
	// A level is an element, or a list without any.
	repetition, definition []byte
	level, value           int // the next ones
}

// next hands the next row's elements over: from one page, as a rule.
func (l *lists) next(s *scanner) error {
	l.column.begin(s)
	for first := true; ; first = false {
		if l.level == len(l.repetition) {
			switch err := l.turn(); {
			case errors.Is(err, io.EOF) && !first:
				return nil
			case err != nil:
				return short(err)
			}
		}
		if !first && l.repetition[l.level] == 0 {
			return nil
		}
		end := len(l.repetition)
		if more := bytes.IndexByte(l.repetition[l.level+1:], 0); more >= 0 {
			end = l.level + 1 + more
		}
		n := end - l.level
		if n == 1 {
			n = int(l.definition[l.level]) // 0: the list is empty
		}
		if err := l.column.more(s, l, l.value, l.value+n); err != nil {
			return err
		}
		l.level, l.value = end, l.value+n
		if end < len(l.repetition) {
			return nil
		}
	}
}

// turn goes on to the next page that holds anything.
func (l *lists) turn() error {
	for {
		parquet.Release(l.page)
		page, err := l.pages.ReadPage()
		if err != nil {
			l.page = nil
			return err
		}
		l.page, l.data = page, page.Data()
		l.repetition, l.definition = page.RepetitionLevels(), page.DefinitionLevels()
		l.level, l.value = 0, 0
		if len(l.repetition) > 0 {
			return nil
		}
	}
}

func (l *lists) close() {
	parquet.Release(l.page)
	l.pages.Close()
}

// integers are the values from up to to.
func (l *lists) integers(from, to int) []int64 { return l.data.Int64()[from:to] }

// short says what an early end means: a group says how many rows it has.
func short(err error) error {
	if errors.Is(err, io.EOF) {
		return errShort
	}
	return err
}
