//go:build unix

package main

// The table: which servers there are, and which API is tried with each. A new
// server is a folder below servers/ with two scripts (install, start) and a
// line; an API that it speaks is another line.

// A server is one that nobody here wrote.
type server struct {
	name  string
	model string // as requests name it
	ready string // a path that is answered with 200 once it serves
	// folder holds its scripts where it is not called as the server, and args
	// are handed to its start.
	folder string
	args   []string
	behind string // the server that it is a gateway to
	counts counter
	// onDemand: its installation takes too long for every change.
	onDemand bool
}

var servers = []server{
	{name: "llamacpp", model: "tiny", ready: "/health",
		counts: counter{path: "/metrics", name: "llamacpp:tokens_predicted_total", of: outputTokens}},
	{name: "llamacpp-embedding", folder: "llamacpp", args: []string{"embedding"}, model: "tiny", ready: "/health"},
	{name: "aimock", model: "any", ready: "/health"},
	{name: "triton", model: "words", ready: "/v2/models/words/ready",
		counts: counter{beside: 1, path: "/metrics", name: "nv_inference_request_success", of: requests}},
	{name: "ollama", model: "tiny", ready: "/v1/models/tiny"},
	{name: "vllm", model: "tiny", ready: "/health", onDemand: true,
		counts: counter{path: "/metrics", name: "vllm:generation_tokens_total", of: outputTokens}},
	{name: "vllm-embedding", folder: "vllm", args: []string{"--runner", "pooling", "--convert", "embed"}, model: "tiny",
		ready: "/health", onDemand: true},
	{name: "vllm-classify", folder: "vllm", args: []string{"--runner", "pooling", "--convert", "classify"}, model: "tiny",
		ready: "/health", onDemand: true},
	{name: "litellm", model: "tiny", ready: "/health/liveliness", behind: "llamacpp", onDemand: true},
}

// usage is what a server says of the tokens of its replies.
type usage int

const (
	each   usage = iota // it counts the reply's tokens, and sends each in an event of its own
	merges              // it counts them, and sends some together
	counts              // it counts them in its own way, so that events are not tokens
	silent              // it counts nothing: events are all there is
)

// A row is one API, tried with one server.
type row struct {
	server, endpoint string
	usage            usage
	// ends: how many tokens end a reply before the limit does; 0: the limit does.
	ends   int
	items  int  // what an answer holds that is no text: a vector for each text of the request
	noStop bool // the API has no reason of the end
	whole  bool // replies are tried whole as well
	// exact: prompts are of so many tokens, by the server's own count or the
	// tokenizer.json of its model, and its usage says so of each.
	exact string
	flags []string
}

// llama.cpp ends the connection of a streamed reply without a word in the
// head, and a request that is already on its way is lost: docs/real-server.md.
var closes = []string{"--set", "target.connections=per_request"}

// Ollama knows the older name of the limit.
var older = []string{"--set", "target.body_limit=max_tokens"}

// goOn: a reply ends at its limit and not before.
var goOn = []string{"--set", "target.extra={ignore_eos: true}"}

// lists send three texts at once, and ranks a question with three documents.
var (
	lists = []string{"--set", "workload.batch=3"}
	ranks = []string{"--set", "workload.documents={count: 3, tokens: 20}"}
)

var rows = []row{
	{server: "llamacpp", endpoint: "chat", whole: true, flags: closes},
	{server: "llamacpp", endpoint: "completions", whole: true, flags: closes},
	{server: "llamacpp", endpoint: "responses", whole: true, flags: closes},
	{server: "llamacpp", endpoint: "messages", whole: true, flags: closes},
	{server: "llamacpp", endpoint: "llamacpp_completion", whole: true, flags: closes},
	{server: "llamacpp", endpoint: "completions", exact: "server", flags: closes},

	{server: "llamacpp-embedding", endpoint: "embeddings", items: 3, flags: lists},

	{server: "aimock", endpoint: "chat", usage: each, ends: 15, whole: true},
	{server: "aimock", endpoint: "responses", usage: each, ends: 15, whole: true},
	{server: "aimock", endpoint: "messages", usage: each, ends: 15, whole: true},
	{server: "aimock", endpoint: "gemini", usage: each, ends: 15, whole: true},
	{server: "aimock", endpoint: "cohere_chat", usage: each, ends: 15, whole: true},
	{server: "aimock", endpoint: "ollama_chat", usage: silent, ends: 15, whole: true},
	{server: "aimock", endpoint: "ollama_generate", usage: silent, ends: 15, whole: true},
	{server: "aimock", endpoint: "embeddings", items: 3, usage: silent, flags: lists},
	{server: "aimock", endpoint: "cohere_embed", items: 3, usage: silent, flags: lists},
	{server: "aimock", endpoint: "cohere_rerank", items: 3, usage: silent, flags: ranks},
	{server: "aimock", endpoint: "moderations", items: 1, usage: silent},

	{server: "triton", endpoint: "triton_generate", usage: silent, noStop: true},

	{server: "ollama", endpoint: "chat", whole: true, flags: older},
	{server: "ollama", endpoint: "completions", whole: true},
	{server: "ollama", endpoint: "responses", whole: true},
	{server: "ollama", endpoint: "messages", whole: true},
	{server: "ollama", endpoint: "ollama_chat", whole: true},
	{server: "ollama", endpoint: "ollama_generate", whole: true},
	{server: "ollama", endpoint: "embeddings", items: 3, flags: lists},

	{server: "vllm", endpoint: "chat", usage: merges, whole: true, flags: goOn},
	{server: "vllm", endpoint: "chat", usage: merges, exact: "model/tokenizer.json", flags: goOn},
	{server: "vllm", endpoint: "completions", usage: merges, whole: true, flags: goOn},
	{server: "vllm", endpoint: "completions", usage: merges, exact: "server", flags: goOn},
	{server: "vllm", endpoint: "responses", usage: merges, whole: true, flags: goOn},
	{server: "vllm", endpoint: "messages", usage: merges, whole: true, flags: goOn},
	{server: "vllm-embedding", endpoint: "embeddings", items: 3, flags: lists},
	{server: "vllm-embedding", endpoint: "chat_embeddings", items: 1},
	{server: "vllm-embedding", endpoint: "vllm_pooling", items: 3, flags: lists},
	{server: "vllm-embedding", endpoint: "vllm_score", items: 3, flags: ranks},
	{server: "vllm-embedding", endpoint: "cohere_rerank", items: 3, flags: ranks},
	{server: "vllm-embedding", endpoint: "jina_rerank", items: 3, flags: ranks},
	{server: "vllm-classify", endpoint: "vllm_classify", items: 3, flags: lists},

	{server: "litellm", endpoint: "chat", whole: true},
	{server: "litellm", endpoint: "completions", usage: counts, whole: true},
	{server: "litellm", endpoint: "responses", whole: true},
	{server: "litellm", endpoint: "messages", whole: true},
	{server: "litellm", endpoint: "gemini", usage: silent, whole: true},
}

// find is the server of a name that the table holds.
func find(name string) server {
	for _, s := range servers {
		if s.name == name {
			return s
		}
	}
	panic("internal error: no server " + name)
}

// against says in the table what the client's numbers are held against.
func (w row) against(s server) string {
	text := map[usage]string{each: "usage, events", merges: "usage", counts: "usage", silent: "events"}[w.usage]
	if w.items > 0 {
		text = map[usage]string{each: "usage, texts sent", silent: "texts sent"}[w.usage]
	}
	switch w.exact {
	case "":
	case "server":
		text += ", its own count of each prompt"
	default:
		text += ", tokenizer.json"
	}
	if s.counts.name != "" {
		text += ", its counter"
	}
	return text
}
