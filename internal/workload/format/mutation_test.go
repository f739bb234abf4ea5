package format

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// mutated are lines that go wrong in one way each, with what has to be said.
var mutated = []struct{ format, line, want string }{
	{"mooncake_trace", `{"timestamp": 1, "output_length": 3}`, "want one of input_length, text_input, messages and payload, it has 0 of them"},
	{"mooncake_trace", `{"input_length": 5, "text_input": "x"}`, "it has 2 of them"},
	{"mooncake_trace", `{"input_length": "12"}`, "input_length is a string, want a whole number"},
	{"mooncake_trace", `{"input_length": 12.5}`, "input_length is a number 12.5, want a whole number"},
	{"mooncake_trace", `{"input_length": 1e30}`, "input_length is a number 1e30, want a whole number"},
	{"mooncake_trace", `{"input_length": 99999999}`, "input_length 99999999 is not between 1 and 10000000"},
	{"mooncake_trace", `{"input_length": 0}`, "input_length 0 is not between"},
	{"mooncake_trace", `{"input_length": 5, "output_length": -1}`, "output_length -1 is not between"},
	{"mooncake_trace", `{"input_length": 5, "timestamp": 1e300}`, "timestamp 1e+300 is no time"},
	{"mooncake_trace", `{"input_length": 5, "timestamp": "now"}`, "timestamp is a string, want a number"},
	{"mooncake_trace", `{"input_length": 5, "delay": -1}`, "delay -1 is negative"},
	{"mooncake_trace", `{"input_length": 1024, "hash_ids": [1, 2, 3]}`, "does not reach into the last of its 3 blocks of 512 tokens"},
	{"mooncake_trace", `{"text_input": "x", "hash_ids": [1]}`, "hash_ids want an input_length"},
	{"mooncake_trace", `{"input_length": 5, "hash_ids": [-1]}`, "hash_ids is a number -1, want a whole number"},
	{"mooncake_trace", `{"text_input": ""}`, "text_input is empty"},
	{"mooncake_trace", `{"messages": []}`, "messages is an empty list"},
	{"mooncake_trace", `{"messages": "hi"}`, "messages is no list"},
	{"mooncake_trace", `{"messages": [{"content": "x"}]}`, "message 1 is no object with a role"},
	{"mooncake_trace", `{"messages": [{"role": "user", "content": 4}]}`, "message 1: content is neither a text nor a list of parts"},
	{"mooncake_trace", `{"messages": [{"role": "user", "content": "x"}], "message_mode": "all"}`, `message_mode "all" is neither history nor delta`},
	{"mooncake_trace", `{"payload": [1]}`, "payload: is a JSON array, want an object"},
	{"mooncake_trace", `{"input_length": 5`, "is no JSON: it breaks off"},
	{"mooncake_trace", `{"input_length": 5} {}`, "has something behind the object"},
	{"mooncake_trace", `{"input_length": 5, "input_length": 6}`, "input_length is there twice"},
	{"mooncake_trace", `{"text_input": "a", "x": 1, "x": 2}`, "x is there twice"},
	{"sharegpt", `{"conversations": [{"from": "human", "value": "x"}], "conversations": []}`, "conversations is there twice"},
	{"bailian_trace", `{"chat_id": 1, "chat_id": 2, "timestamp": 1, "input_length": 4, "output_length": 4}`, "chat_id is there twice"},
	{"single_turn", `{"text": "a", "text": "b"}`, "text is there twice"},
	{"multi_turn", `{"turns": [{"text": "a"}], "turns": [{"text": "b"}]}`, "turns is there twice"},
	{"dag_jsonl", `{"session_id": "b", "session_id": "c", "turns": [{"messages": [{"role": "user", "content": "x"}]}]}`, "session_id is there twice"},
	{"openai_batch", `{"custom_id": "a", "body": {"prompt": "x"}, "body": {}}`, "body is there twice"},
	{"inputs_json", `{"payloads": [], "payloads": [{"prompt": "a"}]}`, "payloads is there twice"},
	{"sharegpt", `{"conversations": [{"from": "human", "value": 5}]}`, "conversations.value is a number, want a text"},
	{"sharegpt", `{"conversations": [{"from": "human", "value": "x"`, "is no JSON: it breaks off"},
	{"single_turn", `{"text": 5}`, "text is a number, want a text"},
	{"single_turn", `{"text": "a", "output_length": 1e300}`, "output_length is a number 1e300, want a whole number"},
	{"single_turn", `{"text": "a", "timestamp": 1e300}`, "timestamp 1e+300 is no time"},
	{"multi_turn", `{"turns": {"text": "a"}}`, "turns is a object, want a list"},
	{"multi_turn", `{"turns": [{"text": "a", "output_length": 99999999999}]}`, "turn 1: output_length 99999999999 is not between"},
	{"inputs_json", `{"payloads": "x"}`, "payloads is a string, want a list"},
	{"inputs_json", `{"payloads": [{"max_tokens": 99999999999, "prompt": "x"}]}`, "payload 1: max_tokens 99999999999 is not between"},
	{"raw_payload", `{"prompt": "x", "max_tokens": 1e300}`, "max_tokens is a number 1e300, want a whole number"},
	{"raw_payload", `{"prompt": "x"`, "is no JSON: it breaks off"},
	{"dag_jsonl", `{"session_id": 5, "turns": []}`, "session_id is a number, want a text"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "max_tokens": 99999999999}]}`, "turn 1: max_tokens 99999999999 is not between"},
	{"openai_batch", `{"custom_id": "a", "body": {"prompt": "x", "max_tokens": 99999999999}}`, "max_tokens 99999999999 is not between"},
	{"openai_batch", `{"custom_id": "a", "body": "x"}`, "body: is a JSON string, want an object"},
	{"bailian_trace", `{"chat_id": "one", "timestamp": 1, "input_length": 4, "output_length": 4}`, "chat_id is a string, want a whole number"},
	{"bailian_trace", `{"chat_id": 1, "timestamp": 1, "input_length": 99999999999, "output_length": 4}`, "input_length 99999999999 is not between"},
	{"burst_gpt_trace", "5,,1,m,many,5,10,x", `Request tokens "many" is no whole number`},
	{"burst_gpt_trace", "5,,1,m", "Request tokens is missing"},
	{"burst_gpt_trace", "5,,1,m,99999999999,5,10,x", "Request tokens 99999999999 is not between"},
	{"mooncake_trace", `[1, 2]`, "is a JSON array, want an object"},
	{"mooncake_trace", "{\"text_input\": \"\xff\"}", "is not UTF-8"},
	{"mooncake_trace", "\x00\x01\x02", "is no JSON"},
	{"azure_trace", "2023-11-16 18:15:46,374", "GeneratedTokens is missing"},
	{"azure_trace", "2023-11-16 18:15:46,,3", "ContextTokens is missing"},
	{"azure_trace", "yesterday,374,3", `TIMESTAMP "yesterday" is no time`},
	{"azure_trace", "2023-11-16 18:15:46,many,3", `ContextTokens "many" is no whole number`},
	{"azure_trace", "2023-11-16 18:15:46,374.5,3", `ContextTokens "374.5" is no whole number`},
	{"azure_trace", "2023-11-16 18:15:46,1e300,3", `ContextTokens "1e300" is no whole number`},
	{"azure_trace", "2023-11-16 18:15:46,-374,3", "ContextTokens -374 is not between"},
	{"burst_gpt_trace", "NaN,,1,m,5,5,10,x", `Timestamp "NaN" is no number of seconds`},
	{"burst_gpt_trace", "1e40,,1,m,5,5,10,x", "Timestamp 1e+40 is no time"},
	{"burst_gpt_trace", "5,,1,m,5,0,5,x", "Response tokens 0 is not between"},
	{"bailian_trace", `{"parent_chat_id": -1, "timestamp": 1, "input_length": 4, "output_length": 4}`, "chat_id is missing"},
	{"bailian_trace", `{"chat_id": 1, "input_length": 4, "output_length": 4}`, "timestamp is missing"},
	{"bailian_trace", `{"chat_id": 1, "timestamp": 1, "output_length": 4}`, "input_length is missing"},
	{"bailian_trace", `{"chat_id": 1, "timestamp": 1, "input_length": 4}`, "output_length is missing"},
	{"bailian_trace", `{"chat_id": 1, "timestamp": 1, "input_length": 16, "output_length": 4, "hash_ids": [1, 2]}`, "blocks of 16 tokens"},
	{"sharegpt", `{"id": 1}`, "conversations is missing"},
	{"sharegpt", `{"conversations": [{"from": "human"}]}`, "utterance 1: value is missing"},
	{"sharegpt", `{"conversations": [{"value": "x"}]}`, "utterance 1: from is missing"},
	{"sharegpt", `{"conversations": [{"from": "cat", "value": "x"}]}`, `utterance 1: from "cat" is not known`},
	{"sharegpt", `{"conversations": [{"from": "human", "value": ""}]}`, "utterance 1: the user says nothing"},
	{"sharegpt", `{"conversations": {"from": "human"}}`, "conversations is a object, want a list"},
	{"single_turn", `{}`, "text is missing or empty"},
	{"single_turn", `{"text": "a", "texts": ["b"]}`, "it has both text and texts"},
	{"single_turn", `{"texts": []}`, "texts is empty"},
	{"single_turn", `{"texts": 5}`, "texts is no list of texts"},
	{"single_turn", `{"text": "a", "timestamp": 1, "delay": 1}`, "it has both timestamp and delay"},
	{"single_turn", `{"text": "a", "output_length": 0}`, "output_length 0 is not between"},
	{"single_turn", `{"text": "a", "output_tokens": 3}`, "output_tokens is of a file for workload.prompts"},
	{"multi_turn", `{"session_id": "x"}`, "turns is missing or empty"},
	{"multi_turn", `{"turns": [{"text": "a"}, {"image": "b"}]}`, `turn 2: image: "b" is no address, and there is no such file`},
	{"inputs_json", `{"session_id": "x"}`, "payloads is missing or empty"},
	{"inputs_json", `{"payloads": [{"max_tokens": 0}]}`, "payload 1: max_tokens 0 is not between"},
	{"raw_payload", `{"messages": 5}`, "messages is no list"},
	{"raw_payload", `{"prompt": {"a": 1}}`, "prompt is neither a text nor a list"},
	{"raw_payload", `{"prompt": "x", "stream": "yes"}`, "stream is a string, want true or false"},
	{"dag_jsonl", `{"turns": []}`, "session_id is missing"},
	{"dag_jsonl", `{"session_id": "a", "turns": []}`, "turns is missing or empty"},
	{"dag_jsonl", `{"session_id": "a", "turns": [{}]}`, "turn 1: messages is missing"},
	{"dag_jsonl", `{"session_id": "b", "orchestrator": true}`, "orchestrator: a conversation that sends nothing itself can't be sent"},
	{"dag_jsonl", `{"session_id": "b", "pre_session_spawns": ["a"], "turns": []}`, "pre_session_spawns: a session begins with one request"},
	{"dag_jsonl", `{"session_id": "b", "spawns": ["a"], "turns": [{"messages": [{"role": "user", "content": "x"}]}]}`, "spawns of a conversation are an orchestrator's"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "forks": "a"}]}`, "forks is a string, want a list"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "forks": [{"kid": "a"}]}]}`, `turn 1: forks: unknown field "kid"`},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "forks": [""]}]}`, "turn 1: forks: child is missing"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "forks": ["c"]}, {"messages": [{"role": "user", "content": "x"}]}]}`, "turn 1: forks: a conversation goes on beside one that it forks only with background"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "spawns": [{"children": [], "join_at": 1}]}]}`, "turn 1: spawns: children is missing or empty"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "spawns": [{"children": ["c"], "join_at": 1}]}]}`, "join_at 1 is no turn behind this one"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "spawns": [{"children": ["c"], "join_at": 0}]}, {"messages": [{"role": "user", "content": "x"}]}]}`, "join_at 0 is no turn behind this one"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}]}, {"messages": [{"role": "system", "content": "x"}]}]}`, "turn 2: words of the system belong before the first turn"},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "spawns": ["c"]}]}`, `session "b" begins "c", which is on no line that can be used`},
	{"dag_jsonl", `{"session_id": "b", "turns": [{"messages": [{"role": "user", "content": "x"}], "spawns": ["b"]}]}`, `session "b" begins itself, by way of others or at once`},
	{"openai_batch", `{"custom_id": "a"}`, "body is missing"},
	{"openai_batch", `{"custom_id": "a", "body": {}}`, "body has neither messages nor a prompt"},
	{"openai_batch", `{"custom_id": "a", "body": {"prompt": [1, 2]}}`, "prompt is no text"},
}

// sound is a line of each format that can be used.
var sound = map[string]string{
	"mooncake_trace": `{"input_length": 5}`, "azure_trace": "2023-11-16 18:15:46,1,1", "burst_gpt_trace": "5,,1,m,5,5,10,x",
	"bailian_trace": `{"chat_id": 1, "timestamp": 1, "input_length": 4, "output_length": 4}`, "sharegpt": `{"conversations": [{"from": "human", "value": "x"}]}`,
	"single_turn": `{"text": "a"}`, "multi_turn": `{"turns": [{"text": "a"}]}`, "inputs_json": `{"payloads": [{"prompt": "a"}]}`,
	"raw_payload": `{"prompt": "a"}`, "dag_jsonl": `{"session_id": "a", "turns": [{"messages": [{"role": "user", "content": "x"}]}]}`,
	"openai_batch": `{"custom_id": "a", "body": {"prompt": "x"}}`,
}

var headers = map[string]string{
	"azure_trace": "TIMESTAMP,ContextTokens,GeneratedTokens\n", "burst_gpt_trace": "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n",
}

func holding(content string) fs.FS {
	return fstest.MapFS{"f": &fstest.MapFile{Data: []byte(content)}}
}

func TestALineThatCannotBeUsedIsLeftOutAndSaysWhy(t *testing.T) {
	for _, c := range mutated {
		t.Run(c.format+"/"+c.want, func(t *testing.T) {
			other := strings.Replace(sound[c.format], `"session_id": "a"`, `"session_id": "z"`, 1)
			content := headers[c.format] + sound[c.format] + "\n" + c.line + "\n" + other + "\n"
			bad := 2 + strings.Count(headers[c.format], "\n")
			f, err := Open(holding(content), "f", Options{Format: c.format})
			if err != nil {
				t.Fatal(err)
			}
			if f.Entries != 2 || f.Unusable != 1 || len(f.Examples) != 1 {
				t.Fatalf("%d entries, %d unusable, %d told, want 2, 1, 1", f.Entries, f.Unusable, len(f.Examples))
			}
			if got := f.Examples[0]; !strings.HasPrefix(got, fmt.Sprintf("f:%d: ", bad)) || !strings.Contains(got, c.want) {
				t.Errorf("said %q, want line %d and %q", got, bad, c.want)
			}
			_, err = Open(holding(content), "f", Options{Format: c.format, Strict: true})
			if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("f:%d: ", bad)) {
				t.Errorf("strictly: %v, want an error at line %d", err, bad)
			}
		})
	}
}

// disguises are ways to store the same content.
var disguises = map[string]func([]byte) []byte{
	"CRLF": func(b []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r"), nil), []byte("\n"), []byte("\r\n"))
	},
	"a mark before": func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
	"gzip":          packed,
	"gzip of a mark and CRLF": func(b []byte) []byte {
		return packed(append([]byte("\ufeff"), bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r"), nil), []byte("\n"), []byte("\r\n"))...))
	},
	"no end of the last line": func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") },
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func TestHowAFileIsStoredChangesNothing(t *testing.T) {
	for _, c := range files {
		plain, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		for name, disguise := range disguises {
			f, err := Open(holding(string(disguise(plain))), "f", Options{Format: c.said})
			if err != nil {
				t.Errorf("%s with %s: %v", c.file, name, err)
				continue
			}
			if want := fmt.Sprintf("sha256:%x", sha256.Sum256(disguise(plain))); f.Digest != want {
				t.Errorf("%s with %s: digest %s, want %s", c.file, name, f.Digest, want)
			}
			if f.Entries != len(c.want) || f.Unusable != len(c.unusable) {
				t.Errorf("%s with %s: %d entries and %d unusable lines, want %d and %d", c.file, name, f.Entries, f.Unusable, len(c.want), len(c.unusable))
				continue
			}
			for n, want := range c.want {
				got, err := f.Entry(n)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Raw" }, cmp.Ignore())); d != "" {
					t.Errorf("%s with %s: entry %d (-want +got):\n%s", c.file, name, n, d)
				}
			}
		}
	}
}

func TestFilesThatHoldNoRequestsAreRefusedInWords(t *testing.T) {
	cut := packed([]byte(strings.Repeat(`{"input_length": 5}`+"\n", 5000)))
	for name, c := range map[string]struct{ content, format, want string }{
		"empty":                    {"", "", "f: it is empty"},
		"blank":                    {"\n \r\n", "", "f: it is empty"},
		"binary":                   {"\x7fELF\x02\x01\x01\x00\x00\xff\xfe\n\x00", "", "is the header of no format"},
		"binary, said":             {"\x7fELF\x02\x01\x01\x00\x00\xff\xfe\n\x00", "mooncake_trace", "no line can be used; the first reason: f:1: is"},
		"a gzip that breaks off":   {string(cut[:len(cut)/2]), "", "breaks off after"},
		"a gzip with no content":   {string(packed(nil)), "", "f: it is empty"},
		"not really gzip":          {"\x1f\x8b\x00\x00", "", "gzip"},
		"an array that breaks off": {`[{"conversations": [{"from": "human", "value": "x"}]}, {"conv`, "", "f: after element 1: it breaks off"},
		"an array without an end":  {`[{"conversations": [{"from": "human", "value": "x"}]}`, "", "f: after element 1: it breaks off"},
		"a broken array":           {`[{"conversations": [{"from": "human", "value": "x"}]}, }]`, "", "after element 1: invalid character"},
		"an empty array":           {`[]`, "", "it begins with no JSON object"},
		"a line of 65 MiB":         {`{"text": "a"}` + "\n" + `{"text": "` + strings.Repeat("x", 65<<20) + `"}`, "", "f: line 2 is longer than 64 MiB"},
		"an element of 65 MiB":     {`[{"conversations": [{"from": "human", "value": "x"}]}, {"conversations": [{"from": "human", "value": "` + strings.Repeat("x", 65<<20) + `"}]}]`, "", "f: after element 1: the next is longer than 64 MiB"},
		"unknown members":          {`{"colour": "red", "shape": 1}`, "", "an object with colour, shape is of no format that is known"},
		"an unknown header":        {"a,b\n1,2\n", "", `is the header of no format that is known: "a,b"`},
		"the wrong header":         {"a,b\n1,2\n", "azure_trace", "the header of azure_trace is missing"},
		"an unknown format":        {"{}", "parquet", `unknown format "parquet": known are azure_trace`},
		"only unusable lines":      {`{"input_length": 0}`, "", "no line can be used; the first reason: f:1: input_length 0"},
	} {
		_, err := Open(holding(c.content), "f", Options{Format: c.format})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := Open(holding(""), "g", Options{}); err == nil {
		t.Error("a file that is not there is read")
	}
	if _, err := Open(os.DirFS("."), "testdata", Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}
