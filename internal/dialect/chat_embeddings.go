package dialect

import "assay/internal/workload"

// chatEmbeddings is vLLM's: one vector for a conversation, pictures and
// recordings included.
var chatEmbeddings = Dialect{
	Name:       "chat_embeddings",
	About:      "vLLM's embedding of a chat, pictures included",
	Path:       "/v1/embeddings",
	Models:     "/v1/models",
	Takes:      Text | Images | Audio,
	Measures:   Embeddings,
	Owns:       []string{"messages"},
	Encode:     encodeChatEmbeddings,
	NewDecoder: openAIValues("data", embedding),
}

func encodeChatEmbeddings(r workload.Request, o Options) ([]byte, error) {
	if _, err := texts(r); err != nil {
		return nil, err
	}
	b := newBody(len(r.Prompt)+mediaSize(r), o.Extra)
	b.text("model", o.Model)
	b.member("messages", func(dst []byte) []byte { return appendMessages(dst, r) })
	return b.close()
}
