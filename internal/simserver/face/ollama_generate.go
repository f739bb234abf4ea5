package face

import "errors"

// ollamaGenerate is Ollama's own API of texts.
var ollamaGenerate = Face{
	Name: "ollama_generate", Path: "/api/generate", Lines: true, Templated: true,
	Parse: parseOllamaGenerate, Shape: ollamaGenerateShape, Refusal: ollamaRefusal,
}

func parseOllamaGenerate(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			ollamaLimits
			Prompt *string `json:"prompt"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if r.Prompt == nil {
			return Ask{}, errors.New("prompt is missing") // Ollama would only load the model
		}
		return r.ask(*r.Prompt)
	})
}

func ollamaGenerateShape(_ string, created int64, model string) Shape {
	return ollamaShape(created, model, `"response":"`, `"`)
}
