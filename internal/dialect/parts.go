package dialect

// Pictures and recordings in a message, as OpenAI's chat has them: the content
// is a list of parts then, the words first.

import (
	"fmt"

	"assay/internal/workload"
)

// Carries tells why requests with such media can't be said to an API.
func (d Dialect) Carries(kind workload.Kind) error {
	takes, name := Images, "pictures"
	if kind == workload.Recording {
		takes, name = Audio, "recordings"
	}
	if d.Takes&takes == 0 {
		return fmt.Errorf("%s takes no %s", d.Name, name)
	}
	return nil
}

// appendContent appends what a message says: a bare string where it has words
// only, since some servers' templates know no other.
func appendContent(dst []byte, m workload.Message) []byte {
	if len(m.Media) == 0 {
		return appendText(dst, m.Content)
	}
	dst = append(dst, '[')
	if m.Content != "" {
		dst = append(appendText(append(dst, `{"type":"text","text":`...), m.Content), `},`...)
	}
	for i := range m.Media {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendMedium(dst, &m.Media[i])
	}
	return append(dst, ']')
}

// appendMedium appends one part. That a server is to fetch a recording itself
// OpenAI does not know; vLLM calls it audio_url.
func appendMedium(dst []byte, m *workload.Medium) []byte {
	switch {
	case m.Kind == workload.Image && m.URL != "":
		return append(appendText(append(dst, `{"type":"image_url","image_url":{"url":`...), m.URL), `}}`...)
	case m.Kind == workload.Image:
		dst = append(dst, `{"type":"image_url","image_url":{"url":"data:image/`...)
		dst = append(append(dst, m.Format...), `;base64,`...)
		return append(append(dst, m.Data...), `"}}`...)
	case m.URL != "":
		return append(appendText(append(dst, `{"type":"audio_url","audio_url":{"url":`...), m.URL), `}}`...)
	}
	dst = append(append(dst, `{"type":"input_audio","input_audio":{"data":"`...), m.Data...)
	return append(appendText(append(dst, `","format":`...), m.Format), `}}`...)
}

// mediaSize is about how long the media of a request are in its body.
func mediaSize(r workload.Request) int {
	n := 0
	for i := range r.Messages {
		for _, m := range r.Messages[i].Media {
			n += len(m.Data) + len(m.URL) + 64
		}
	}
	return n
}
