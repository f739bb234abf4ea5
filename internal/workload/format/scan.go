package format

// A file gone through once, entry by entry.

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"assay/internal/workload"
)

// Options say how a file is read.
type Options struct {
	Format string // "": found by content
	Block  int    // tokens of a hash block; 0: as the format has it
	Strict bool   // a line that can't be used is an error
	Reach  int64  // how far behind the first one times are asked for, ns; 0: all

	once bool // no entry is asked for again
}

// An Unusable is a line that can't be used, or an element of an array.
type Unusable struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func (u *Unusable) Error() string { return fmt.Sprintf("%d: %s", u.Line, u.Reason) }

// A reader is a file whose kind is known.
type reader struct {
	text   *text
	kind   kind
	why    string
	layout layout
	block  int
	row    row
	room   room
}

// newReader looks at the beginning of a file.
func newReader(fsys fs.FS, name string, o Options) (*reader, error) {
	t, err := openText(fsys, name, o.once)
	if err != nil {
		return nil, err
	}
	p, err := look(t)
	if err != nil {
		return nil, err
	}
	r := &reader{text: t, layout: p.layout}
	if o.Format == "" {
		if r.kind, r.why, err = detect(p); err != nil {
			return nil, err
		}
	} else if r.kind, err = find(o.Format); err != nil {
		return nil, err
	} else {
		r.why = "it was said"
	}
	if r.block = r.kind.block; o.Block > 0 {
		r.block = o.Block
	}
	if r.kind.columns != nil {
		if r.row = r.kind.columns(p.header); r.row == nil {
			return nil, fmt.Errorf("the header of %s is missing: %q", r.kind.name, shorten(fmt.Sprint(p.header)))
		}
	}
	return r, nil
}

// A found is one element with its entries, or the reason why it has none.
type found struct {
	element
	items []item
	wrong error
}

// all goes through the whole file. An error ends it.
func (r *reader) all(each func(found) error) error {
	return r.text.all(func(b *bufio.Reader, offset int64) error {
		return r.read(elements(b, r.layout, offset, 1), each)
	})
}

// part goes through some elements again.
func (r *reader) part(from, to int64, number int, each func(found) error) error {
	data, err := r.text.part(from, to)
	if err != nil {
		return err
	}
	return r.read(again(data, r.layout, from, number), each)
}

func (r *reader) read(all iter.Seq2[element, error], each func(found) error) error {
	header := r.row != nil
	for e, err := range all {
		if err != nil {
			return err
		}
		if header && e.number == 1 {
			continue
		}
		f := found{element: e}
		f.items, f.wrong = r.decode(e.data)
		for i := range f.items {
			f.items[i].Line = e.number
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) decode(data []byte) ([]item, error) {
	var items []item
	var err error
	if r.row != nil {
		items, err = r.row(csvFields(string(data)))
	} else {
		items, err = r.kind.object(object{data: data, block: r.block, fsys: r.text.fsys, name: r.text.name, room: &r.room})
	}
	if err != nil {
		return nil, err
	}
	return items, nil
}

// place names an element for people.
func (r *reader) place(u *Unusable) string {
	if r.layout == inLines {
		return fmt.Sprintf("%s:%d: %s", r.text.name, u.Line, u.Reason)
	}
	return fmt.Sprintf("%s: element %d: %s", r.text.name, u.Line, u.Reason)
}

// Entries goes through the entries of a file in the order of the file, one at a
// time. An *Unusable stands for a line that has none, and after it the file
// goes on; any other error ends it.
func Entries(fsys fs.FS, name string, o Options) iter.Seq2[workload.Entry, error] {
	return func(yield func(workload.Entry, error) bool) {
		r, err := newReader(fsys, name, o)
		if err == nil {
			err = r.all(func(f found) error {
				if f.wrong != nil && !yield(workload.Entry{}, &Unusable{f.number, f.wrong.Error()}) {
					return errEnough
				}
				for _, i := range f.items {
					if !yield(i.Entry, nil) {
						return errEnough
					}
				}
				return nil
			})
		}
		if err != nil && err != errEnough {
			yield(workload.Entry{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

var errEnough = errors.New("enough")
