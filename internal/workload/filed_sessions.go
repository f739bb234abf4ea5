// Sessions that stand in a file.

package workload

import (
	"strconv"

	"assay/internal/record"
)

// HasSessions tells whether requests belong to sessions: the spec says so, or
// some unit of its file has more than one entry.
func (s *Source) HasSessions() bool {
	if s.filed != nil {
		return s.filed.Entries > s.filed.Units || s.filed.Places != nil
	}
	return s.spec.Sessions != nil || len(s.spec.Agent) > 0
}

// session is the file's unit that session n takes. Where units are taken again
// each time is a session of its own.
func (s *Source) session(n uint64) (Session, []Entry, error) {
	entries, err := s.filed.Unit(s.unit(n))
	if err != nil {
		return Session{}, nil, err
	}
	x := Session{ID: strconv.FormatUint(n, 10), Turns: make([]Turn, len(entries))}
	if name := entries[0].Session; name != "" {
		x.ID = name
		if s.filed.sampled || n >= uint64(s.filed.Units) {
			x.ID += "#" + strconv.FormatUint(n, 10)
		}
		x.ID = record.Message(x.ID)
	}
	for i, e := range entries {
		t := &x.Turns[i]
		t.Messages, t.Alone, t.Recorded, t.Extra, t.Raw = e.Messages, e.Alone, e.Recorded, e.Extra, e.Raw
		if e.Messages == nil && e.Text != "" {
			t.Messages = []Message{{Role: "user", Content: e.Text}}
		}
		if i > 0 {
			t.Think = e.Think
		}
		t.Input, t.Output = s.entryLengths(record.SeqOf(n, i), e)
	}
	if s.filed.Places != nil {
		place(x.Turns, s.filed.Places(s.unit(n)))
	}
	return x, entries, nil
}

// place says of turns what they follow. Their names are their places.
func place(turns []Turn, places []Place) {
	for i, p := range places {
		t := &turns[i]
		t.Name = strconv.Itoa(i)
		for _, w := range p.Waits {
			t.After = append(t.After, strconv.Itoa(w))
		}
		if t.Alone = t.Alone || p.History < 0; !t.Alone {
			t.History = strconv.Itoa(p.History)
		}
	}
}
