// Pictures and recordings beside the words of a request.

package workload

import "assay/internal/unit"

// Forms of media that are made here.
const (
	PNG  = "png"
	JPEG = "jpeg"
	WAV  = "wav"
)

// Images are the pictures of every request.
type Images struct {
	Count  Length `yaml:"count,omitempty" json:"count,omitzero"` // of each request
	Width  Length `yaml:"width,omitempty" json:"width,omitzero"` // pixels
	Height Length `yaml:"height,omitempty" json:"height,omitzero"`
	Format string `yaml:"format,omitempty" json:"format,omitempty"` // PNG or JPEG
	Pool   int    `yaml:"pool,omitempty" json:"pool,omitempty"`     // so many different ones, which come again; 0: none comes again
}

// Audio are the recordings of every request.
type Audio struct {
	Count      Length     `yaml:"count,omitempty" json:"count,omitzero"`   // of each request
	Length     unit.Pause `yaml:"length,omitempty" json:"length,omitzero"` // of each recording
	SampleRate int        `yaml:"sample_rate,omitempty" json:"sample_rate,omitempty"`
	Format     string     `yaml:"format,omitempty" json:"format,omitempty"` // WAV
	Pool       int        `yaml:"pool,omitempty" json:"pool,omitempty"`     // as of images
}

// IsZero tells whether requests have no pictures.
func (i Images) IsZero() bool { return i == Images{} }

// IsZero tells whether requests have no recordings.
func (a Audio) IsZero() bool { return a == Audio{} }

// Bounds of media. What a law puts beyond them is cut to them, and a law that
// puts more than a hundredth there is refused. Pictures below the least side
// could be alike by chance, and no vision model takes them.
const (
	LeastSide, MostSide = 32, 4096 // pixels
	MostMedia           = 64       // in one message, of a kind
	MaxPool             = 1_000_000

	LeastAudio, MostAudio = int64(100e6), int64(600e9) // ns
	LeastRate, MostRate   = 8_000, 48_000              // samples a second
)

// A Kind is what a medium is for a server.
type Kind uint8

const (
	Image Kind = iota
	Recording
)

// A Medium is one picture or recording. One of Data, URL and Path is set.
type Medium struct {
	Kind   Kind
	Format string // PNG, JPEG, WAV, or what else a file has: "webp", "mp3"
	Data   []byte // in base64, as every API has it
	URL    string // where the server fetches it itself
	Path   string // of a file from which Data is read when it is sent
	Bytes  int    // without base64; 0 where the server fetches it
	Length int64  // ns, of a recording; 0 where it is not known
}

// A Load is the media of one request, or of several.
type Load struct {
	Images int   // pictures
	Audio  int64 // ns of recordings
	Bytes  int64 // of both, without base64
}

func (l Load) plus(o Load) Load {
	return Load{l.Images + o.Images, l.Audio + o.Audio, l.Bytes + o.Bytes}
}

func loadOf(media []Medium) Load {
	var l Load
	for _, m := range media {
		l.Bytes += int64(m.Bytes)
		l.Audio += m.Length
		if m.Kind == Image {
			l.Images++
		}
	}
	return l
}

// Load is what all messages of the request carry.
func (r Request) Load() Load {
	var l Load
	for _, m := range r.Messages {
		l = l.plus(loadOf(m.Media))
	}
	return l
}
