package format

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

// wavFile has a chunk of another kind before its samples, as recorders write them.
func wavFile(rate, samples uint32) string {
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, 36+10+samples*2)...)
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(le.AppendUint16(b, 1), 1)
	b = le.AppendUint32(le.AppendUint32(b, rate), rate*2)
	b = le.AppendUint16(le.AppendUint16(b, 2), 16)
	b = append(le.AppendUint32(append(b, "LIST"...), 1), 'x', 0)
	b = le.AppendUint32(append(b, "data"...), samples*2)
	return string(b) + strings.Repeat("\x00", int(samples*2))
}

const (
	pngFile  = "\x89PNG\r\n\x1a\nand so on"
	webpFile = "RIFF\x04\x00\x00\x00WEBPVP8 "
)

func coded(file string) string { return base64.StdEncoding.EncodeToString([]byte(file)) }

// holdingMedia has the rows in a folder, a picture beside them, and one in the
// working folder.
func holdingMedia(rows string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"data/rows.jsonl": rows, "data/a.png": pngFile, "data/deep/b.webp": webpFile, "c.jpeg": "\xff\xd8\xff\xe0", "data/d.wav": wavFile(8000, 12000),
		"data/e.mp3": "ID3\x04", "data/passwd": "root:x:0:0",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// filed is the source of a file's requests.
func filed(t *testing.T, files fstest.MapFS, o Options) (*workload.File, *workload.Source) {
	t.Helper()
	f, err := Open(files, "data/rows.jsonl", o)
	if err != nil {
		t.Fatal(err)
	}
	spec := workload.Spec{File: "data/rows.jsonl", Order: workload.Sequential, OutputTokens: workload.Length{Law: "constant", A: 5}}
	s, err := workload.NewFiled(spec, 1, "main", f, 0, func(text string) int { return len(strings.Fields(text)) })
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

func TestMediaOfARowAreSentAsTheyAreWhereverTheyLie(t *testing.T) {
	image := func(format, file string) workload.Medium {
		return workload.Medium{Kind: workload.Image, Format: format, Data: []byte(coded(file)), Bytes: len(file)}
	}
	wav := wavFile(8000, 12000)
	sound := workload.Medium{Kind: workload.Recording, Format: "wav", Data: []byte(coded(wav)), Bytes: len(wav), Length: 1.5e9}
	for _, c := range []struct {
		row  string
		text string
		want []workload.Medium
	}{
		{`{"text": "what is it", "image": "a.png"}`, "what is it", []workload.Medium{image("png", pngFile)}},
		{`{"text": "both", "images": ["deep/b.webp", "c.jpeg"]}`, "both", []workload.Medium{image("webp", webpFile), image("jpeg", "\xff\xd8\xff\xe0")}},
		{`{"images": [{"name": "x", "contents": ["data:image/png;base64,` + coded(pngFile) + `"]}]}`, "", []workload.Medium{image("png", pngFile)}},
		{`{"text": "far", "image": "https://h/p.png?q=1", "audio": "http://h/s.mp3"}`, "far", []workload.Medium{{Kind: workload.Image, URL: "https://h/p.png?q=1"}, {Kind: workload.Recording, URL: "http://h/s.mp3"}}},
		{`{"text": "hear", "audio": "d.wav"}`, "hear", []workload.Medium{sound}},
		{`{"text": "hear", "audios": ["wav,` + coded(wav) + `", "e.mp3"]}`, "hear", []workload.Medium{sound, {Kind: workload.Recording, Format: "mp3", Data: []byte(coded("ID3\x04")), Bytes: 4}}},
	} {
		f, s := filed(t, holdingMedia(c.row+"\n"), Options{Format: "single_turn", Strict: true})
		want := []workload.Message{{Role: "user", Content: c.text, Media: c.want}}
		r := s.Request(0)
		if diff := cmp.Diff(want, r.Messages); diff != "" || r.Err != nil {
			t.Errorf("%.70s: %v (-want +got):\n%s", c.row, r.Err, diff)
		}
		if e, err := f.Entry(0); err != nil || strings.Contains(c.row, "a.png") && (e.Messages[0].Media[0].Data != nil || e.Messages[0].Media[0].Path != "data/a.png") {
			t.Errorf("%.70s: the entry, which is held, has its picture too (%v)", c.row, err)
		}
		if got := s.Load(0); got != r.Load() {
			t.Errorf("%.70s: planned %+v, sent %+v", c.row, got, r.Load())
		}
		if f.Media[workload.Image]+f.Media[workload.Recording] != len(c.want) || !s.HasMedia() {
			t.Errorf("%.70s: the file has %v, want %d", c.row, f.Media, len(c.want))
		}
	}
}

func TestMediaThatCannotBeSentLeaveTheirLineOut(t *testing.T) {
	for row, want := range map[string]string{
		`{"text": "a", "image": "gone.png"}`:                   `image: "gone.png" is no address, and there is no such file`,
		`{"text": "a", "image": "passwd"}`:                     "image: is neither PNG, JPEG, GIF nor WebP",
		`{"text": "a", "image": "d.wav"}`:                      "image: is neither PNG, JPEG, GIF nor WebP",
		`{"text": "a", "audio": "a.png"}`:                      "audio: is neither WAV nor MP3",
		`{"text": "a", "image": "ftp://h/a.png"}`:              `image: "ftp://h/a.png" is no address, and there is no such file`,
		`{"text": "a", "image": "data:image/png;base64,?"}`:    "image: is no base64",
		`{"text": "a", "image": "a.png", "images": ["a.png"]}`: "it has both image and images",
		`{"text": "a", "images": "a.png"}`:                     "images is no list of texts",
		`{"text": "a", "image": 5}`:                            "image is no text",
		`{"text": "a", "video": "v.mp4"}`:                      "video: pictures and recordings are sent, and no films",
	} {
		f, err := Open(holdingMedia(`{"text": "good"}`+"\n"+row+"\n"), "data/rows.jsonl", Options{Format: "single_turn"})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Examples) != 1 || f.Examples[0] != "data/rows.jsonl:2: "+want {
			t.Errorf("%s: %q, want %s", row, f.Examples, want)
		}
	}
}

func TestAPictureStaysInTheHistoryOfItsSession(t *testing.T) {
	row := `{"session_id": "s", "turns": [{"role": "system", "text": "be brief"}, {"text": "what is it", "image": "a.png"}, {"text": "and now", "image": "c.jpeg"}]}`
	_, s := filed(t, holdingMedia(row+"\n"), Options{Format: "multi_turn", Strict: true})
	talks, err := workload.NewTalks(s, workload.Spec{}, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	talk, err := talks.Talk(0)
	if err != nil {
		t.Fatal(err)
	}
	r := talk.Request(1, []workload.Reply{{Text: "a dot", Tokens: 2}})
	var got []string
	for _, m := range r.Messages {
		line := m.Role + ": " + m.Content
		for _, x := range m.Media {
			line += " +" + x.Format
			if raw, err := base64.StdEncoding.DecodeString(string(x.Data)); err != nil || len(raw) != x.Bytes {
				t.Errorf("%s: %d bytes (%v), told are %d", line, len(raw), err, x.Bytes)
			}
		}
		got = append(got, line)
	}
	want := []string{"system: be brief", "user: what is it +png", "assistant: a dot", "user: and now +jpeg"}
	if diff := cmp.Diff(want, got); diff != "" || r.Err != nil {
		t.Errorf("%v (-want +got):\n%s", r.Err, diff)
	}
	if loads := talk.Loads(); loads[1] != r.Load() || loads[0].Images != 1 {
		t.Errorf("planned %+v, sent %+v", loads, r.Load())
	}
}

func TestAPictureThatIsGoneEndsTheRun(t *testing.T) {
	files := holdingMedia(`{"text": "a", "image": "a.png"}` + "\n")
	_, s := filed(t, files, Options{Format: "single_turn"})
	delete(files, "data/a.png")
	if r := s.Request(0); r.Err == nil {
		t.Errorf("%+v is sent without its picture", r.Messages)
	}
}
