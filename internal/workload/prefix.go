// What prompts have in common at their beginning: a system prompt that all
// share, one of a pool, the context of a user. It is what a server's prefix
// cache lives on.

package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"assay/internal/seed"
)

// A Prefix is how prompts begin, part after part.
type Prefix struct {
	Shared int  `yaml:"shared,omitempty" json:"shared,omitempty"` // tokens that all prompts begin with
	Pool   Pool `yaml:"pool,omitempty" json:"pool,omitzero"`      // then those of one member
	User   Pool `yaml:"user,omitempty" json:"user,omitzero"`      // then those of one user
}

// A Pool is so many texts of so many tokens, of which each prompt takes one.
type Pool struct {
	Count  int        `yaml:"count,omitempty" json:"count,omitempty"`
	Tokens int        `yaml:"tokens,omitempty" json:"tokens,omitempty"`
	Law    Popularity `yaml:"law,omitempty" json:"law,omitzero"`
}

// A Popularity is how often the members of a pool are taken: uniform, zipf
// (the k-th in proportion to 1/k) or zipf(1.2) (to 1/k^1.2).
type Popularity struct {
	Exponent float64 // 0: uniform
}

// UnmarshalText reads one of the forms that the type's comment lists.
func (p *Popularity) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	exponent, ok := 1.0, s == "zipf"
	if s == "uniform" {
		exponent, ok = 0, true
	}
	if inner, isLaw := strings.CutPrefix(s, "zipf("); isLaw {
		inner, closed := strings.CutSuffix(inner, ")")
		x, err := strconv.ParseFloat(strings.TrimSpace(inner), 64)
		exponent, ok = x, closed && err == nil && x > 0 && x <= maxExponent
	}
	if !ok {
		return fmt.Errorf("law %q: want uniform, zipf or zipf(1.2), the exponent above 0 and at most %d", s, maxExponent)
	}
	p.Exponent = exponent
	return nil
}

// MarshalText returns the canonical form, which UnmarshalText reads back.
func (p Popularity) MarshalText() ([]byte, error) {
	switch p.Exponent {
	case 0:
		return []byte("uniform"), nil
	case 1:
		return []byte("zipf"), nil
	}
	return []byte("zipf(" + number(p.Exponent) + ")"), nil
}

// MaxMembers bounds a pool: each member is as many tokens of a server's cache.
const MaxMembers = 10_000_000

// Check says why a pool can't be drawn from; key is the setting at fault.
func (p Pool) Check() (key string, err error) {
	switch {
	case p == Pool{}:
		return "", nil
	case p.Count < 1 || p.Count > MaxMembers:
		return "count", fmt.Errorf("%d is not between 1 and %d", p.Count, MaxMembers)
	case p.Tokens < 1 || p.Tokens > MaxTokens:
		return "tokens", fmt.Errorf("%d is not between 1 and %d", p.Tokens, MaxTokens)
	case !(p.Law.Exponent >= 0 && p.Law.Exponent <= maxExponent):
		return "law", fmt.Errorf("the exponent %v is not between 0 and %d", p.Law.Exponent, maxExponent)
	}
	return "", nil
}

// member draws one of the pool, from 0.
func (p Pool) member(r *rand.Rand) uint64 {
	if p.Law.Exponent == 0 {
		return r.Uint64N(uint64(p.Count))
	}
	return uint64(drawZipf(p.Law.Exponent, float64(p.Count), r)) - 1
}

// IsZero tells whether prompts have nothing in common.
func (p Prefix) IsZero() bool { return p == Prefix{} }

// Tokens is the length of what is before a prompt's own words.
func (p Prefix) Tokens() int { return p.Shared + p.User.Tokens + p.Pool.Tokens }

func (p Prefix) check() error {
	if p.Shared < 0 || p.Shared > MaxTokens {
		return fmt.Errorf("shared: %d is not between 0 and %d", p.Shared, MaxTokens)
	}
	for name, pool := range map[string]Pool{"pool": p.Pool, "user": p.User} {
		if key, err := pool.Check(); err != nil {
			return fmt.Errorf("%s.%s: %w", name, key, err)
		}
	}
	return nil
}

// A Span is a part of a prompt that others may have at the same place. Spans
// of one ID, behind the same spans, are the same words.
type Span struct {
	ID     uint64
	Tokens int
}

// The parts of a prefix, as the high bits of an ID.
const (
	sharedPart = iota + 1
	poolPart
	userPart
	partShift = 56
)

// begins deals the beginnings of prompts.
type begins struct {
	prefix     Prefix
	pool, user seed.Key
	words      seed.Key // of member m of a part: (part, m)
}

func newBegins(p Prefix, master uint64, stream, salt string) begins {
	return begins{
		prefix: p,
		pool:   seed.Named(master, "workload/pool/"+stream),
		user:   seed.Named(master, "workload/user/"+stream),
		words:  seed.Named(master, "workload/prefix/"+stream+"/"+salt),
	}
}

// spans appends the parts that prompt n begins with.
func (b *begins) spans(into []Span, n uint64) []Span {
	if b.prefix.Shared > 0 {
		into = append(into, Span{sharedPart << partShift, b.prefix.Shared})
	}
	if p := b.prefix.Pool; p.Count > 0 {
		into = append(into, Span{poolPart<<partShift | p.member(b.pool.Rand(n)), p.Tokens})
	}
	if p := b.prefix.User; p.Count > 0 {
		into = append(into, Span{userPart<<partShift | p.member(b.user.Rand(n)), p.Tokens})
	}
	return into
}
