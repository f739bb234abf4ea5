package face

import (
	"errors"
	"fmt"
)

// nimImageRetrieval is the detection of NVIDIA's services: one box in each
// picture.
var nimImageRetrieval = Face{Name: "nim_image_retrieval", Path: "/v1/infer", Parse: parseNimImages, Answer: nimImagesAnswer}

func parseNimImages(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Input []struct {
				Type string `json:"type"`
				URL  string `json:"url"`
			} `json:"input"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		a := Ask{Texts: []string{""}, Limit: 1, Values: Values{Media: true}}
		for _, in := range r.Input {
			if in.Type != "image_url" {
				return Ask{}, fmt.Errorf("the type %q is not known: image_url is", in.Type)
			}
			a.Media = append(a.Media, Medium{Picture: true, Source: in.URL})
		}
		if len(a.Media) == 0 {
			return Ask{}, errors.New("there is no picture")
		}
		return a, nil
	})
}

func nimImagesAnswer(_ string, _ int64, a Ask, _ Said) []byte {
	size := 0
	dst := each([]byte(`{"data":`), a.Items(), func(dst []byte, i int) []byte {
		source := a.Media[i].Source
		size += len(source) / 4 * 3
		x, y := draw(0, source)/2, draw(1, source)/2
		return fmt.Appendf(dst, `{"index":%d,"bounding_boxes":{"chart":[{"x_min":%s,"y_min":%s,"x_max":%s,"y_max":%s,"confidence":%s}],"table":[],"title":[]}}`,
			i, score(x), score(y), score(x+0.25), score(y+0.25), score(draw(2, source)))
	})
	return fmt.Appendf(dst, `,"usage":{"images_size_mb":%.6f}}`, float64(size)/1e6)
}
