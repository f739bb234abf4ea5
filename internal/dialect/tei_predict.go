package dialect

import "assay/internal/workload"

// teiPredict is the classification of Hugging Face's text-embeddings-inference.
// Texts are always sent as a batch, whose answer is a list for each: that of a
// bare text is one list of labels, in which nobody can tell texts from labels.
var teiPredict = Dialect{
	Name:       "tei_predict",
	About:      "text-embeddings-inference: labels",
	Path:       "/predict",
	Modelless:  true,
	Takes:      Text | Texts,
	Measures:   Judged,
	Owns:       []string{"inputs"},
	Encode:     encodeTeiPredict,
	NewDecoder: bareValues(predicted),
}

func encodeTeiPredict(r workload.Request, o Options) ([]byte, error) {
	inputs, err := texts(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.member("inputs", func(dst []byte) []byte {
		for i, text := range inputs {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(appendText(append(dst, '['), text), ']')
		}
		return append(dst, ']')
	})
	return b.close()
}

// predicted reads the labels of one text, all of which are one item.
func predicted(d *decoder) {
	if d.in.class() != '[' {
		d.strange("the labels of a text are no array")
		return
	}
	before := d.now.items
	d.list("", func(d *decoder) { d.itemOf("a label", scored) })
	d.now.items = min(before+1, d.now.items)
}
