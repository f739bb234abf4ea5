// Pictures and recordings: their defaults and checks.

package contract

import (
	"cmp"
	"time"

	"assay/internal/dialect"
	"assay/internal/unit"
	"assay/internal/workload"
)

var (
	oneMedium   = workload.Length{Law: "constant", A: 1}
	pictureSide = workload.Length{Law: "constant", A: 512}
	audioLength = unit.Pause{Law: "constant", A: unit.Duration(5 * time.Second)}
)

const sampleRate = 16_000

// resolveMedia fills in what images and audio leave out, and refuses what
// can't be made, or not be said to the stream's endpoint.
func (c *Contract) resolveMedia(at string, s *Stream) error {
	w := &s.Workload
	i, a := &w.Images, &w.Audio
	if _, written := c.written[at+"images"]; written || !i.IsZero() {
		i.Count, i.Width, i.Height = cmp.Or(i.Count, oneMedium), cmp.Or(i.Width, pictureSide), cmp.Or(i.Height, pictureSide)
		i.Format = cmp.Or(i.Format, workload.PNG)
	}
	if _, written := c.written[at+"audio"]; written || !a.IsZero() {
		a.Count, a.Length = cmp.Or(a.Count, oneMedium), cmp.Or(a.Length, audioLength)
		a.SampleRate, a.Format = cmp.Or(a.SampleRate, sampleRate), cmp.Or(a.Format, workload.WAV)
	}
	for _, m := range []struct {
		key   string
		check func() (string, error)
		hint  string
		one   workload.Medium
	}{
		{"images", i.Check, "write images: {count: 1, width: 512, height: 512, format: jpeg}", workload.Medium{Kind: workload.Image, Format: i.Format}},
		{"audio", a.Check, "write audio: {count: 1, length: 5s, sample_rate: 16000}", workload.Medium{Kind: workload.Recording, Format: a.Format}},
	} {
		if _, ok := c.written[at+m.key+".pool"]; ok && map[string]int{"images": i.Pool, "audio": a.Pool}[m.key] == 0 {
			return c.fail(at+m.key+".pool", "is zero", "write more than zero, or leave it out: then none comes again")
		}
		if key, err := m.check(); err != nil {
			return c.fail(at+m.key+"."+key, err.Error(), m.hint)
		}
		if m.key == "images" && i.IsZero() || m.key == "audio" && a.IsZero() {
			continue
		}
		if err := takes(s.Target.Endpoint, m.one); err != nil {
			return c.fail(at+m.key, "is of an endpoint that takes it: "+err.Error(), "use the endpoint chat")
		}
	}
	return nil
}

// takes tells whether a medium can be said to an endpoint.
func takes(endpoint string, m workload.Medium) error {
	d, ok := dialect.Find(endpoint)
	if !ok {
		return nil // said elsewhere
	}
	with := workload.Request{Messages: []workload.Message{{Role: "user", Content: "a", Media: []workload.Medium{m}}}}
	_, err := d.Encode(with, dialect.Options{})
	return err
}
