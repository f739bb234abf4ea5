package dialect

// What the APIs have in common whose answers are no text: vectors, scores and
// labels, one for each text that was sent. Their values are not looked at; that
// there is one for each is.

import (
	"errors"

	"assay/internal/workload"
)

// Measures of answers that are no text.
const (
	Embeddings Measure = "embeddings" // a vector for each text
	Ranked     Measure = "documents"  // a score for each document
	Judged     Measure = "texts"      // a label or a verdict for each text
	Pictures   Measure = "images"     // what is in each picture
)

// Textless tells whether answers are no text, and nothing is counted in tokens
// but what was sent.
func (d Dialect) Textless() bool { return d.Measures != "" && d.Measures != Tokens }

// onePixel is a PNG of one pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR4nGJiAAQAAP//AAYAA/rQWa4AAAAASUVORK5CYII="

// Example is a request with what the API takes beside this text.
func (d Dialect) Example(text string) workload.Request {
	r := workload.Request{Prompt: text}
	if d.Takes&Texts != 0 {
		r.Texts = []string{text, "And why is grass green?"}
	}
	if d.Takes&Text == 0 {
		dot := workload.Medium{Kind: workload.Image, Format: "png", Data: []byte(onePixel)}
		r.Messages = []workload.Message{{Role: "user", Content: text, Media: []workload.Medium{dot}}}
	}
	if d.Takes&Documents != 0 {
		r.Documents = []string{"Air scatters blue light.", "Leaves are green."}
	}
	return r
}

// Items is how many things a request has that are counted; 0 where the answer
// is a text.
func (d Dialect) Items(r workload.Request) int {
	switch d.Measures {
	case "", Tokens:
		return 0
	case Ranked:
		return len(r.Documents)
	case Pictures:
		return r.Load().Images
	}
	return len(r.Inputs())
}

// Answers is how many vectors or scores must come back for so many items:
// extra may have set a bound.
func (d Dialect) Answers(items int, extra map[string]any) int {
	if d.Most == "" {
		return items
	}
	switch most := extra[d.Most].(type) {
	case int:
		return atMost(items, most)
	case int64:
		return atMost(items, int(most))
	case uint64:
		return atMost(items, int(min(most, workload.MostTexts)))
	case float64:
		return atMost(items, int(most))
	}
	return items
}

// atMost is no bound where most is none.
func atMost(items, most int) int {
	if most < 1 {
		return items
	}
	return min(items, most)
}

// texts are those of a request to an API that takes several, each for itself.
func texts(r workload.Request) ([]string, error) {
	if len(r.Messages) > 1 {
		return nil, errors.New("each text stands for itself, and this is a conversation")
	}
	return r.Inputs(), nil
}

// compared are the query and the documents of a request.
func compared(r workload.Request) (query string, documents []string, err error) {
	switch {
	case len(r.Messages) > 1:
		return "", nil, errors.New("a query is one text, and this is a conversation")
	case len(r.Documents) == 0:
		return "", nil, errors.New("there are no documents to compare the query with")
	}
	return r.Text(), r.Documents, nil
}

// listSize is about how long the texts of a request are.
func listSize(r workload.Request) int {
	n := sizeOf(r)
	for _, list := range [][]string{r.Texts, r.Documents} {
		for _, text := range list {
			n += len(text) + 16
		}
	}
	return n
}

// list writes an array of texts.
func (b *body) list(name string, texts []string) {
	b.member(name, func(dst []byte) []byte { return appendTexts(dst, texts) })
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, text)
	}
	return append(dst, ']')
}

// oneOrList writes one text as a bare string, as most clients do.
func (b *body) oneOrList(name string, texts []string) {
	if len(texts) == 1 {
		b.text(name, texts[0])
		return
	}
	b.list(name, texts)
}

// values is an API whose answers are no text; member reads the members of the
// answer.
func values(member func(d *decoder, key []byte)) func() Decoder {
	return func() Decoder { return newDecoder(api{member: member}) }
}

// openAIValues reads the members around a list of values as OpenAI has them,
// and vLLM and others with it; list is the member with the list, and element
// reads a member of each.
func openAIValues(list string, element func(d *decoder, key []byte)) func() Decoder {
	return values(func(d *decoder, key []byte) {
		switch string(key) {
		case list:
			d.items(list, element)
		case "usage":
			d.usage()
		case "error":
			d.fails()
		case "detail": // as FastAPI says it
			d.now.faint = d.says() || d.now.faint
		default:
			d.in.skip()
		}
	})
}

// items reads a list of objects, each of which counts if it has what is asked.
func (d *decoder) items(what string, element func(d *decoder, key []byte)) {
	if d.in.class() != '[' {
		d.strange(what + " is no array")
		return
	}
	d.now.said = true
	d.list("", func(d *decoder) { d.itemOf("an element of "+what, element) })
}

// item counts one thing that the answer has.
func (d *decoder) item() { d.now.items++ }

// odd notes the first thing that is not as the API says, of values that are
// read already.
func (d *decoder) odd(what string) {
	if d.now.strange == "" {
		d.now.strange = what
	}
}

// vector reads a vector: numbers, or their bytes in base64. Several vectors, one
// for each token, are one item too.
func (d *decoder) vector() {
	switch d.in.class() {
	case '[':
		if d.in.length() > 0 {
			d.item()
		}
	case '"':
		if d.filled("") {
			d.item()
		}
	default:
		d.strange("an embedding is neither numbers nor base64")
	}
}

// score reads a number.
func (d *decoder) score() {
	if _, ok := d.in.number(); ok {
		d.item()
		return
	}
	d.strange("a score is no number")
}

// encodeList is the encoding of an API that takes a list of texts under this
// name, one of them too.
func encodeList(name string) func(workload.Request, Options) ([]byte, error) {
	return func(r workload.Request, o Options) ([]byte, error) {
		inputs, err := texts(r)
		if err != nil {
			return nil, err
		}
		b := newBody(listSize(r), o.Extra)
		b.text("model", o.Model)
		b.list(name, inputs)
		return b.close()
	}
}

// encodeRerank is the encoding of Cohere's and Jina's ranking, which others
// have taken over.
func encodeRerank(r workload.Request, o Options) ([]byte, error) {
	query, documents, err := compared(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.text("query", query)
	b.list("documents", documents)
	return b.close()
}

// relevance reads a member of one of their results.
func relevance(d *decoder, key []byte) {
	if string(key) == "relevance_score" {
		d.score()
	} else {
		d.in.skip()
	}
}

// bareValues is an API that answers with a bare list; its errors are objects.
func bareValues(element func(d *decoder)) func() Decoder {
	return func() Decoder {
		return newDecoder(api{element: element, member: func(d *decoder, key []byte) {
			if string(key) == "error" {
				d.fails()
			} else {
				d.in.skip()
			}
		}})
	}
}

// itemOf reads one element of a list, which must have what is asked.
func (d *decoder) itemOf(what string, member func(d *decoder, key []byte)) {
	before := d.now.items
	d.only(what+" is no object", member)
	if d.now.items == before {
		d.odd(what + " has no value")
	}
}
