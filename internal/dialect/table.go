package dialect

import "slices"

// Table returns every API, one line each, the default first.
func Table() []Dialect {
	return []Dialect{
		chat,
		completions,
		responses,
		messages,
		gemini,
		cohereChat,
		tgiGenerate,
		sglangGenerate,
		llamacppCompletion,
		ollamaChat,
		ollamaGenerate,
		tritonGenerate,
		embeddings,
		moderations,
		cohereEmbed,
		teiEmbed,
		nimEmbeddings,
		chatEmbeddings,
		vllmPooling,
		cohereRerank,
		jinaRerank,
		teiRerank,
		nimRankings,
		vllmScore,
		vllmClassify,
		teiPredict,
		nimImageRetrieval,
		kserveHTTP,
		solidoRAG,
	}
}

// Find returns the API that a contract names, by its name or another tool's.
func Find(name string) (Dialect, bool) {
	for _, d := range Table() {
		if d.Name == name || slices.Contains(d.Aliases, name) {
			return d, true
		}
	}
	return Dialect{}, false
}

// Names are those of the table.
func Names() []string {
	var names []string
	for _, d := range Table() {
		names = append(names, d.Name)
	}
	return names
}
