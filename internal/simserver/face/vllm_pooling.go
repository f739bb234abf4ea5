package face

import "fmt"

// vllmPooling is vLLM's pooling: a vector for each text.
var vllmPooling = Face{Name: "vllm_pooling", Path: "/pooling", Parse: parseInput, Answer: vllmPoolingAnswer}

func vllmPoolingAnswer(id string, created int64, a Ask, s Said) []byte {
	dst := fmt.Appendf(nil, `{"id":"pool-%s","object":"list","created":%d,"model":%s,"data":`, id, created, quote(a.Model))
	dst = each(dst, a.Items(), func(dst []byte, i int) []byte {
		dst = fmt.Appendf(dst, `{"index":%d,"object":"pooling","data":`, i)
		return append(appendVector(dst, vector(a.Texts[i], 0)), '}')
	})
	return fmt.Appendf(dst, `,"usage":%s}`, read(s))
}
