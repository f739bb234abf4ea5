package simserver

import (
	"strings"
	"testing"
)

func TestEachReplyHasWordsOfItsOwn(t *testing.T) {
	v, err := newVocabulary(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]uint64{}
	for reply := range uint64(10_000) {
		block := string(v.appendTo(nil, reply, 0, 16)) // what a prefix cache keeps together
		if other, ok := seen[block]; ok {
			t.Fatalf("replies %d and %d begin alike: %q", other, reply, block)
		}
		seen[block] = reply
	}
	whole := string(v.appendTo(nil, 7, 0, 20))
	if parts := string(v.appendTo(v.appendTo(nil, 7, 0, 13), 7, 13, 7)); parts != whole {
		t.Errorf("in parts it is %q, whole %q", parts, whole)
	}
	if n := len(strings.Fields(whole)); n != 20 {
		t.Errorf("%d words, want 20", n)
	}
}
