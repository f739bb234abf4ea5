package face

import (
	"fmt"
	"math"
)

// nimRankings is the ranking of NVIDIA's services: logits, the best first.
var nimRankings = Face{Name: "nim_rankings", Path: "/v1/ranking", Parse: parseNimRankings, Answer: nimRankingsAnswer}

func parseNimRankings(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		type text struct {
			Text string `json:"text"`
		}
		var r struct {
			Model    string `json:"model"`
			Query    text   `json:"query"`
			Passages []text `json:"passages"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		texts := []string{r.Query.Text}
		for _, p := range r.Passages {
			texts = append(texts, p.Text)
		}
		return valued(r.Model, Values{Query: true}, texts...)
	})
}

func nimRankingsAnswer(_ string, _ int64, a Ask, s Said) []byte {
	list := a.ranked()
	dst := each([]byte(`{"rankings":`), len(list), func(dst []byte, i int) []byte {
		p := min(max(list[i].score, 1e-6), 1-1e-6)
		return fmt.Appendf(dst, `{"index":%d,"logit":%s}`, list[i].index, score(math.Log(p/(1-p))))
	})
	return fmt.Appendf(dst, `,"usage":%s}`, read(s))
}
