package face

import "fmt"

// vllmScore is vLLM's comparison of a text with others, in their order.
var vllmScore = Face{Name: "vllm_score", Path: "/score", Parse: parseVllmScore, Answer: vllmScoreAnswer}

func parseVllmScore(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model string    `json:"model"`
			One   string    `json:"text_1"`
			Many  oneOrMany `json:"text_2"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		return valued(r.Model, Values{Query: true}, append([]string{r.One}, r.Many...)...)
	})
}

func vllmScoreAnswer(id string, created int64, a Ask, s Said) []byte {
	dst := fmt.Appendf(nil, `{"id":"score-%s","object":"list","created":%d,"model":%s,"data":`, id, created, quote(a.Model))
	dst = each(dst, a.Items(), func(dst []byte, i int) []byte {
		return fmt.Appendf(dst, `{"index":%d,"object":"score","score":%s}`, i, score(draw(0, a.Texts[0], a.Texts[i+1])))
	})
	return fmt.Appendf(dst, `,"usage":%s}`, read(s))
}
