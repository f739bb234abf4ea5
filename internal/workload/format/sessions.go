package format

// Which entries are turns of one session. Where a file has no sessions nothing
// is kept; where it has, eight bytes an entry.

import (
	"hash/maphash"

	"assay/internal/workload"
)

// sessions groups entries into units: a unit is a session, or an entry that
// belongs to none.
type sessions struct {
	count  uint32
	unitOf []uint32          // of each entry, while they are read; nil as long as each is its own
	byName map[string]uint32 // likewise: the sessions by their names
	latest map[uint32]prefix // likewise: what the last turn of each held
	hashes maphash.Seed
	line   int // of the element that was read last

	start   []uint32 // of each unit in members; nil when each entry is a unit
	members []uint32
	order   []uint32 // of the units by their times; nil where that is the file's
}

// add takes up entry n and tells whether it is the first of its unit. whole
// says that the entries of an element are a session, whatever its name: files
// that were joined repeat their names.
func (s *sessions) add(i item, n int, whole bool, t *Tally) (first bool) {
	unit, later := s.find(i, whole)
	named := whole || i.id != "" || i.Session != ""
	s.line = i.Line
	if !later {
		unit = s.count
		s.count++
		if named {
			t.Sessions++
		}
	} else if s.unitOf == nil {
		s.unitOf = make([]uint32, n, 2*n+1)
		for e := range s.unitOf {
			s.unitOf[e] = uint32(e)
		}
	}
	if s.unitOf != nil {
		s.unitOf = append(s.unitOf, unit)
	}
	if named {
		s.remember(i, unit, whole)
		s.compare(unit, later, whole, i, t)
	}
	return !later
}

// find looks for the session that an entry continues.
func (s *sessions) find(i item, whole bool) (unit uint32, known bool) {
	switch {
	case whole:
		return s.count - 1, s.count > 0 && i.Line == s.line
	case i.parent != "":
		unit, known = s.byName[i.parent]
	case i.id == "" && i.Session != "":
		unit, known = s.byName[i.Session]
	}
	return unit, known
}

func (s *sessions) remember(i item, unit uint32, whole bool) {
	if s.byName == nil {
		s.byName, s.latest, s.hashes = map[string]uint32{}, map[uint32]prefix{}, maphash.MakeSeed()
	}
	switch {
	case whole:
	case i.id != "":
		s.byName[i.id] = unit
	default:
		s.byName[i.Session] = unit
	}
}

// close makes the list of each unit's entries.
func (s *sessions) close() {
	if s.unitOf == nil {
		return
	}
	s.start = make([]uint32, s.count+1)
	for _, u := range s.unitOf {
		s.start[u+1]++
	}
	for u := range s.count {
		s.start[u+1] += s.start[u]
	}
	at := append([]uint32(nil), s.start...)
	s.members = make([]uint32, len(s.unitOf))
	for e, u := range s.unitOf {
		s.members[at[u]] = uint32(e)
		at[u]++
	}
	s.unitOf, s.byName, s.latest = nil, nil, nil
}

func (s *sessions) units(entries int) int {
	if s.start == nil {
		return entries
	}
	return int(s.count)
}

// of lists the entries of a unit, by the order of the units.
func (s *sessions) of(u int) []int {
	if s.order != nil {
		u = int(s.order[u])
	}
	if s.start == nil {
		return []int{u}
	}
	var entries []int
	for _, e := range s.members[s.start[u]:s.start[u+1]] {
		entries = append(entries, int(e))
	}
	return entries
}

// A prefix is enough of an entry to know it again at the beginning of the next.
type prefix struct {
	size int
	sum  uint64
}

// compare notes whether a later turn repeats what the one before it held.
func (s *sessions) compare(unit uint32, later, whole bool, i item, t *Tally) {
	if was := s.latest[unit]; later && was.size > 0 {
		t.later++
		if s.prefixOf(i.Entry, was.size) == was {
			t.repeats++
		}
	}
	if whole && !later {
		clear(s.latest) // the session before it is complete
	}
	s.latest[unit] = s.prefixOf(i.Entry, parts(i.Entry))
}

// parts is how much of an entry a later one that has it as its history repeats:
// messages, or blocks (of these not the last, which may be cut short), or bytes.
func parts(e workload.Entry) int {
	switch {
	case len(e.Blocks) > 0:
		return len(e.Blocks) - 1
	case len(e.Messages) > 0:
		return len(e.Messages)
	}
	return len(e.Text)
}

// prefixOf is the beginning of an entry, of so many parts.
func (s *sessions) prefixOf(e workload.Entry, size int) prefix {
	if size > parts(e) {
		return prefix{}
	}
	var h maphash.Hash
	h.SetSeed(s.hashes)
	switch {
	case len(e.Blocks) > 0:
		for _, b := range e.Blocks[:size] {
			maphash.WriteComparable(&h, b)
		}
	case len(e.Messages) > 0:
		for _, m := range e.Messages[:size] {
			maphash.WriteComparable(&h, [2]string{m.Role, m.Content})
			h.Write(m.Raw)
			for _, x := range m.Media {
				h.Write(x.Data)
				h.WriteString(x.URL)
			}
		}
	default:
		h.WriteString(e.Text[:size])
	}
	return prefix{size, h.Sum64()}
}

// most is the number of entries of the largest unit.
func (s *sessions) most() int {
	most := uint32(1)
	for u := range max(0, len(s.start)-1) {
		most = max(most, s.start[u+1]-s.start[u])
	}
	return int(most)
}
