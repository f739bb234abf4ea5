package dialecttest

// What a network does to a stream: it cuts it into other reads than events, and
// it ends it early. Here the dialect is tried together with a transport's own
// splitter, which the caller brings.

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/record"
)

// reads: the same stream is the same reply, however it is cut into reads.
func reads(t *testing.T, d dialect.Dialect, s Samples, split Split) {
	events := split(d.Framing, s.Raw)
	want, wantReply := Decode(d, events)
	same := func(how string, reads ...[]byte) {
		deltas, reply := Decode(d, split(d.Framing, reads...))
		if diff := cmp.Diff(want, deltas); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
		if diff := cmp.Diff(wantReply, reply); diff != "" {
			t.Errorf("%s: reply (-want +got):\n%s", how, diff)
		}
	}
	for i := 1; i < len(s.Raw) && !t.Failed(); i++ {
		same("cut in two", s.Raw[:i], s.Raw[i:]) // events and characters too
	}
	var bytewise [][]byte
	for i := range s.Raw {
		bytewise = append(bytewise, s.Raw[i:i+1])
	}
	same("byte by byte", bytewise...)
	same("lines end in CR LF", bytes.ReplaceAll(bytes.ReplaceAll(s.Raw, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
	if d.Framing == dialect.SSE {
		same("comments between", bytes.ReplaceAll(s.Raw, []byte("\n\n"), []byte("\n\n: keep-alive\n\n")))
	}
}

// truncated: a stream that ends early is never taken for a whole one, and what
// came before the cut is what it was.
func truncated(t *testing.T, d dialect.Dialect, s Samples, split Split) {
	want, _ := Decode(d, split(d.Framing, s.Raw))
	last := 0 // content-bearing event
	for i, delta := range want {
		if delta.Kind.Content() {
			last = i
		}
	}
	for i := range s.Raw {
		deltas, reply := Decode(d, split(d.Framing, s.Raw[:i]))
		for k, got := range deltas {
			if k == len(deltas)-1 && (got.ErrorKind != "" || got.Kind == record.Other) {
				continue // the event that was cut
			}
			if diff := cmp.Diff(want[k], got); diff != "" {
				t.Fatalf("cut at byte %d, event %d (-want +got):\n%s", i, k, diff)
			}
		}
		if reply.Finished && len(deltas) <= last {
			t.Fatalf("cut at byte %d, before the last text, the reply counts as finished: %q", i, Kinds(deltas))
		}
	}
}
