package run

// Pictures and recordings in a plan.

import (
	"iter"

	"assay/internal/workload"
)

// PlannedMedia is what stands beside the words of requests: of one, and all
// that a PlanSum adds up.
type PlannedMedia struct {
	Images  int64 `json:"images,omitempty"`
	AudioMS int64 `json:"audio_ms,omitempty"`
	Bytes   int64 `json:"media_bytes,omitempty"` // of both, without base64
}

func plannedMedia(l workload.Load) PlannedMedia {
	return PlannedMedia{Images: int64(l.Images), AudioMS: l.Audio / 1e6, Bytes: l.Bytes}
}

func (m *PlannedMedia) add(o PlannedMedia) {
	m.Images += o.Images
	m.AudioMS += o.AudioMS
	m.Bytes += o.Bytes
}

// withMedia tells of each request what it carries.
func withMedia(source *workload.Source, requests iter.Seq[PlannedRequest]) iter.Seq[PlannedRequest] {
	if !source.HasMedia() {
		return requests
	}
	return func(yield func(PlannedRequest) bool) {
		for r := range requests {
			r.PlannedMedia = plannedMedia(source.Load(r.Seq))
			if !yield(r) {
				return
			}
		}
	}
}
