package face

import (
	"errors"
	"fmt"
)

// teiPredict is the classification of text-embeddings-inference, for batches:
// two labels for each text, the better one first.
var teiPredict = Face{Name: "tei_predict", Path: "/predict", Parse: parseTeiPredict, Answer: teiPredictAnswer, Refusal: teiRefusal}

func parseTeiPredict(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Inputs [][]string `json:"inputs"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		var texts []string
		for _, one := range r.Inputs {
			if len(one) != 1 {
				return Ask{}, errors.New("this server judges texts, and no pairs of them")
			}
			texts = append(texts, one[0])
		}
		return valued("", Values{}, texts...)
	})
}

func teiPredictAnswer(_ string, _ int64, a Ask, _ Said) []byte {
	return each(nil, a.Items(), func(dst []byte, i int) []byte {
		p, first, second := draw(0, a.Texts[i]), "LABEL_0", "LABEL_1"
		if p < 0.5 {
			p, first, second = 1-p, second, first
		}
		return fmt.Appendf(dst, `[{"score":%s,"label":%q},{"score":%s,"label":%q}]`, score(p), first, score(1-p), second)
	})
}
