package sim

// A pool is the KV cache: blocks that sequences hold, share and give back. A
// free block keeps what it held until it is handed out again, the one that has
// been free for longest first: that is the prefix cache and its eviction.
type pool struct {
	size   int // tokens a block
	blocks []block
	oldest int32 // ends of the list of free blocks
	newest int32
	free   int
	cached map[uint64]int32 // by hash, held or free
	evicts uint64
}

// A block is free when nobody holds it.
type block struct {
	holders        int32
	hashed         bool
	hash           uint64
	older, younger int32 // in the list of free blocks
}

const none int32 = -1

func newPool(blocks, size int) *pool {
	p := &pool{size: size, blocks: make([]block, blocks), oldest: none, newest: none, cached: map[uint64]int32{}}
	for i := range p.blocks {
		p.putBack(int32(i))
	}
	return p
}

// need is how many blocks hold so many tokens.
func (p *pool) need(tokens int) int { return (tokens + p.size - 1) / p.size }

// used is how many blocks somebody holds.
func (p *pool) used() int { return len(p.blocks) - p.free }

// grow extends held so that it can take tokens, or changes nothing and reports
// false when there are too few free blocks.
func (p *pool) grow(held []int32, tokens int) ([]int32, bool) {
	missing := p.need(tokens) - len(held)
	if missing > p.free {
		return held, false
	}
	for range missing {
		id := p.oldest
		p.unlink(id)
		b := &p.blocks[id]
		if b.hashed {
			delete(p.cached, b.hash)
			b.hashed = false
			p.evicts++
		}
		b.holders = 1
		held = append(held, id)
	}
	return held, true
}

// find returns the cached blocks with these hashes, as many as follow each
// other from the first on. It takes none of them.
func (p *pool) find(hashes []uint64) (found []int32, free int) {
	for _, h := range hashes {
		id, ok := p.cached[h]
		if !ok {
			break
		}
		if p.blocks[id].holders == 0 {
			free++
		}
		found = append(found, id)
	}
	return found, free
}

// share adds a holder to blocks that were found.
func (p *pool) share(found []int32) {
	for _, id := range found {
		if p.blocks[id].holders == 0 {
			p.unlink(id)
		}
		p.blocks[id].holders++
	}
}

// remember makes a block findable, unless another has the same contents.
func (p *pool) remember(id int32, hash uint64) {
	if _, there := p.cached[hash]; there || p.blocks[id].hashed {
		return
	}
	p.blocks[id].hashed, p.blocks[id].hash = true, hash
	p.cached[hash] = id
}

// release gives blocks back, the last one first, so that the beginning of a
// prompt, which others may share, stays longest.
func (p *pool) release(held []int32) {
	for i := len(held) - 1; i >= 0; i-- {
		if b := &p.blocks[held[i]]; b.holders > 1 {
			b.holders--
			continue
		}
		p.putBack(held[i])
	}
}

func (p *pool) putBack(id int32) {
	b := &p.blocks[id]
	b.holders, b.older, b.younger = 0, p.newest, none
	if p.newest != none {
		p.blocks[p.newest].younger = id
	} else {
		p.oldest = id
	}
	p.newest = id
	p.free++
}

func (p *pool) unlink(id int32) {
	b := &p.blocks[id]
	if b.older != none {
		p.blocks[b.older].younger = b.younger
	} else {
		p.oldest = b.younger
	}
	if b.younger != none {
		p.blocks[b.younger].older = b.older
	} else {
		p.newest = b.older
	}
	p.free--
}
