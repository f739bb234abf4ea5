package face

// Answers that are no text: vectors, scores and labels. They follow from the
// texts alone, so that the same request is answered the same in every run.

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
)

// Values is how a request wants its answer where that is no text.
type Values struct {
	Query  bool // the first of Texts is what the others are compared with
	Size   int  // of a vector; 0: usual
	Base64 bool // vectors as bytes
	Top    int  // only so many, the best; 0: all
	Repeat bool // results repeat what they are of
	Media  bool // of the pictures, and there are no texts
}

// usualSize is how many numbers a vector of a small model has.
const usualSize = 384

// valued is an ask for values of these texts. The engine reads them and is
// done: that is what its first token stands for.
func valued(model string, v Values, texts ...string) (Ask, error) {
	least := 1
	if v.Query {
		least = 2
	}
	switch {
	case len(texts) < least:
		return Ask{}, errors.New("there is nothing to be judged: the list is empty")
	case slices.Contains(texts, ""):
		return Ask{}, errors.New("a text is empty")
	case v.Size < 0 || v.Size > 1<<14:
		return Ask{}, fmt.Errorf("%d is no size of a vector", v.Size)
	case v.Top < 0:
		return Ask{}, fmt.Errorf("%d is no number of results", v.Top)
	}
	return Ask{Model: model, Texts: texts, Limit: 1, Values: v}, nil
}

// Items is how many values answer it.
func (a Ask) Items() int {
	n := len(a.Texts)
	if a.Values.Media {
		n = len(a.Media)
	}
	if a.Values.Query {
		n--
	}
	if a.Values.Top > 0 {
		n = min(n, a.Values.Top)
	}
	return n
}

// oneOrMany is a text or a list of them.
type oneOrMany []string

func (t *oneOrMany) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = oneOrMany{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(b, &many); err != nil {
		return errors.New("want a string or a list of strings")
	}
	*t = many
	return nil
}

// draw is a number from 0 to 1 that follows from texts and a position.
func draw(position int, texts ...string) float64 {
	h := fnv.New64a()
	for _, t := range texts {
		h.Write([]byte(t))
		h.Write([]byte{0})
	}
	x := h.Sum64() + uint64(position)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64((x^x>>31)>>11) / (1 << 53)
}

// vector is a text's, of length 1.
func vector(text string, size int) []float32 {
	size = cmp.Or(size, usualSize)
	h := fnv.New64a()
	h.Write([]byte(text))
	seed := strconv.FormatUint(h.Sum64(), 16)
	v := make([]float32, size)
	sum := 0.0
	for i := range v {
		x := 2*draw(i, seed) - 1
		v[i], sum = float32(x), sum+x*x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// appendVector appends a vector as numbers.
func appendVector(dst []byte, v []float32) []byte {
	dst = append(dst, '[')
	for i, x := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, float64(x), 'g', 8, 32)
	}
	return append(dst, ']')
}

// appendPacked appends it as bytes in base64, the least first.
func appendPacked(dst []byte, v []float32) []byte {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, raw)
	return append(dst, '"')
}

// appendVectorOf appends the vector of a text as it is asked for.
func (a Ask) appendVectorOf(dst []byte, i int) []byte {
	v := vector(a.Texts[i], a.Values.Size)
	if a.Values.Base64 {
		return appendPacked(dst, v)
	}
	return appendVector(dst, v)
}

// appendVectors appends those of all texts.
func (a Ask) appendVectors(dst []byte) []byte { return each(dst, a.Items(), a.appendVectorOf) }

// A ranking is a document's place.
type ranking struct {
	index int
	score float64
	text  string
}

// ranked are the documents of an ask, the best first.
func (a Ask) ranked() []ranking {
	list := make([]ranking, len(a.Texts)-1)
	for i, text := range a.Texts[1:] {
		list[i] = ranking{i, draw(0, a.Texts[0], text), text}
	}
	slices.SortStableFunc(list, func(x, y ranking) int { return cmp.Compare(y.score, x.score) })
	return list[:a.Items()]
}

// each appends an element for each of n, commas between them, in brackets.
func each(dst []byte, n int, element func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, i)
	}
	return append(dst, ']')
}

// score is a number of six digits.
func score(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }
