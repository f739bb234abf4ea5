// What a server's prefix cache can do for a run: computed from the parts that
// prompts share, and never from their texts.

package workload

// Natural is the value of Spec.Cache that lets a server know the prompts from
// an earlier run; Salted, the default, draws words of its own for each.
const (
	Natural = "natural"
	Salted  = "salted"
)

// CacheBlock is how many tokens vLLM keeps or finds together; others keep
// single tokens, or more.
const CacheBlock = 16

// A Cache is a prefix cache without limit: whatever was sent to it once is
// found again, from the instant at which it was sent. Its zero value is empty.
type Cache struct {
	seen chains // from the beginning of a prompt
}

// A Hit is what a cache knows of a prompt.
type Hit struct {
	Tokens int  // of its beginning
	Whole  bool // it, or one that begins with it, was sent before
}

// Send is one more prompt of so many tokens, which begins with the spans.
func (c *Cache) Send(spans []Span, length int) Hit {
	hit, total, chain, known := 0, 0, uint64(0), true
	for _, s := range spans {
		chain = extend(chain, s.ID)
		total += s.Tokens
		if known = !c.seen.add(chain) && known; known {
			hit = total
		}
	}
	return Hit{Tokens: min(hit, length), Whole: hit > 0 && hit >= length}
}

// Found is how many tokens of a prompt a server finds, when its cache knows the
// beginning: the last token is always computed, for its answer is the first.
func Found(known, length int) int { return max(0, min(known, length-1)) }

// FoundInBlocks is Found where tokens are kept in blocks.
func FoundInBlocks(known, length int) int { return Found(known, length) / CacheBlock * CacheBlock }

// extend is the name of a chain with one more span: a hash, so that a chain
// costs the same however long it is. Of a million chains two share a name with
// a chance of 3e-8.
func extend(chain, id uint64) uint64 {
	z := chain*0x9e3779b97f4a7c15 + id + 0x632be59bd9b4e019
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
