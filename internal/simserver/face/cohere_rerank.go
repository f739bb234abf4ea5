package face

import "fmt"

// cohereRerank is Cohere's ranking of version 2: the best first.
var cohereRerank = Face{Name: "cohere_rerank", Path: "/v2/rerank", Parse: parseRerank, Answer: cohereRerankAnswer, Refusal: cohereRefusal}

// parseRerank reads the request that Cohere and Jina have in common.
func parseRerank(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model     string   `json:"model"`
			Query     string   `json:"query"`
			Documents []string `json:"documents"`
			Top       int      `json:"top_n"`
			Repeat    bool     `json:"return_documents"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		return valued(r.Model, Values{Query: true, Top: r.Top, Repeat: r.Repeat}, append([]string{r.Query}, r.Documents...)...)
	})
}

func (a Ask) appendResults(dst []byte) []byte {
	list := a.ranked()
	return each(dst, len(list), func(dst []byte, i int) []byte {
		dst = fmt.Appendf(dst, `{"index":%d,"relevance_score":%s`, list[i].index, score(list[i].score))
		if a.Values.Repeat {
			dst = fmt.Appendf(dst, `,"document":{"text":%s}`, quote(list[i].text))
		}
		return append(dst, '}')
	})
}

func cohereRerankAnswer(id string, _ int64, a Ask, _ Said) []byte {
	dst := a.appendResults([]byte(`{"results":`))
	return fmt.Appendf(dst, `,"id":%q,"meta":{"api_version":{"version":"2"},"billed_units":{"search_units":1}}}`, id)
}
