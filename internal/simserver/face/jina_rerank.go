package face

import "fmt"

// jinaRerank is Jina's ranking: the best first.
var jinaRerank = Face{Name: "jina_rerank", Path: "/v1/rerank", Parse: parseRerank, Answer: jinaRerankAnswer}

func jinaRerankAnswer(id string, _ int64, a Ask, s Said) []byte {
	dst := fmt.Appendf(nil, `{"id":"rerank-%s","object":"list","model":%s,"usage":%s,"results":`, id, quote(a.Model), read(s))
	return append(a.appendResults(dst), '}')
}
