package result

import "assay/internal/measure"

// Media is the pictures and recordings of the requests of the window that
// succeeded. Rates are of requests that ended inside the window.
type Media struct {
	Requests     int64    `json:"requests"` // that had any
	Images       int64    `json:"images"`
	AudioSeconds float64  `json:"audio_seconds"` // as far as lengths are known
	Bytes        int64    `json:"bytes"`         // without base64
	ImageRate    *float64 `json:"image_rate"`    // pictures per second
	AudioRate    *float64 `json:"audio_rate"`    // seconds of recordings per second
}

// media is nil where no request had any.
func (b *builder) media() *Media {
	m := &b.s.Media
	if *m == (measure.Media{}) {
		return nil
	}
	r := &Media{Requests: m.Requests, Images: m.Images, AudioSeconds: float64(m.AudioMS) / 1e3, Bytes: m.Bytes}
	if seconds := b.w.Seconds(); seconds > 0 {
		r.ImageRate, r.AudioRate = number(float64(m.ImagesInside)/seconds), number(float64(m.AudioMSInside)/1e3/seconds)
	}
	return r
}
