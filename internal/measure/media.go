package measure

import "assay/internal/record"

// Media are the pictures and recordings of the requests of the window that
// succeeded.
type Media struct {
	Requests int64 // that had any
	Images   int64
	AudioMS  int64 // ms of recordings, as far as their length is known
	Bytes    int64 // of both, without base64

	// Of requests that succeeded and ended inside the window, those due in the
	// warm-up included, as completions are counted.
	ImagesInside, AudioMSInside int64
}

func (m *Media) add(r *record.Record, w Window) {
	if r.Status != record.OK || !r.HasMedia() {
		return
	}
	if w.holds(r.Ended) {
		m.ImagesInside += int64(r.Images)
		m.AudioMSInside += int64(r.AudioMS)
	}
	if r.Phase != record.Measured {
		return
	}
	m.Requests++
	m.Images += int64(r.Images)
	m.AudioMS += int64(r.AudioMS)
	m.Bytes += int64(r.MediaBytes)
}
