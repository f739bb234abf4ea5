// A set of chains, of which a long trace has tens of millions.

package workload

// chains are names that are spread evenly already, so that each is its own
// place to look at. With a map of Go the plan of a million requests of eight
// blocks took a third longer.
type chains struct {
	slots []uint64 // 0: free
	held  int
	zero  bool // the name 0 is in the set
}

const fewestSlots = 64

// add puts a name into the set and tells whether it is new there.
func (s *chains) add(name uint64) bool {
	if name == 0 {
		added := !s.zero
		s.zero = true
		return added
	}
	if 4*s.held >= 3*len(s.slots) {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := name & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case name:
			return false
		case 0:
			s.slots[i] = name
			s.held++
			return true
		}
	}
}

func (s *chains) grow() {
	old := s.slots
	s.slots, s.held = make([]uint64, max(fewestSlots, 2*len(old))), 0
	for _, name := range old {
		if name != 0 {
			s.add(name)
		}
	}
}

// Blocks tell whether a hash block was seen before. The zero value has seen none.
type Blocks struct{ seen chains }

// Add tells whether the block is new.
func (b *Blocks) Add(id uint64) bool { return b.seen.add(extend(0, id)) }
