package workload

// Pictures are read by the standard library's decoders, which know nothing of
// how they were put together; a recording by the rules of its header.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"reflect"
	"testing"
	"time"

	"assay/internal/unit"

	"github.com/google/go-cmp/cmp"
)

func fixed(n float64) Length { return Length{Law: "constant", A: n} }

func pictures(format string, width, height Length) Spec {
	return Spec{
		InputTokens: fixed(3), OutputTokens: fixed(5),
		Images: Images{Count: fixed(1), Width: width, Height: height, Format: format},
	}
}

func recordings(length time.Duration, rate int) Spec {
	return Spec{
		InputTokens: fixed(3), OutputTokens: fixed(5),
		Audio: Audio{Count: fixed(1), Length: unit.Pause{Law: "constant", A: unit.Duration(length)}, SampleRate: rate, Format: WAV},
	}
}

func sourceOf(t testing.TB, spec Spec, master uint64) *Source {
	t.Helper()
	s, err := New(spec, master, "main", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fileOf(t testing.TB, m Medium) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(string(m.Data))
	if err != nil {
		t.Fatalf("not base64: %v", err)
	}
	return b
}

// mediaOf are the media of the one message that a request has.
func mediaOf(t testing.TB, s *Source, n uint64) []Medium {
	t.Helper()
	r := s.Request(n)
	if len(r.Messages) != 1 || r.Messages[0].Role != "user" || r.Prompt != "" {
		t.Fatalf("request %d: %d messages and the prompt %q, want one message of the user", n, len(r.Messages), r.Prompt)
	}
	return r.Messages[0].Media
}

func TestPicturesAreReadByTheStandardDecoders(t *testing.T) {
	for _, format := range []string{PNG, JPEG} {
		for _, size := range [][2]int{{32, 32}, {33, 47}, {160, 161}, {4096, 32}, {32, 2048}} {
			name := fmt.Sprintf("%s of %d×%d", format, size[0], size[1])
			s := sourceOf(t, pictures(format, fixed(float64(size[0])), fixed(float64(size[1]))), 1)
			media := mediaOf(t, s, 7)
			if len(media) != 1 || media[0].Kind != Image || media[0].Format != format {
				t.Fatalf("%s: %d media, the first %v %s", name, len(media), media[0].Kind, media[0].Format)
			}
			file := fileOf(t, media[0])
			picture, is, err := image.Decode(bytes.NewReader(file))
			if err != nil || is != format || picture.Bounds() != image.Rect(0, 0, size[0], size[1]) {
				t.Fatalf("%s: decoded as %s (%v)", name, is, err)
			}
			if len(file) != media[0].Bytes {
				t.Errorf("%s: has %d bytes, told are %d", name, len(file), media[0].Bytes)
			}
			if want := (Load{Images: 1, Bytes: int64(len(file))}); s.Load(7) != want {
				t.Errorf("%s: Load = %+v, want %+v", name, s.Load(7), want)
			}
		}
	}
}

func TestNoTwoPicturesAreAlike(t *testing.T) {
	const n = 60
	for _, spec := range []Spec{
		pictures(PNG, fixed(48), fixed(64)), pictures(JPEG, fixed(48), fixed(64)),
		pictures(PNG, Length{Law: "uniform", A: 32, B: 40}, fixed(32)), pictures(JPEG, Length{Law: "uniform", A: 32, B: 40}, fixed(32)),
	} {
		seen := map[string]uint64{}
		for _, salt := range []string{"one", "two"} {
			spec.Salt = salt
			s := sourceOf(t, spec, 1)
			for i := range uint64(n) {
				picture, _, err := image.Decode(bytes.NewReader(fileOf(t, mediaOf(t, s, i)[0])))
				if err != nil {
					t.Fatal(err)
				}
				seen[pixels(picture)] = i
			}
		}
		if len(seen) != 2*n {
			t.Errorf("%s: of %d pictures of two runs %d differ", spec.Images.Format, 2*n, len(seen))
		}
	}
}

// pixels are what whoever looks at a picture has of it.
func pixels(p image.Image) string {
	switch p := p.(type) {
	case *image.RGBA: // PNG without a transparent colour
		return string(p.Pix)
	case *image.YCbCr:
		return string(p.Y)
	}
	panic("a picture of another kind")
}

func TestMediaAreAFunctionOfSeedAndNumber(t *testing.T) {
	spec := pictures(PNG, fixed(50), Length{Law: "uniform", A: 40, B: 80})
	spec.Images.Count = Length{Law: "uniform", A: 1, B: 4}
	spec.Audio = recordings(100*time.Millisecond, 8000).Audio
	a, b := sourceOf(t, spec, 3), sourceOf(t, spec, 3)
	for _, n := range []uint64{9, 0, 1 << 48} {
		if !reflect.DeepEqual(a.Request(n), b.Request(n)) {
			t.Errorf("request %d is another the second time", n)
		}
	}
	spec.Salt = "another"
	other := sourceOf(t, spec, 3)
	counts := map[int]bool{}
	for n := range uint64(50) {
		if a.Load(n) != other.Load(n) {
			t.Errorf("request %d: the salt changes %+v to %+v", n, a.Load(n), other.Load(n))
		}
		if got := a.Request(n).Load(); got != a.Load(n) {
			t.Errorf("request %d carries %+v, planned is %+v", n, got, a.Load(n))
		}
		counts[a.Load(n).Images] = true
	}
	if len(counts) != 4 {
		t.Errorf("numbers of images that occur: %v, want 1 to 4", counts)
	}
}

func TestAPoolsMembersComeAgainAndNoOthers(t *testing.T) {
	for _, format := range []string{PNG, JPEG} {
		spec := pictures(format, Length{Law: "uniform", A: 32, B: 64}, fixed(40))
		spec.Images.Pool = 3
		s := sourceOf(t, spec, 1)
		seen := map[string]int{}
		for n := range uint64(100) {
			seen[string(mediaOf(t, s, n)[0].Data)]++
		}
		if len(seen) != 3 {
			t.Errorf("%s: a pool of 3 has %d pictures", format, len(seen))
		}
	}
}

func TestARecordingSaysWhatItIs(t *testing.T) {
	for _, c := range []struct {
		length  time.Duration
		rate    int
		samples uint32
	}{{time.Second, 16000, 16000}, {100 * time.Millisecond, 8000, 800}, {30 * time.Second, 16000, 480000}, {12345 * time.Microsecond * 100, 44100, 54441}} {
		s := sourceOf(t, recordings(c.length, c.rate), 1)
		m := mediaOf(t, s, 4)[0]
		file, le := fileOf(t, m), binary.LittleEndian
		if len(file) != m.Bytes || m.Format != WAV || m.Kind != Recording {
			t.Fatalf("%s: %d bytes, told are %d of %s", c.length, len(file), m.Bytes, m.Format)
		}
		for _, f := range []struct {
			what      string
			got, want uint32
		}{
			{"bytes behind the first eight", le.Uint32(file[4:]), uint32(len(file) - 8)},
			{"kind of samples", uint32(le.Uint16(file[20:])), 1},
			{"channels", uint32(le.Uint16(file[22:])), 1},
			{"rate", le.Uint32(file[24:]), uint32(c.rate)},
			{"bytes a second", le.Uint32(file[28:]), uint32(c.rate) * 2},
			{"bytes a sample", uint32(le.Uint16(file[32:])), 2},
			{"bits a sample", uint32(le.Uint16(file[34:])), 16},
			{"bytes of samples", le.Uint32(file[40:]), 2 * c.samples},
		} {
			if f.got != f.want {
				t.Errorf("%s at %d/s: %s = %d, want %d", c.length, c.rate, f.what, f.got, f.want)
			}
		}
		if text := string(file[:4]) + string(file[8:16]) + string(file[36:40]); text != "RIFFWAVEfmt data" {
			t.Errorf("%s: marks %q", c.length, text)
		}
		if got, want := m.Length, int64(c.samples)*1e9/int64(c.rate); got != want || s.Load(4).Audio != want {
			t.Errorf("%s: lasts %d ns, planned are %d, want %d", c.length, got, s.Load(4).Audio, want)
		}
	}
}

func TestNoTwoRecordingsBeginAlike(t *testing.T) {
	s := sourceOf(t, recordings(200*time.Millisecond, 8000), 1)
	begins, all := map[string]bool{}, map[string]bool{}
	const n = 300
	for i := range uint64(n) {
		file := fileOf(t, mediaOf(t, s, i)[0])
		begins[string(file[44:60])] = true
		all[string(file[44+64:])] = true
	}
	// Where the noise is entered repeats with a chance of 300²/2/65536: some do.
	if len(begins) != n || len(all) < n-10 {
		t.Errorf("of %d recordings %d begin and %d go on differently", n, len(begins), len(all))
	}
}

func TestMediaThatCannotBeMadeAreRefused(t *testing.T) {
	for want, spec := range map[string]Spec{
		`images.format: unknown format "gif": known are png, jpeg`:                                                               pictures("gif", fixed(64), fixed(64)),
		"images.width: 8 is not between 32 and 4096 pixels":                                                                      pictures(PNG, fixed(8), fixed(64)),
		"images.height: 5000 is not between 32 and 4096 pixels":                                                                  pictures(PNG, fixed(64), fixed(5000)),
		"images.width: normal(60, 20) is not between 32 and 4096 pixels":                                                         pictures(JPEG, Length{Law: "normal", A: 60, B: 20}, fixed(64)),
		"audio.length: a recording of 20m is not between 100ms and 10m":                                                          recordings(20*time.Minute, 8000),
		"audio.sample_rate: 4000 samples a second is not between 8000 and 48000":                                                 recordings(time.Second, 4000),
		"images.count: length is not set: want 550, uniform(100, 200), normal(550, 150), lognormal(550, 150) or zipf(1.1, 4000)": {InputTokens: fixed(1), OutputTokens: fixed(1), Images: Images{Width: fixed(64), Height: fixed(64), Format: PNG}},
	} {
		if _, err := New(spec, 1, "main", nil, nil); err == nil || err.Error() != want {
			t.Errorf("New: %v, want %s", err, want)
		}
	}
	wide := pictures(PNG, Length{Law: "normal", A: 100, B: 20}, fixed(64)) // 3e-4 of its draws are cut
	if _, err := New(wide, 1, "main", nil, nil); err != nil {
		t.Errorf("a law of which little is cut: %v", err)
	}
}

func TestEachTurnOfASessionHasMediaAndKeepsThose(t *testing.T) {
	spec := pictures(PNG, fixed(32), fixed(32))
	spec.Sessions = &Sessions{Turns: Turns{fixed(2)}, InputTokens: fixed(2), History: Live}
	s := sourceOf(t, spec, 1)
	talks, err := NewTalks(s, spec, 1, "main")
	if err != nil {
		t.Fatal(err)
	}
	talk, err := talks.Talk(5)
	if err != nil {
		t.Fatal(err)
	}
	first, second := talk.Request(0, nil), talk.Request(1, []Reply{{Text: "so it is", Tokens: 3}})
	size := int64(pngBytes(32, 32))
	if got := second.Load(); first.Load() != (Load{Images: 1, Bytes: size}) || got != (Load{Images: 2, Bytes: 2 * size}) {
		t.Errorf("turns carry %+v and %+v, want one picture and two", first.Load(), got)
	}
	if diff := cmp.Diff(first.Messages[0], second.Messages[0]); diff != "" {
		t.Errorf("the history is another one:\n%s", diff)
	}
	if got, want := talk.Loads(), []Load{first.Load(), second.Load()}; !cmp.Equal(got, want) {
		t.Errorf("planned are %+v, want %+v", got, want)
	}
}

func BenchmarkMedia(b *testing.B) {
	for name, spec := range map[string]Spec{
		"png-512":       pictures(PNG, fixed(512), fixed(512)),
		"png-512-drawn": pictures(PNG, Length{Law: "uniform", A: 512, B: 512}, fixed(512)),
		"jpeg-512":      pictures(JPEG, fixed(512), fixed(512)),
		"jpeg-1024":     pictures(JPEG, fixed(1024), fixed(1024)),
		"wav-10s-16000": recordings(10*time.Second, 16000),
	} {
		b.Run(name, func(b *testing.B) {
			s := sourceOf(b, spec, 1)
			b.ReportAllocs()
			b.SetBytes(s.Load(0).Bytes)
			n := uint64(0)
			for b.Loop() {
				if s.media.of(n) == nil {
					b.Fatal("no media")
				}
				n++
			}
		})
	}
}
