package dispatch

// How a body comes apart into events: one splitter for each framing that
// dialects have.

import (
	"slices"

	"assay/internal/dialect"
	"assay/internal/wire"
	"assay/internal/wire/jsonlines"
	"assay/internal/wire/sse"
)

// A Splitter takes the body of a streamed reply apart.
type Splitter interface {
	Reset()
	Buffer() []byte
	Size() int
	Advance(wire.Piece)
	Next() (wire.Event, bool)
	Flush() (wire.Event, bool)
	Err() error
}

// NewSplitter returns the splitter of a framing.
func NewSplitter(f dialect.Framing) Splitter {
	switch f {
	case dialect.JSONLines:
		return &jsonlines.Scanner{}
	default:
		return &sse.Scanner{}
	}
}

// IsStream tells whether an answer with this content type is a stream of events
// of the dialect.
func IsStream(d *dialect.Dialect, contentType string) bool {
	return slices.Contains(d.Framing.Types(), mediaType(contentType))
}
