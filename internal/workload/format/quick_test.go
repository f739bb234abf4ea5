package format

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// alike wants a line that the quick way takes to be read by both ways alike,
// and tells whether it took it.
func alike(t *testing.T, line string) (taken bool) {
	t.Helper()
	var m mooncake
	taken = same(t, line, &m, &mooncake{}, mooncakeMembers, m.set)
	var b bailian
	taken = same(t, line, &b, &bailian{}, bailianMembers, b.set) || taken
	var s single
	taken = same(t, line, &s, &single{}, singleMembers, s.set) || taken
	var u multiTurn
	return same(t, line, &u, &multiTurn{}, []string{"session_id", "turns"}, u.set) || taken
}

func same(t *testing.T, line string, got, want any, known []string, set func(string, *quick) bool) bool {
	t.Helper()
	if !plainly([]byte(line), known, set) {
		return false
	}
	if err := decode([]byte(line), want, false); err != nil {
		t.Fatalf("%q is taken, and refused otherwise: %v", line, err)
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%q is read otherwise (-want +got):\n%s", line, d)
	}
	return true
}

func TestTheQuickWayReadsLinesAsTheOtherDoes(t *testing.T) {
	for _, line := range []string{
		`{"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 2353]}`,
		` { "timestamp" : 1250.5 , "text_input" : "a\"b\\c\nd\u00e9\ud83d\ude00 é😀" , "delay" : 0.001 } `,
		`{"timestamp":null,"input_length":1,"output_length":null,"hash_ids":[],"extra":{"a":[1,{"b":null}],"c":1.5e3},"session_id":null}`,
		`{"messages": [{"role": "user", "content": "x"}], "tools": [ ], "message_mode": "delta", "unknown": {"deep": [[[true, false, null]]]}}`,
		`{"chat_id": 159, "parent_chat_id": -1, "timestamp": 61.114, "input_length": 40, "output_length": 13, "type": "text", "hash_ids": [1089, 18446744]}`,
		`{"text": "what", "timestamp": 0.3, "role": "user", "session_id": "s", "output_length": 3, "texts": null}`,
		`{"timestamp": 123456789012345, "delay": 12345.6789012}`, `{"timestamp": 0.000000000001, "delay": 0}`, `{}`,
		`{"session_id": "m", "turns": [{"text": "a"}, {"text": "b", "delay": 5}]}`, `{"turns": []}`, `{"turns": null}`,
		"{\"text\": \"\u2028 \x7f\"}",
	} {
		if !alike(t, line) {
			t.Errorf("%s is not taken", line)
		}
	}
	for _, line := range []string{
		`{"text": "a", "text": "b"}`, `{"Text": "a"}`, `{"TIMESTAMP": 1}`, `{"te\u0078t": "a"}`, `{"timestamp": 1e3}`, `{"timestamp": -1}`, `{"input_length": 01}`,
		`{"input_length": 1234567890123456789}`, `{"timestamp": 1234567890123456.5}`, `{"input_length": 1.0}`, `{"input_length": "1"}`, `{"hash_ids": [1,]}`, `{"hash_ids": [-1]}`,
		`{"text": "a"} x`, `{"text": "a"`, `{"text": "a",}`, `{,}`, `{"text" "a"}`, "{\"text\": \"\x01\"}", "{\"text\": \"\xff\"}", `{"text": "\x"}`, `{"text": "\u12"}`,
		`{"hash_ids": {}}`, `{"text": 5}`, `{"timestamp": 1.}`, `{"timestamp": .5}`, `{"a": tru}`, `{"a": [1 2]}`, `[]`, ``, `{"a": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`,
		`{"input_length": }`, `{"turns": [{"text": "a"},]}`, `{"turns": {}}`, `{"input_length": -}`, `{"timestamp": 00}`,
	} {
		alike(t, line)
		var m mooncake
		var s single
		var u multiTurn
		if plainly([]byte(line), mooncakeMembers, m.set) && plainly([]byte(line), singleMembers, s.set) && plainly([]byte(line), []string{"session_id", "turns"}, u.set) {
			t.Errorf("%s is taken, and is for the other way", line)
		}
	}
}

func TestTheQuickWayReadsTheFilesAsTheOtherDoes(t *testing.T) {
	taken := 0
	for _, c := range files {
		data, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if alike(t, line) {
				taken++
			}
		}
	}
	for _, c := range mutated {
		alike(t, c.line)
	}
	if taken < 15 {
		t.Errorf("only %d lines are taken", taken)
	}
}
