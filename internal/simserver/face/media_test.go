package face

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// picture is one as the standard library's encoder writes it, in base64.
func picture(t *testing.T, format string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch m := image.NewGray(image.Rect(0, 0, 40, 30)); format {
	case "png":
		err = png.Encode(&b, m)
	default:
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// recording is 16-bit samples of one channel, in base64.
func recording(rate, samples, told uint32) string {
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, 36+told*2)...)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(le.AppendUint16(b, 1), 1)
	b = le.AppendUint32(le.AppendUint32(b, rate), rate*2)
	b = le.AppendUint16(le.AppendUint16(b, 2), 16)
	b = le.AppendUint32(append(b, "data"...), told*2)
	return base64.StdEncoding.EncodeToString(append(b, make([]byte, samples*2)...))
}

func imagePart(url string) string { return `{"type":"image_url","image_url":{"url":"` + url + `"}}` }

func audioPart(data string) string {
	return `{"type":"input_audio","input_audio":{"data":"` + data + `","format":"wav"}}`
}

func TestAChatTellsItsMediaAndWhereTheyStand(t *testing.T) {
	a, b := "data:image/png;base64,"+picture(t, "png"), "data:image/jpeg;base64,"+picture(t, "jpeg")
	sound := recording(8000, 12000, 12000)
	body := `{"messages":[{"role":"user","content":[{"type":"text","text":"what is it?"},` + imagePart(a) + `]},{"role":"assistant","content":"a line"},` +
		`{"role":"user","content":[` + imagePart(b) + `,` + audioPart(sound) + `,{"type":"text","text":"` + words + `"}]}]}`
	got, err := chat.Parse([]byte(body))
	want := Ask{Texts: []string{"what is it?", "a line", words}, Media: []Medium{
		{Behind: 0, Picture: true, Source: a}, {Behind: 2, Picture: true, Source: b}, {Behind: 2, Source: sound, Seconds: 1.5},
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestWhatIsNoPictureAndNoRecordingIsRefused(t *testing.T) {
	ok := picture(t, "png")
	for part, want := range map[string]string{
		imagePart("data:image/png;base64," + ok):                "",
		imagePart("http://127.0.0.1/a.png"):                     "this server fetches nothing: image_url must be a data URL",
		imagePart("data:text/plain;base64," + ok):               "image_url must be data:image/…;base64,…",
		imagePart("data:image/png," + ok):                       "image_url must be data:image/…;base64,…",
		imagePart("data:image/webp;base64," + ok):               "the picture is png and said to be image/webp",
		imagePart("data:image/png;base64," + ok[:12]):           "the picture can't be read: unexpected EOF",
		imagePart("data:image/png;base64," + words):             "the picture can't be read: image: unknown format",
		imagePart("data:image/png;base64,QUJDREVGR0hJSktMTU5P"): "the picture can't be read: image: unknown format",
		audioPart(recording(8000, 400, 400)):                    "",
		audioPart(recording(8000, 100, 400)):                    "the recording breaks off",
		audioPart(recording(0, 100, 100)):                       "the recording breaks off",
		audioPart(ok):                                           "the recording can't be read: this server reads WAV",
		`{"type":"video_url","video_url":{"url":"x"}}`:          `a part of content is of the type "video_url": known are text, image_url and input_audio`,
	} {
		_, err := chat.Parse([]byte(`{"messages":[{"content":[{"type":"text","text":"a"},` + part + `]}]}`))
		if got := ""; err != nil {
			if got = strings.TrimPrefix(err.Error(), "the body is not the JSON of this endpoint: "); got != want {
				t.Errorf("%.60s: %s, want %q", part, got, want)
			}
		} else if want != "" {
			t.Errorf("%.60s: taken, want %q", part, want)
		}
	}
}
