package format

// A file made ready for a run: gone through once, so that every entry can be
// found again by its number.

import (
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"sync"

	"assay/internal/workload"
)

// A mark is a place from which elements are read again. Marks are so far apart
// that they weigh nothing beside the file, and so near that reading from one
// on costs little.
type mark struct {
	offset int64
	number int // of the element
	entry  int // its first
}

const apart = 4 << 10 // bytes

// An index is what stays in memory of a file.
type index struct {
	*reader
	marks   []mark
	end     int64 // of the last element
	entries int
	tally   Tally
	strict  bool

	sessions sessions
	trees    trees
	clock    timeline

	mu    sync.Mutex
	chunk int // which stretch between two marks is held; -1: none
	held  []workload.Entry
}

// Open goes through a file and makes it ready. With Strict the first line that
// can't be used is an error; so is a file of which none can.
func Open(fsys fs.FS, name string, o Options) (*workload.File, error) {
	x, err := open(fsys, name, o, nil)
	if err != nil {
		return nil, err
	}
	file := &workload.File{
		Name: name, Format: x.kind.name, Why: x.why, Digest: x.text.digest(), Entries: x.requests(),
		Units: x.sessions.units(x.entries), Sessions: x.tally.Sessions, Unusable: x.tally.Unusable,
		Bodies: x.tally.Bodies, Streamed: x.tally.Streamed,
		Examples: x.tally.examples(x.reader), Cumulative: x.tally.cumulative(),
		Media: x.tally.media, Read: func(path string) ([]byte, error) { return fs.ReadFile(fsys, path) },
		Turns: x.sessions.of, Entry: x.entry,
	}
	file.Times, x.sessions.order = x.clock.ordered()
	if x.kind.tree {
		file.Units = len(x.trees.places)
		file.Places = func(u int) []workload.Place { return x.trees.places[u] }
		file.Turns = x.trees.of
	}
	return file, nil
}

// open is Open that shows each element on the way. Where times are not in order,
// those that were let go of are needed after all, and it begins again.
func open(fsys fs.FS, name string, o Options, show func(found)) (*index, error) {
	x, err := once(fsys, name, o, show)
	if err == nil && x.clock.lost {
		o.Reach = 0
		return once(fsys, name, o, nil)
	}
	return x, err
}

func once(fsys fs.FS, name string, o Options, show func(found)) (*index, error) {
	r, err := newReader(fsys, name, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &index{reader: r, chunk: -1, strict: o.Strict, clock: timeline{reach: o.Reach}}
	err = r.all(func(f found) error {
		if show != nil {
			show(f)
		}
		return x.take(f)
	})
	if err == nil && x.kind.tree {
		err = x.trees.settle(x.unusable)
		x.tally.Sessions = len(x.trees.places)
	}
	var first *Unusable
	switch {
	case errors.As(err, &first):
		return nil, errors.New(r.place(first))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case x.requests() == 0 && len(x.tally.first) > 0:
		return nil, fmt.Errorf("no line can be used; the first reason: %s", r.place(&x.tally.first[0]))
	case x.requests() == 0:
		return nil, fmt.Errorf("%s: it holds no request", name)
	}
	x.sessions.close()
	return x, nil
}

// take takes up one element.
func (x *index) take(f found) error {
	if f.wrong != nil {
		return x.unusable(f.number, f.wrong)
	}
	if x.kind.tree {
		if wrong := x.trees.add(f.items, x.entries); wrong != nil {
			if err := x.unusable(f.number, wrong); err != nil {
				return err
			}
		}
	}
	x.note(f)
	for _, i := range f.items {
		x.add(i)
	}
	return nil
}

// unusable counts a line that can't be used. Its error ends the reading.
func (x *index) unusable(line int, reason error) error {
	u := &Unusable{line, reason.Error()}
	x.tally.unusable(u)
	if x.strict {
		return u
	}
	return nil
}

// requests are the entries that belong to a unit; where units are trees, those
// that are sent when each is sent once.
func (x *index) requests() int {
	if x.kind.tree {
		return x.trees.requests()
	}
	return x.entries
}

// note makes a mark where one is due.
func (x *index) note(f found) {
	if n := len(x.marks); n == 0 || f.offset-x.marks[n-1].offset >= apart {
		x.marks = append(x.marks, mark{offset: f.offset, number: f.number, entry: x.entries})
	}
	x.end = f.end
}

// add takes up one entry.
func (x *index) add(i item) {
	first := !x.kind.tree && x.sessions.add(i, x.entries, x.kind.whole, &x.tally)
	x.entries++
	if i.Raw != nil {
		x.tally.Bodies++
		if i.Streamed {
			x.tally.Streamed++
		}
	}
	for _, m := range i.Messages {
		for _, medium := range m.Media {
			x.tally.media[medium.Kind]++
		}
	}
	if first {
		x.clock.add(i.Timed, i.At)
	}
}

// entry reads one entry. The stretch it stands in is kept for the next.
func (x *index) entry(n int) (workload.Entry, error) {
	chunk := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].entry > n }) - 1
	x.mu.Lock()
	defer x.mu.Unlock()
	if chunk != x.chunk {
		held, err := x.stretch(chunk)
		if err != nil {
			return workload.Entry{}, fmt.Errorf("%s: %w", x.text.name, err)
		}
		x.chunk, x.held = chunk, held
	}
	i := n - x.marks[chunk].entry
	if i >= len(x.held) {
		return workload.Entry{}, fmt.Errorf("%s: it was changed after it was read", x.text.name)
	}
	return x.held[i], nil
}

// stretch reads the entries from one mark to the next.
func (x *index) stretch(chunk int) ([]workload.Entry, error) {
	m, end, next := x.marks[chunk], x.end, x.entries
	if chunk+1 < len(x.marks) {
		end, next = x.marks[chunk+1].offset, x.marks[chunk+1].entry
	}
	entries := make([]workload.Entry, 0, next-m.entry)
	err := x.part(m.offset, end, m.number, func(f found) error {
		for _, i := range f.items {
			entries = append(entries, i.Entry)
		}
		return nil
	})
	return entries, err
}
