// The arrivals of a stream: their defaults, their checks, and the files that
// some of them come from.

package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"strings"

	"assay/internal/arrival"
)

// Arrival is the law of the stream's due times; its Rate is 0 in closed loop.
func (s *Stream) Arrival() arrival.Spec { return s.Traffic.arrival() }

func (t *Traffic) arrival() arrival.Spec {
	return arrival.Spec{Shape: t.Arrivals, Rate: float64(t.Rate), CV: t.CV, Parameters: t.Shape, Handed: t.handed, Recorded: t.recorded}
}

// hasOwnRate tells whether the shape says its rates itself.
func hasOwnRate(shape string) bool {
	_, err := arrival.ParseShape(shape)
	return err == nil && !arrival.Takes(shape, "rate")
}

// resolveArrivals fills in the defaults of the shape and checks it.
func (c *Contract) resolveArrivals(at string, t *Traffic) error {
	if t.Arrivals == "" {
		t.Arrivals = arrival.Poisson
	}
	if _, err := arrival.ParseShape(t.Arrivals); err != nil {
		hint := "known are " + strings.Join(arrival.Shapes(), ", ")
		if n := nearest(t.Arrivals, arrival.Shapes()); n != "" {
			hint = "did you mean " + n + "?"
		}
		return c.fail(at+".arrivals", err.Error(), hint)
	}
	t.Shape = t.arrival().Complete(int64(t.Duration))
	var wrong *arrival.ParameterError
	if errors.As(t.arrival().Check(), &wrong) {
		path := at + ".shape." + wrong.Key
		if wrong.Key == "rate" || wrong.Key == "cv" {
			path = at + "." + wrong.Key
		}
		return c.fail(path, wrong.Msg, wrong.Hint)
	}
	return nil
}

// shed removes from the block what an earlier shape was given and the one that
// a flag sets now does not take. What flags gave stays, and is refused later.
func (c *Contract) shed(block, shape string) {
	if _, err := arrival.ParseShape(shape); err != nil {
		return
	}
	paths := map[string]string{"rate": block + "rate", "cv": block + "cv"}
	for _, key := range keysOf(reflect.TypeFor[arrival.Parameters]()) {
		paths[key] = block + "shape." + key
	}
	for key, path := range paths {
		if arrival.Takes(shape, key) || c.written[path].flag {
			continue
		}
		if v, err := c.lookup(path); err == nil && v.IsValid() {
			v.SetZero()
		}
		maps.DeleteFunc(c.written, func(k string, _ place) bool { return k == path || strings.HasPrefix(k, path+"[") })
	}
}

// ReadArrivals reads the files of series and traces, those that are read
// already excepted. Without it they have no schedule. ReadFiles calls it.
func (c *Contract) ReadArrivals(fsys fs.FS) error {
	return c.eachFile(func(s *Stream) (*arrival.Recorded, error) {
		if s.Traffic.handed {
			return s.handedTimes(fsys)
		}
		return arrival.Read(fsys, s.Arrival())
	})
}

// ReadKeptArrivals is ReadArrivals from what KeepArrivals wrote.
func (c *Contract) ReadKeptArrivals(fsys fs.FS) error {
	return c.eachFile(func(s *Stream) (*arrival.Recorded, error) { return arrival.Kept(fsys, keptName(s), s.Arrival()) })
}

func (c *Contract) eachFile(read func(s *Stream) (*arrival.Recorded, error)) error {
	for i := range c.Streams {
		s := &c.Streams[i]
		if s.Traffic.Shape.File == "" && !s.Traffic.handed || s.Traffic.recorded != nil {
			continue
		}
		at := "traffic"
		if !c.derived {
			at = fmt.Sprintf("streams[%d].traffic", i)
		}
		var err error
		if s.Traffic.recorded, err = read(s); err != nil && s.Traffic.handed {
			return c.fail(at+".arrivals", err.Error(), "")
		} else if err != nil {
			return c.fail(at+".shape.file", err.Error(), "")
		}
		if err := c.checkVolume(at, &s.Traffic); err != nil {
			return err
		}
	}
	return nil
}

// KeepArrivals writes what was used of the files, so that the schedule can be
// made again without them.
func (c *Contract) KeepArrivals(write func(name string, data []byte) error) error {
	for i := range c.Streams {
		s := &c.Streams[i]
		if s.Traffic.recorded == nil {
			continue
		}
		var b bytes.Buffer
		if err := s.Traffic.recorded.CSV(&b); err != nil {
			return fmt.Errorf("keep the arrivals of %s: %w", s.Name, err)
		}
		if err := write(keptName(s), b.Bytes()); err != nil {
			return fmt.Errorf("keep the arrivals of %s: %w", s.Name, err)
		}
	}
	return nil
}

func keptName(s *Stream) string { return "arrivals-" + s.Name + ".csv" }

// forgetArrivals makes ReadArrivals read again.
func (c *Contract) forgetArrivals() {
	c.Traffic.recorded = nil
	for i := range c.Streams {
		c.Streams[i].Traffic.recorded, c.Streams[i].file = nil, nil
	}
}
