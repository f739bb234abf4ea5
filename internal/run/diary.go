package run

// What is said while a run goes on is kept beside it, in log.jsonl.

import (
	"sync"
	"time"

	"assay/internal/rundir"
)

// A diary hands events on and keeps their words; what is said before there is
// a folder waits for it.
type diary struct {
	then func(Event)

	mu      sync.Mutex
	dir     *rundir.Dir
	waiting []entry
}

type entry struct {
	at   time.Time
	text string
}

func newDiary(then func(Event)) *diary {
	if then == nil {
		then = func(Event) {}
	}
	return &diary{then: then}
}

func (d *diary) event(e Event) {
	if e.Message != "" {
		d.keep(entry{time.Now(), e.Message})
	}
	d.then(e)
}

// keep writes an entry. A log that can't be written is no reason to end a
// run: the records' own file tells of a full disk.
func (d *diary) keep(e entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dir == nil {
		d.waiting = append(d.waiting, e)
		return
	}
	_ = d.dir.Log(e.at, e.text)
}

// leave ends the keeping in a folder that is closed: what is said from here on
// waits for the next one.
func (d *diary) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dir = nil
}

func (d *diary) keepIn(dir *rundir.Dir) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dir = dir
	for _, e := range d.waiting {
		_ = dir.Log(e.at, e.text)
	}
	d.waiting = nil
}
