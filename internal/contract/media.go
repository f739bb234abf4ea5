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
		none  bool
		pool  int
		check func() (string, error)
		kind  workload.Kind
		hint  string
	}{
		{"images", i.IsZero(), i.Pool, i.Check, workload.Image, "write images: {count: 1, width: 512, height: 512, format: jpeg}"},
		{"audio", a.IsZero(), a.Pool, a.Check, workload.Recording, "write audio: {count: 1, length: 5s, sample_rate: 16000}"},
	} {
		if m.none {
			continue
		}
		if _, ok := c.written[at+m.key+".pool"]; ok && m.pool == 0 {
			return c.fail(at+m.key+".pool", "is zero", "write more than zero, or leave it out: then none comes again")
		}
		if key, err := m.check(); err != nil {
			return c.fail(at+m.key+"."+key, err.Error(), m.hint)
		}
		if d, ok := dialect.Find(s.Target.Endpoint); ok {
			if err := d.Carries(m.kind); err != nil {
				return c.fail(at+m.key, "can't be sent: "+err.Error(), "use the endpoint chat")
			}
		}
	}
	return nil
}
