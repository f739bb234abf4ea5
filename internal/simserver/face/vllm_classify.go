package face

import "fmt"

// vllmClassify is vLLM's classification: two classes for each text.
var vllmClassify = Face{Name: "vllm_classify", Path: "/classify", Parse: parseInput, Answer: vllmClassifyAnswer}

func vllmClassifyAnswer(id string, created int64, a Ask, s Said) []byte {
	dst := fmt.Appendf(nil, `{"id":"classify-%s","object":"list","created":%d,"model":%s,"data":`, id, created, quote(a.Model))
	dst = each(dst, a.Items(), func(dst []byte, i int) []byte {
		p := draw(0, a.Texts[i])
		label := "LABEL_0"
		if p < 0.5 {
			label = "LABEL_1"
		}
		return fmt.Appendf(dst, `{"index":%d,"label":%q,"probs":[%s,%s],"num_classes":2}`, i, label, score(p), score(1-p))
	})
	return fmt.Appendf(dst, `,"usage":%s}`, read(s))
}
