package run

import "testing"

// What a worker does for a request before it is due: the text of exactly 550
// tokens, the body's JSON, its hash, the head.
func BenchmarkPrepare550Tokens(b *testing.B) {
	l, _ := exactLine(b, "550")
	l.source = l.source.Around(7)
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		n++
		if p, err := l.prepare(n); err != nil || p.WantInput != 550 {
			b.Fatal(p.WantInput, err)
		}
	}
}
