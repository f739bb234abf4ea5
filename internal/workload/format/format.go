// Package format reads files of requests as other programs write them: traces
// of production, datasets of conversations, recorded bodies. A file is gone
// through once and never loaded: what stays is where its elements stand, and
// of sessions and times their numbers. What an entry says is read again when
// it is asked for. A line that can't be used is left out, counted, and told
// with its number and the reason. It refuses files that break off, and formats
// that it does not know.
package format

import (
	"fmt"
	"strings"

	"assay/internal/workload"
)

// A kind is one format: a file of its own and a line in the table.
type kind struct {
	name    string
	about   string
	block   int                       // tokens of a hash block, where the format has any
	whole   bool                      // an element is a session, and no other is a part of it
	tree    bool                      // an element may begin others
	matches func(p probe) string      // what of the file says that it is this one; "" when it is not
	columns func(header []string) row // of CSV: how a row is read, nil when a column is missing
	object  func(o object) ([]item, error)
}

// A row reads one line of CSV.
type row func(fields []string) ([]item, error)

// An item is an entry as a decoder found it. Where a file tells the session
// only by the request before, id and parent say it.
type item struct {
	workload.Entry
	id, parent string
	branches   []branch // of the first entry of an element: what its turns begin
}

// table holds the formats in the order in which they are tried: what is told
// by more stands before what is told by less.
func table() []kind {
	return []kind{
		{name: "azure_trace", about: "Azure's LLM inference trace, CSV", matches: header(azureColumns), columns: azureRow},
		{name: "burst_gpt_trace", about: "BurstGPT, CSV", matches: header(burstColumns), columns: burstRow},
		{name: "openai_batch", about: "OpenAI's batch input, JSONL", matches: keysOf("custom_id", "body"), object: batchLine},
		{name: "bailian_trace", about: "Alibaba's Bailian trace, JSONL", block: 16, matches: keysOf("chat_id", "parent_chat_id"), object: bailianLine},
		{name: "inputs_json", about: "AIPerf's inputs.json", whole: true, matches: keysOf("payloads"), object: inputsSession},
		{name: "dag_jsonl", about: "AIPerf's trees of calls, JSONL", tree: true, matches: isDAG, object: dagLine},
		{name: "multi_turn", about: "AIPerf's conversations, JSONL", whole: true, matches: keysOf("turns"), object: multiTurnLine},
		{name: "sharegpt", about: "ShareGPT's conversations, JSON", whole: true, matches: isShareGPT, object: shareGPTConversation},
		{name: "mooncake_trace", about: "Mooncake's trace, JSONL", block: 512, matches: isMooncake, object: mooncakeLine},
		{name: "raw_payload", about: "bodies of requests, JSONL", matches: isRaw, object: rawLine},
		{name: "single_turn", about: "AIPerf's single requests, JSONL", matches: isSingle, object: singleTurnLine},
		{name: "random_pool", about: "single requests that are drawn from, JSONL", matches: never, object: poolLine},
	}
}

func never(probe) string { return "" }

// Names lists the formats.
func Names() []string {
	var names []string
	for _, k := range table() {
		names = append(names, k.name)
	}
	return names
}

// About is one line for people about a format.
func About(name string) string {
	k, err := find(name)
	if err != nil {
		return ""
	}
	return k.about
}

func find(name string) (kind, error) {
	for _, k := range table() {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("unknown format %q: known are %s", name, strings.Join(Names(), ", "))
}
