package face

import "fmt"

// teiRerank is the ranking of text-embeddings-inference: the best first.
var teiRerank = Face{Name: "tei_rerank", Path: "/rerank", Parse: parseTeiRerank, Answer: teiRerankAnswer, Refusal: teiRefusal}

func parseTeiRerank(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Query  string   `json:"query"`
			Texts  []string `json:"texts"`
			Repeat bool     `json:"return_text"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		return valued("", Values{Query: true, Repeat: r.Repeat}, append([]string{r.Query}, r.Texts...)...)
	})
}

func teiRerankAnswer(_ string, _ int64, a Ask, _ Said) []byte {
	list := a.ranked()
	return each(nil, len(list), func(dst []byte, i int) []byte {
		dst = fmt.Appendf(dst, `{"index":%d,"score":%s`, list[i].index, score(list[i].score))
		if a.Values.Repeat {
			dst = fmt.Appendf(dst, `,"text":%s`, quote(list[i].text))
		}
		return append(dst, '}')
	})
}
