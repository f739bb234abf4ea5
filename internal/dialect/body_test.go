package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestTextIsWrittenAsTheStandardEncoderWritesIt(t *testing.T) {
	for c := range 0x180 {
		for _, s := range []string{string(rune(c)), "plain " + string(rune(c)) + " text", "", "<&>", "\xff", strings.Repeat("hello ", 100)} {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			if err := e.Encode(s); err != nil {
				t.Fatal(err)
			}
			if got := appendText([]byte("before"), s); string(got)+"\n" != "before"+want.String() {
				t.Errorf("appendText(%q) = %s, want before%s", s, got, want.String())
			}
		}
	}
}

func TestPlainTextIsWrittenWithoutAllocation(t *testing.T) {
	dst, s := make([]byte, 0, 1024), strings.Repeat("hello ", 100)
	if n := testing.AllocsPerRun(100, func() { appendText(dst, s) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
