// A file of requests, whatever its format.

package workload

import (
	"encoding/base64"
	"fmt"
	"slices"
)

// A File is a file of requests made ready: package format makes one. It does
// not change, and its functions may be called from any number of goroutines.
type File struct {
	Name       string
	Format     string
	Digest     string // of its bytes, as they are stored: "sha256:…"
	Why        string // what said that it is of this format
	Entries    int
	Units      int      // what is due at once: a session, or an entry that belongs to none
	Sessions   int      // how many of the units are sessions that the file names
	Unusable   int      // lines that are left out
	Examples   []string // the first of them, with their reasons
	Bodies     int      // entries that are bodies to be sent as they are
	Streamed   int      // of them: those that ask for a reply in pieces
	Media      [2]int   // pictures and recordings of all entries, by Kind
	Cumulative bool     // later turns hold the turns before them
	Times      []int64  // when each unit is due, in order, on the file's own clock, as far as it was asked; nil: the file does not say

	Turns  func(u int) []int          // the entries of a unit, in the order of Times where there are any
	Places func(u int) []Place        // of those entries, where one may begin several; nil: each follows the one before it
	Entry  func(n int) (Entry, error) // reads an entry by its number in the file
	Read   func(path string) ([]byte, error)
}

// inlined are messages whose media are all there: what is in files is read now,
// and not when the entry was, which a plan reads too.
func (f *File) inlined(messages []Message) ([]Message, error) {
	own := false
	for i := range messages {
		for k := range messages[i].Media {
			at := messages[i].Media[k].Path
			if at == "" {
				continue
			}
			data, err := f.Read(at)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			if !own {
				messages, own = slices.Clone(messages), true // the entry is held for others
			}
			messages[i].Media = slices.Clone(messages[i].Media)
			m := &messages[i].Media[k]
			m.Path, m.Bytes = "", len(data)
			m.Data = base64.StdEncoding.AppendEncode(nil, data)
		}
	}
	return messages, nil
}

// A Place is where an entry stands in its unit: after which of those before it.
type Place struct {
	Entry   int
	Waits   []int // places before this one that must have ended; of the first: none
	History int   // the place whose history it goes on with; -1: none
}

// Unit reads the entries of a unit.
func (f *File) Unit(u int) ([]Entry, error) {
	turns := f.Turns(u)
	entries := make([]Entry, len(turns))
	for i, n := range turns {
		e, err := f.Entry(n)
		if err != nil {
			return nil, err
		}
		e.Alone = e.Alone || i > 0 && f.Cumulative
		entries[i] = e
	}
	return entries, nil
}
