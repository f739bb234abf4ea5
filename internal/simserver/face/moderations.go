package face

import (
	"fmt"
)

// moderations is OpenAI's: a verdict for each text.
var moderations = Face{Name: "moderations", Path: "/v1/moderations", Parse: parseInput, Answer: moderationsAnswer}

// parseInput reads the request of an API that has OpenAI's model and input.
func parseInput(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model string    `json:"model"`
			Input oneOrMany `json:"input"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		return valued(r.Model, Values{}, r.Input...)
	})
}

func moderationsAnswer(id string, _ int64, a Ask, _ Said) []byte {
	dst := fmt.Appendf(nil, `{"id":"modr-%s","model":%s,"results":`, id, quote(a.Model))
	dst = each(dst, a.Items(), func(dst []byte, i int) []byte {
		violence, hate := draw(0, a.Texts[i]), draw(1, a.Texts[i])
		return fmt.Appendf(dst, `{"flagged":%t,"categories":{"hate":%t,"violence":%t},"category_scores":{"hate":%s,"violence":%s}}`,
			violence > 0.5 || hate > 0.5, hate > 0.5, violence > 0.5, score(hate), score(violence))
	})
	return append(dst, '}')
}
