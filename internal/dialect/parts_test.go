package dialect

// What the API's description shows, built by hand.

import (
	"encoding/json"
	"testing"

	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

func TestMediaArePartsOfAChatsContentBehindItsWords(t *testing.T) {
	png := workload.Medium{Kind: workload.Image, Format: workload.PNG, Data: []byte("iVBORw0="), Bytes: 5}
	wav := workload.Medium{Kind: workload.Recording, Format: workload.WAV, Data: []byte("UklGRg==")}
	for want, m := range map[string]workload.Message{
		`"words alone"`: {Content: "words alone"},
		`[{"type":"text","text":"what is \"it\"?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0="}},{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]`: {Content: `what is "it"?`, Media: []workload.Medium{png, wav}},
		`[{"type":"image_url","image_url":{"url":"http://h/a.png?x=\"1\""}},{"type":"audio_url","audio_url":{"url":"http://h/b.mp3"}}]`:                                                                {Media: []workload.Medium{{Kind: workload.Image, URL: `http://h/a.png?x="1"`}, {Kind: workload.Recording, URL: "http://h/b.mp3"}}},
	} {
		m.Role = "user"
		body, err := chat.Encode(workload.Request{Messages: []workload.Message{m}}, Options{Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Messages []struct{ Content any }
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		var content any
		if err := json.Unmarshal([]byte(want), &content); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content, got.Messages[0].Content); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want, diff)
		}
	}
}

func TestAnAPISaysWhatItDoesNotTake(t *testing.T) {
	for _, c := range []struct {
		d    Dialect
		kind workload.Kind
		want string
	}{
		{chat, workload.Image, ""}, {chat, workload.Recording, ""},
		{completions, workload.Image, "completions takes no pictures"}, {completions, workload.Recording, "completions takes no recordings"},
	} {
		got := ""
		if err := c.d.Carries(c.kind); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.d.Name, got, c.want)
		}
	}
}
