package face

import (
	"encoding/json"
	"errors"
	"fmt"
)

// kserveHTTP is the open inference protocol with texts, as a model of
// TensorRT-LLM has it: whole answers, and no counts.
var kserveHTTP = Face{Name: "kserve_http", Path: "/v2/models/{model}/infer", Parse: parseKserve, Shape: kserveShape, Refusal: ollamaRefusal}

func parseKserve(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Inputs []struct {
				Name string          `json:"name"`
				Type string          `json:"datatype"`
				Data json.RawMessage `json:"data"`
			} `json:"inputs"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		var a Ask
		for _, in := range r.Inputs {
			var limit []int
			switch {
			case in.Name == "text_input" && in.Type == "BYTES" && json.Unmarshal(in.Data, &a.Texts) == nil && len(a.Texts) == 1:
			case in.Name == "max_tokens" && in.Type == "INT32" && json.Unmarshal(in.Data, &limit) == nil && len(limit) == 1 && limit[0] > 0:
				a.Limit = limit[0]
			default:
				return Ask{}, fmt.Errorf("the input %q of %s is not understood: known are text_input and max_tokens, of one element", in.Name, in.Type)
			}
		}
		if len(a.Texts) == 0 {
			return Ask{}, errors.New("text_input is missing")
		}
		return a, nil
	})
}

func kserveShape(_ string, _ int64, model string) Shape {
	return Shape{Whole: func(text string, _ Said) []byte {
		return fmt.Appendf(nil, `{"model_name":%s,"model_version":"1","outputs":[{"name":"cum_log_probs","datatype":"FP32","shape":[1,1],"data":[-1.5]},`+
			`{"name":"text_output","datatype":"BYTES","shape":[1],"data":[%s]}]}`, quote(model), quote(text))
	}}
}
