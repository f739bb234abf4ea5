// Which media request n has: how many, of which sizes, with what in them.

package workload

import (
	"fmt"
	"math/rand/v2"

	"assay/internal/seed"
)

// media deals the media of a stream. Numbers and sizes are of the seed alone;
// what is in them is of the salt too, as words are.
type media struct {
	images Images
	audio  Audio
	png    *pngMaker // where images are PNG
	jpeg   *jpegMaker
	wav    *wavMaker

	counts, sizes, members, content [2]seed.Key // by Kind
}

// newMedia is nil where the spec has no media.
func newMedia(spec Spec, master uint64, stream string) (*media, error) {
	if spec.Images.IsZero() && spec.Audio.IsZero() {
		return nil, nil
	}
	m := &media{images: spec.Images, audio: spec.Audio}
	for kind, name := range [...]string{Image: "image", Recording: "audio"} {
		m.counts[kind] = seed.Named(master, "workload/"+name+"/count/"+stream)
		m.sizes[kind] = seed.Named(master, "workload/"+name+"/size/"+stream)
		m.members[kind] = seed.Named(master, "workload/"+name+"/member/"+stream)
		m.content[kind] = seed.Named(master, "workload/"+name+"/content/"+stream+"/"+spec.Salt)
	}
	if at, err := spec.Images.Check(); err != nil {
		return nil, fmt.Errorf("images.%s: %w", at, err)
	}
	if at, err := spec.Audio.Check(); err != nil {
		return nil, fmt.Errorf("audio.%s: %w", at, err)
	}
	var err error
	switch {
	case m.images.IsZero():
	case m.images.Format == PNG:
		m.png = newPNG(m.images, m.content[Image].Rand(0))
	default:
		m.jpeg, err = newJPEG()
	}
	if !m.audio.IsZero() {
		m.wav = newWAV(m.audio.SampleRate)
	}
	return m, err
}

// of is what request n carries.
func (m *media) of(n uint64) []Medium {
	if m == nil {
		return nil
	}
	var list []Medium
	m.each(n, func(id uint64, width, height int) {
		r := m.content[Image].Rand(id)
		if m.png != nil {
			list = append(list, m.png.medium(width, height, r))
		} else {
			list = append(list, m.jpeg.medium(width, height, r))
		}
	}, func(id uint64, length int64) {
		list = append(list, m.wav.medium(length, m.content[Recording].Rand(id)))
	})
	return list
}

// load is the same without making any.
func (m *media) load(n uint64) Load {
	var l Load
	if m == nil {
		return l
	}
	m.each(n, func(_ uint64, width, height int) {
		l.Images++
		if m.png != nil {
			l.Bytes += int64(pngBytes(width, height))
		} else {
			l.Bytes += int64(m.jpeg.bytes(width, height))
		}
	}, func(_ uint64, length int64) {
		samples := m.wav.samples(length)
		l.Audio += m.wav.length(samples)
		l.Bytes += int64(wavBytes(samples))
	})
	return l
}

// each draws what request n has. id is what a medium's content is drawn by: of
// a pool its member, whose size is its own too.
func (m *media) each(n uint64, image func(id uint64, width, height int), audio func(id uint64, length int64)) {
	if !m.images.IsZero() {
		for id := range m.ids(Image, m.images.Count, m.images.Pool, n) {
			r := m.sizes[Image].Rand(id)
			image(id, side(m.images.Width, r), side(m.images.Height, r))
		}
	}
	if !m.audio.IsZero() {
		for id := range m.ids(Recording, m.audio.Count, m.audio.Pool, n) {
			length := int64(m.audio.Length.Draw(m.sizes[Recording].Rand(id)))
			audio(id, min(max(length, LeastAudio), MostAudio))
		}
	}
}

// ids are those of the media of one kind in request n.
func (m *media) ids(kind Kind, count Length, pool int, n uint64) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		members := m.members[kind].Rand(n)
		for k := range min(draw(count, m.counts[kind], n), MostMedia) {
			id := n*MostMedia + uint64(k)
			if pool > 0 {
				id = members.Uint64N(uint64(pool))
			}
			if !yield(id) {
				return
			}
		}
	}
}

// side draws one side of a picture.
func side(l Length, r *rand.Rand) int { return min(max(l.draw(r), LeastSide), MostSide) }

// tolerated is the share of draws that may be cut to the bounds of media.
const tolerated = 0.01

// Check says why images can't be made; key is the setting at fault.
func (i Images) Check() (key string, err error) {
	if i.IsZero() {
		return "", nil
	}
	if i.Format != PNG && i.Format != JPEG {
		return "format", fmt.Errorf("unknown format %q: known are %s, %s", i.Format, PNG, JPEG)
	}
	if err := checkCount(i.Count); err != nil {
		return "count", err
	}
	if err := within(i.Width, LeastSide, MostSide, "pixels"); err != nil {
		return "width", err
	}
	if err := within(i.Height, LeastSide, MostSide, "pixels"); err != nil {
		return "height", err
	}
	return "pool", checkPool(i.Pool)
}

// Check says why recordings can't be made; key is the setting at fault.
func (a Audio) Check() (key string, err error) {
	mean := int64(a.Length.Mean())
	switch {
	case a.IsZero():
		return "", nil
	case a.Format != WAV:
		return "format", fmt.Errorf("unknown format %q: known is %s", a.Format, WAV)
	case a.SampleRate < LeastRate || a.SampleRate > MostRate:
		return "sample_rate", fmt.Errorf("%d samples a second is not between %d and %d", a.SampleRate, LeastRate, MostRate)
	case mean < LeastAudio || mean > MostAudio:
		return "length", fmt.Errorf("a recording of %s is not between 100ms and 10m", a.Length)
	}
	if err := checkCount(a.Count); err != nil {
		return "count", err
	}
	return "pool", checkPool(a.Pool)
}

func checkCount(l Length) error { return within(l, 1, MostMedia, "in a request") }

func checkPool(pool int) error {
	if pool < 0 || pool > MaxPool {
		return fmt.Errorf("%d is not between 1 and %d", pool, MaxPool)
	}
	return nil
}

// within refuses a law that a hundredth of whose draws would be cut.
func within(l Length, least, most int, what string) error {
	if err := l.Check(); err != nil {
		return err
	}
	if l.Below(least) > tolerated || l.Below(most+1) < 1-tolerated {
		return fmt.Errorf("%s is not between %d and %d %s", l, least, most, what)
	}
	return nil
}
