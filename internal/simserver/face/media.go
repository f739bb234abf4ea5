package face

// Pictures and recordings of a request. Nothing of them is looked at but what
// tells that they are ones: a server would decode them all, and this one is to
// cost little.

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"strings"
)

// A Medium is a picture or a recording.
type Medium struct {
	Behind  int     // which of the texts it stands behind, from 0
	Picture bool    // else a recording
	Source  string  // its data URL, or its data in base64
	Seconds float64 // of a recording
}

// seen looks at the media of what was asked, and refuses what is none.
func seen(a Ask, err error) (Ask, error) {
	for i := range a.Media {
		if err != nil {
			break
		}
		if m := &a.Media[i]; m.Picture {
			err = checkPicture(m.Source)
		} else {
			m.Seconds, err = checkRecording(m.Source)
		}
	}
	if err != nil {
		return Ask{}, err
	}
	return a, nil
}

func checkPicture(url string) error {
	media, data, isData := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	switch {
	case !strings.HasPrefix(url, "data:"):
		return errors.New("this server fetches nothing: image_url must be a data URL")
	case !isData || !strings.HasPrefix(media, "image/"):
		return errors.New("image_url must be data:image/…;base64,…")
	}
	_, format, err := image.DecodeConfig(decoded(data))
	switch {
	case err != nil:
		return fmt.Errorf("the picture can't be read: %w", err)
	case "image/"+format != media:
		return fmt.Errorf("the picture is %s and said to be %s", format, media)
	}
	return nil
}

// checkRecording reads the head of a WAV as everybody writes it, and how long
// it lasts.
func checkRecording(data string) (seconds float64, err error) {
	var head [44]byte
	if _, err := io.ReadFull(decoded(data), head[:]); err != nil || string(head[:4]) != "RIFF" || string(head[8:16]) != "WAVEfmt " || string(head[36:40]) != "data" {
		return 0, errors.New("the recording can't be read: this server reads WAV")
	}
	rate, size := binary.LittleEndian.Uint32(head[28:]), binary.LittleEndian.Uint32(head[40:])
	if there := base64.StdEncoding.DecodedLen(len(data)) - len(head); rate == 0 || int64(size) > int64(there) {
		return 0, errors.New("the recording breaks off")
	}
	return float64(size) / float64(rate), nil
}

func decoded(data string) io.Reader {
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))
}
