package dialect

import "assay/internal/workload"

// cohereEmbed is Cohere's embedding of version 2: vectors by the type of their
// numbers, and tokens as they are paid for.
var cohereEmbed = Dialect{
	Name:       "cohere_embed",
	About:      "Cohere's embeddings, version 2",
	Path:       "/v2/embed",
	Models:     "/v1/models",
	Aliases:    []string{"cohere_embeddings"},
	Takes:      Text | Texts,
	Measures:   Embeddings,
	Owns:       []string{"texts", "images", "inputs"},
	Encode:     encodeCohereEmbed,
	NewDecoder: values(cohereEmbedMember),
}

// encodeCohereEmbed says of the texts that they are documents, unless extra
// says otherwise: newer models want to know.
func encodeCohereEmbed(r workload.Request, o Options) ([]byte, error) {
	inputs, err := texts(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.list("texts", inputs)
	b.text("input_type", "search_document")
	b.raw("embedding_types", `["float"]`)
	return b.close()
}

func cohereEmbedMember(d *decoder, key []byte) {
	switch string(key) {
	case "embeddings":
		d.now.said = true
		d.only("embeddings is no object", cohereVectors)
	case "meta":
		d.object("", cohereMeta)
	case "message":
		d.now.faint = d.says() || d.now.faint
	default:
		d.in.skip()
	}
}

// cohereVectors: the same vectors may come in several types.
func cohereVectors(d *decoder, _ []byte) {
	before := d.now.items
	d.now.items = 0
	n := d.list("vectors of a type are no array", (*decoder).vector)
	if d.now.items != n {
		d.odd("a vector is empty")
	}
	d.now.items = max(before, n)
}

// cohereMeta has the tokens that were read, or those that are paid for.
func cohereMeta(d *decoder, key []byte) {
	switch string(key) {
	case "tokens", "billed_units":
		d.object("", func(d *decoder, key []byte) {
			if string(key) == "input_tokens" {
				d.counts(&d.now.usage.input)
			} else {
				d.in.skip()
			}
		})
	default:
		d.in.skip()
	}
}
