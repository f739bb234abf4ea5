package run

import (
	"net/url"
	"testing"

	"assay/internal/contract"
)

// A request is prepared ahead of its time, on the processor that sends.
func BenchmarkPrepareARequestWithMedia(b *testing.B) {
	for _, media := range []string{"", "images: {}", "images: {format: jpeg}", "images: {format: jpeg, width: 1024, height: 1024}", "audio: {length: 10s}"} {
		b.Run(media, func(b *testing.B) {
			c, err := contract.Load("c.yaml", []byte("target: {url: 'http://127.0.0.1:1', model: m}\ntraffic: {rate: 1/s}\nworkload:\n  input_tokens: 550\n  output_tokens: 1\n  "+media+"\n"))
			if err == nil {
				err = c.Resolve()
			}
			if err != nil {
				b.Fatal(err)
			}
			l := chatLine(b, "")
			l.stream, l.ways = &c.Streams[0], []way{{url: &url.URL{Scheme: "http", Host: "one", Path: "/v1/chat/completions"}}}
			l.round = round{0}
			if l.source, err = newSource(l.stream, 1, OSFiles{}, func(string) string { return "" }); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := uint64(0)
			for b.Loop() {
				p, err := l.prepare(n)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(p.Bytes)))
				n++
			}
		})
	}
}
