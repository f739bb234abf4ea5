// Package seed deals independent random streams out of one master seed. A
// stream is named by what it is for and numbered by what it is about, so a
// draw depends on (master, name, n) and never on how many draws came before,
// in which process, or in which order.
//
// It refuses to share a generator and to fall back on a random seed. It
// promises that a stream never changes: the golden values of its test are
// part of the format of a contract, for the plan of an old contract must
// still be its plan. It is no source of secrets.
package seed

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// A Key is a named family of streams. It exists because the name costs a hash
// and a plan asks the same name for millions of n.
type Key struct{ hi, lo uint64 }

// Named returns the family of streams that master deals to name.
func Named(master uint64, name string) Key {
	var m [8]byte
	binary.LittleEndian.PutUint64(m[:], master)
	sum := sha256.Sum256(append(m[:], name...))
	return Key{
		hi: binary.LittleEndian.Uint64(sum[0:8]),
		lo: binary.LittleEndian.Uint64(sum[8:16]),
	}
}

// Rand returns stream n of the family, at its beginning. Streams of one family
// start from states that differ for every n, since n reaches the high half of
// the state through a bijection.
func (k Key) Rand(n uint64) *rand.Rand {
	const golden = 0x9e3779b97f4a7c15
	return rand.New(rand.NewPCG(mix(k.hi+golden*n), mix(k.lo^mix(n+golden))))
}

// Rand returns stream n of name, as Named(master, name).Rand(n).
func Rand(master uint64, name string, n uint64) *rand.Rand {
	return Named(master, name).Rand(n)
}

// mix is the finalizer of SplitMix64 (variant 13 of Stafford): a bijection in
// which every bit of z reaches every bit of the result. Neighbouring n would
// otherwise start neighbouring generators.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
