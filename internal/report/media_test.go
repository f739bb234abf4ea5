package report

import (
	"testing"

	"assay/internal/result"
)

func TestPicturesAndRecordingsStandBesideTheTokens(t *testing.T) {
	r := settled()
	r.Media = &result.Media{Requests: 412, Images: 824, AudioSeconds: 1236.5, Bytes: 34_567_890, ImageRate: ptr(13.7), AudioRate: ptr(20.6)}
	r.Lengths.WithMedia = &result.Length{Requests: 412,
		Requested: &result.Spread{Mean: ptr(50), P50: ptr(50), P99: ptr(50)},
		Seen:      &result.Spread{Mean: ptr(625.75), P50: ptr(612), P99: ptr(868)},
	}
	golden(t, "media", r, Options{})
}
