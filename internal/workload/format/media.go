package format

// Pictures and recordings of AIPerf's rows: in the row, at an address that the
// server fetches itself, or in a file. A file is looked for beside the file of
// requests, then from the working folder on, where AIPerf looks; it is sent as
// it is, which AIPerf writes anew.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"assay/internal/workload"
)

const (
	mediumHead = 512      // bytes that tell what a file is
	mostMedium = 64 << 20 // bytes; more is a slip, such as a film
)

// media are all that a row carries.
func (s *single) media(o object) ([]workload.Medium, error) {
	if given(s.Video) || given(s.Videos) {
		return nil, errors.New("video: pictures and recordings are sent, and no films")
	}
	var list []workload.Medium
	for _, m := range []struct {
		name      string
		one, more json.RawMessage
		read      func(o object, text string) (workload.Medium, error)
	}{{"image", s.Image, s.Images, pictureOf}, {"audio", s.Audio, s.Audios, recordingOf}} {
		values, err := several(m.name, m.one, m.more)
		if err != nil {
			return nil, err
		}
		for _, text := range values {
			x, err := m.read(o, text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
			list = append(list, x)
		}
	}
	return list, nil
}

// several is the one value, or those of the list.
func several(name string, one, more json.RawMessage) ([]string, error) {
	switch {
	case given(one) && given(more):
		return nil, fmt.Errorf("it has both %s and %ss", name, name)
	case given(more):
		all, err := texts(more)
		if err != nil {
			return nil, fmt.Errorf("%ss is no list of texts", name)
		}
		return all, nil
	case !given(one):
		return nil, nil
	}
	var text string
	if json.Unmarshal(one, &text) != nil || text == "" {
		return nil, fmt.Errorf("%s is no text", name)
	}
	return []string{text}, nil
}

func pictureOf(o object, text string) (workload.Medium, error) {
	x := workload.Medium{Kind: workload.Image}
	if _, data, ok := strings.Cut(text, ";base64,"); ok && strings.HasPrefix(text, "data:") {
		return here(x, data)
	}
	return o.elsewhere(x, text)
}

// recordingOf reads wav,BASE64 too, as AIPerf has recordings in a row.
func recordingOf(o object, text string) (workload.Medium, error) {
	x := workload.Medium{Kind: workload.Recording}
	if format, data, ok := strings.Cut(text, ","); ok && (strings.EqualFold(format, "wav") || strings.EqualFold(format, "mp3")) {
		return here(x, data)
	}
	return o.elsewhere(x, text)
}

// here is a medium that stands in the row.
func here(x workload.Medium, data string) (workload.Medium, error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return x, errors.New("is no base64")
	}
	x.Data, x.Bytes = []byte(data), len(raw)
	return x, tell(&x, raw[:min(len(raw), mediumHead)])
}

// elsewhere is one that does not.
func (o object) elsewhere(x workload.Medium, text string) (workload.Medium, error) {
	if u, err := url.Parse(text); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		x.URL = text
		return x, nil
	}
	beside := path.Join(path.Dir(o.name), text)
	if path.IsAbs(text) {
		beside = text
	}
	for _, x.Path = range []string{beside, text} {
		f, err := o.fsys.Open(x.Path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			return x, err
		}
		defer f.Close()
		return x, glance(&x, f)
	}
	return x, fmt.Errorf("%q is no address, and there is no such file", shorten(text))
}

// glance looks at the beginning of a file.
func glance(x *workload.Medium, f fs.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > mostMedium {
		return fmt.Errorf("%s has %d MB: too much for one request", x.Path, info.Size()>>20)
	}
	head := make([]byte, mediumHead)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && err != io.EOF {
		return err
	}
	x.Bytes = int(info.Size())
	return tell(x, head[:n])
}

// tell says of a medium what its first bytes say. What they don't tell is not
// sent: a path in a stranger's file may lead anywhere.
func tell(x *workload.Medium, head []byte) error {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		x.Format = workload.PNG
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		x.Format = workload.JPEG
	case bytes.HasPrefix(head, []byte("GIF8")):
		x.Format = "gif"
	case len(head) > 12 && string(head[:4])+string(head[8:12]) == "RIFFWEBP":
		x.Format = "webp"
	}
	if x.Kind == workload.Image {
		if x.Format == "" {
			return errors.New("is neither PNG, JPEG, GIF nor WebP")
		}
		return nil
	}
	switch {
	case len(head) > 12 && string(head[:4])+string(head[8:12]) == "RIFFWAVE":
		x.Format, x.Length = workload.WAV, wavLength(head)
	case bytes.HasPrefix(head, []byte("ID3")), len(head) > 2 && head[0] == 0xff && head[1]&0xe0 == 0xe0 && x.Format == "":
		x.Format = "mp3"
	default:
		return errors.New("is neither WAV nor MP3")
	}
	return nil
}

// wavLength is how long a recording lasts by its head, in ns; 0 where that does
// not reach to the samples.
func wavLength(head []byte) int64 {
	le, rate := binary.LittleEndian, uint32(0)
	for at := 12; at+8 <= len(head); {
		size := le.Uint32(head[at+4:])
		switch string(head[at : at+4]) {
		case "fmt ":
			if at+20 <= len(head) {
				rate = le.Uint32(head[at+16:])
			}
		case "data":
			if rate == 0 {
				return 0
			}
			return int64(float64(size) / float64(rate) * second)
		}
		at += 8 + int(min(size, mostMedium)+1)/2*2
	}
	return 0
}
