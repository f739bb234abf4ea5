package dialect

import (
	"errors"

	"assay/internal/workload"
)

// nimImageRetrieval is the detection of NVIDIA's retrieval services: what each
// picture of a page has, and where.
var nimImageRetrieval = Dialect{
	Name:       "nim_image_retrieval",
	About:      "detection of NVIDIA's NIM: boxes in each picture",
	Path:       "/v1/infer",
	Modelless:  true,
	Aliases:    []string{"image_retrieval"},
	Takes:      Images,
	Measures:   Pictures,
	Owns:       []string{"input"},
	Encode:     encodeNimImages,
	NewDecoder: openAIValues("data", detected),
}

// encodeNimImages sends pictures and no words: the service has no place for them.
func encodeNimImages(r workload.Request, o Options) ([]byte, error) {
	if len(r.Messages) != 1 || len(r.Messages[0].Media) == 0 {
		return nil, errors.New("nim_image_retrieval takes pictures, and there are none")
	}
	b := newBody(mediaSize(r), o.Extra)
	b.member("input", func(dst []byte) []byte {
		for i, m := range r.Messages[0].Media {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(appendText(append(dst, `{"type":"image_url","url":`...), imageURL(&m)), '}')
		}
		return append(dst, ']')
	})
	return b.close()
}

// imageURL is where a picture is, or all of it.
func imageURL(m *workload.Medium) string {
	if m.URL != "" {
		return m.URL
	}
	return "data:image/" + string(m.Format) + ";base64," + string(m.Data)
}

// detected: a picture with nothing in it is answered too.
func detected(d *decoder, key []byte) {
	if string(key) == "bounding_boxes" && d.in.class() == '{' {
		d.item()
	}
	d.in.skip()
}
