package simserver

// A picture counts as tokens, and is found again where the same one comes.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func gray(t *testing.T, shade uint8) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 32, 32))
	m.SetGray(31, 31, color.Gray{Y: shade})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"}}`
}

func TestAPictureIsAsManyTokensAsIsSetAndIsFoundAgain(t *testing.T) {
	_, address := start(t, Config{Preset: "h100-8b", Set: map[string]string{"image_tokens": "90", "template_tokens": "6"}})
	ask := func(picture string) (prompt, cached int) {
		// 6 of the template, 10 words, 90 of the picture, 2 words: 108, of which
		// six blocks of 16 end within the picture.
		body := `{"messages":[{"role":"user","content":[{"type":"text","text":"` + strings.Repeat("what ", 10) + `"},` + picture + `]},{"role":"user","content":"so then"}],"max_tokens":1}`
		status, answer, _ := post(t, address, "/v1/chat/completions", body)
		var got struct {
			Usage struct {
				Prompt  int `json:"prompt_tokens"`
				Details struct {
					Cached int `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil || status != 200 {
			t.Fatalf("%d %s (%v)", status, answer, err)
		}
		return got.Usage.Prompt, got.Usage.Details.Cached
	}
	for i, c := range []struct {
		picture string
		cached  int
	}{{gray(t, 1), 0}, {gray(t, 2), 16}, {gray(t, 1), 96}} {
		if prompt, cached := ask(c.picture); prompt != 108 || cached != c.cached {
			t.Errorf("request %d: %d tokens, %d found, want 108 and %d", i+1, prompt, cached, c.cached)
		}
	}
}

func TestABrokenPictureIsRefusedInTheServersWords(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	body := `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}]}`
	if status, answer, _ := post(t, address, "/v1/chat/completions", body); status != 400 || !strings.Contains(answer, "the picture can't be read") {
		t.Errorf("%d %s, want 400 and why", status, answer)
	}
}
