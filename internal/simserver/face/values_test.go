package face

// The faces whose answers are no text against the client's dialects, which
// share nothing with them.

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

// longText is a text that is read the short way.
var longText = strings.Repeat("weigh it again ", 20)

func TestDialectsAndFacesAgreeOnValues(t *testing.T) {
	for _, f := range Table() {
		if f.Answer == nil {
			continue
		}
		d, _ := dialect.Find(f.Name)
		r, texts, items := workload.Request{Prompt: "why \"so\"?"}, []string{"why \"so\"?"}, 1
		switch {
		case d.Takes&dialect.Text == 0:
			one := workload.Medium{Kind: workload.Image, Format: "png", Data: []byte(picture(t, "png"))}
			r.Messages = []workload.Message{{Role: "user", Media: []workload.Medium{one, one}}}
			texts, items = []string{""}, 2
		case d.Takes&dialect.Texts != 0:
			r.Texts = []string{"why \"so\"?", longText, "c\né"}
			texts, items = r.Texts, 3
		case d.Takes&dialect.Documents != 0:
			r.Documents = []string{"b", longText, "c\né", "d"}
			texts, items = append(texts, r.Documents...), 4
		}
		body, err := d.Encode(r, dialect.Options{Model: "m"})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		ask, err := f.Parse(body)
		if err != nil {
			t.Fatalf("%s: %s: %v", f.Name, body, err)
		}
		if diff := cmp.Diff(texts, ask.Texts); diff != "" || ask.Limit != 1 || ask.Stream || ask.Items() != items || (ask.Model != "m") != (d.Modelless || strings.Contains(f.Path, "{model}")) {
			t.Errorf("%s: Parse(%s) = %+v, want %d items (-want +got):\n%s", f.Name, body, ask, items, diff)
		}
		answer := f.Answer("1f", 1700000000, ask, Said{Input: 55, Output: 1, Cached: -1, Last: true})
		if !json.Valid(answer) {
			t.Fatalf("%s: %s is no JSON", f.Name, answer)
		}
		decoder := d.NewDecoder()
		got := decoder.Whole(answer)
		reply := decoder.Reply()
		if got.Kind != record.Values || got.ErrorKind != "" || reply.Items != items || d.Items(r) != items {
			t.Errorf("%s: %s = %+v, %d items, want %d", f.Name, answer, got, reply.Items, items)
		}
		if reply.InputTokens != 55 && reply.InputTokens != record.NoCount || reply.OutputTokens > 0 {
			t.Errorf("%s: %d tokens in, %d out, want 55 or nothing told", f.Name, reply.InputTokens, reply.OutputTokens)
		}
		if again := f.Answer("1f", 1700000000, ask, Said{Input: 55, Output: 1, Cached: -1, Last: true}); string(again) != string(answer) {
			t.Errorf("%s answers otherwise the second time", f.Name)
		}
	}
}

func TestAVectorIsTheTextsOwnAndOfLengthOne(t *testing.T) {
	a, b := vector("a", 8), vector("b", 8)
	sum, differ := 0.0, 0
	for i := range a {
		sum += float64(a[i]) * float64(a[i])
		if a[i] != b[i] {
			differ++
		}
	}
	if len(a) != 8 || math.Abs(sum-1) > 1e-6 || differ < 8 || len(vector("a", 0)) != 384 {
		t.Errorf("vectors %v and %v, squared length %v", a, b, sum)
	}
}

// answered is what the face embeddings says to a body, without usage and model.
func answered(t *testing.T, body string) []any {
	t.Helper()
	ask, err := embeddings.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Data []struct {
			Embedding any `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(embeddings.Answer("1", 1, ask, Said{}), &got); err != nil {
		t.Fatal(err)
	}
	var vectors []any
	for _, d := range got.Data {
		vectors = append(vectors, d.Embedding)
	}
	return vectors
}

func TestBytesAndNumbersAreTheSameVector(t *testing.T) {
	numbers := answered(t, `{"model":"m","input":"a","dimensions":5}`)[0].([]any)
	packed := answered(t, `{"model":"m","input":["a"],"dimensions":5,"encoding_format":"base64"}`)[0].(string)
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil || len(raw) != 20 || len(numbers) != 5 {
		t.Fatalf("%d bytes and %d numbers (%v), want 5 of 4", len(raw), len(numbers), err)
	}
	for i := range 5 {
		if got, want := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])), float32(numbers[i].(float64)); math.Abs(float64(got-want)) > 1e-7 {
			t.Errorf("number %d is %v and %v", i, got, want)
		}
	}
}

func TestWhatEmbeddingsCantBeMadeOfIsRefused(t *testing.T) {
	for body, want := range map[string]string{
		`{"model":"m","input":[]}`:                                 "the list is empty",
		`{"model":"m","input":["a",""]}`:                           "a text is empty",
		`{"model":"m","input":7}`:                                  "want a string or a list of strings",
		`{"input":"a"}`:                                            "model is required",
		`{"model":"m","input":"a","encoding_format":"hex"}`:        `"hex" is not known`,
		`{"model":"m","input":"a","dimensions":0}`:                 "at least 1",
		`{"model":"m","input":"a","dimensions":99999}`:             "no size of a vector",
		`{"model":"m","messages":[{"role":"user","content":"a"}]}`: "the list is empty",
	} {
		if _, err := embeddings.Parse([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s): %v, want %q", body, err, want)
		}
	}
}

func TestTheBestDocumentsComeFirstAndNoMoreThanAsked(t *testing.T) {
	for top, want := range map[string]int{"": 4, `"top_n":2,`: 2, `"top_n":9,`: 4} {
		ask, err := cohereRerank.Parse([]byte(`{` + top + `"model":"m","query":"q","documents":["a","b","c","d"],"return_documents":true}`))
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Results []struct {
				Index    int
				Score    float64 `json:"relevance_score"`
				Document struct{ Text string }
			}
		}
		if err := json.Unmarshal(cohereRerank.Answer("1", 1, ask, Said{}), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Results) != want || ask.Items() != want {
			t.Errorf("with %q there are %d results, want %d", top, len(got.Results), want)
		}
		for i, r := range got.Results {
			if i > 0 && r.Score > got.Results[i-1].Score || r.Document.Text != string("abcd"[r.Index]) {
				t.Errorf("with %q result %d is %+v", top, i, r)
			}
		}
	}
}
