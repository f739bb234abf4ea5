package dialect_test

import (
	"bytes"
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/dispatch"
	"assay/internal/wire"
)

// samples are what each dialect shows to the suite: a line for each line of
// the table.
var samples = map[string]func(testing.TB) dialecttest.Samples{
	"chat":                chatSamples,
	"completions":         completionsSamples,
	"responses":           responsesSamples,
	"messages":            messagesSamples,
	"gemini":              geminiSamples,
	"cohere_chat":         cohereChatSamples,
	"tgi_generate":        tgiSamples,
	"sglang_generate":     sglangSamples,
	"llamacpp_completion": llamacppSamples,
	"ollama_chat":         ollamaChatSamples,
	"ollama_generate":     ollamaGenerateSamples,
	"triton_generate":     tritonSamples,
	"embeddings":          embeddingsSamples,
	"moderations":         valuesSamples("moderations"),
	"cohere_embed":        valuesSamples("cohere_embed"),
	"tei_embed":           valuesSamples("tei_embed"),
	"nim_embeddings":      valuesSamples("nim_embeddings"),
	"chat_embeddings":     valuesSamples("chat_embeddings"),
	"vllm_pooling":        valuesSamples("vllm_pooling"),
	"cohere_rerank":       valuesSamples("cohere_rerank"),
	"jina_rerank":         valuesSamples("jina_rerank"),
	"tei_rerank":          valuesSamples("tei_rerank"),
	"nim_rankings":        valuesSamples("nim_rankings"),
	"vllm_score":          valuesSamples("vllm_score"),
	"vllm_classify":       valuesSamples("vllm_classify"),
	"tei_predict":         valuesSamples("tei_predict"),
	"nim_image_retrieval": valuesSamples("nim_image_retrieval"),
	"kserve_http":         kserveSamples,
	"solido_rag":          solidoSamples,
}

func TestEveryDialectPassesTheSuite(t *testing.T) {
	for _, d := range dialect.Table() {
		t.Run(d.Name, func(t *testing.T) {
			of := samples[d.Name]
			if of == nil {
				t.Fatal("it has no samples")
			}
			dialecttest.Run(t, d, of(t), split)
		})
	}
	if len(samples) != len(dialect.Table()) {
		t.Errorf("there are samples of %d dialects, and %d dialects", len(samples), len(dialect.Table()))
	}
}

// endless are APIs whose streams have no event that says that it is the last.
var endless = map[string]bool{"gemini": true, "triton_generate": true}

func TestTheLastEventEndsTheReply(t *testing.T) {
	for _, d := range dialect.Table() {
		if !d.Streams || samples[d.Name] == nil {
			continue
		}
		deltas, _ := dialecttest.Decode(d, split(d.Framing, samples[d.Name](t).Raw))
		if got := deltas[len(deltas)-1].End; got == endless[d.Name] {
			t.Errorf("%s: the last event ends the reply: %t", d.Name, got)
		}
	}
}

// split is the transport's own splitter.
func split(f dialect.Framing, reads ...[]byte) []dialecttest.Event {
	s := dispatch.NewSplitter(f)
	var events []dialecttest.Event
	take := func(e wire.Event, ok bool) bool {
		if ok {
			events = append(events, dialecttest.Event{Name: bytes.Clone(e.Name), Data: bytes.Clone(e.Data)})
		}
		return ok
	}
	end := 0
	for _, read := range reads {
		for len(read) > 0 {
			n := copy(s.Buffer(), read)
			read, end = read[n:], end+n
			s.Advance(wire.Piece{N: n, End: uint64(end)})
			for take(s.Next()) {
			}
		}
	}
	take(s.Flush())
	return events
}

// event is an event without a name.
func event(data string) dialecttest.Event { return dialecttest.Event{Data: []byte(data)} }

// named is one with a name.
func named(name, data string) dialecttest.Event {
	return dialecttest.Event{Name: []byte(name), Data: []byte(data)}
}

func TestNoNameIsUsedTwice(t *testing.T) {
	seen := map[string]string{}
	for _, d := range dialect.Table() {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			if seen[name] != "" {
				t.Errorf("%s is a name of %s and of %s", name, seen[name], d.Name)
			}
			seen[name] = d.Name
		}
	}
}

// BenchmarkTextEvent is what an ordinary text event costs in each dialect.
func BenchmarkTextEvent(b *testing.B) {
	for _, d := range dialect.Table() {
		if !d.Streams {
			continue
		}
		b.Run(d.Name, func(b *testing.B) {
			decoder, e := d.NewDecoder(), samples[d.Name](b).Text
			b.ReportAllocs()
			for b.Loop() {
				decoder.Event(e.Name, e.Data)
			}
		})
	}
}
