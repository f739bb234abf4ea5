// The file of requests that a workload may name: its checks, and its reading.

package contract

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/internal/arrival"
	"assay/internal/workload"
	"assay/internal/workload/format"
)

// pool is the format from which requests are drawn.
const pool = "random_pool"

func (c *Contract) resolveFile(at string, w *workload.Spec) error {
	if known := format.Names(); w.Format != "" && !slices.Contains(known, w.Format) {
		hint := "known are " + strings.Join(known, ", ")
		if n := nearest(w.Format, known); n != "" {
			hint = "did you mean " + n + "?"
		}
		return c.fail(at+"format", fmt.Sprintf("unknown format %q", w.Format), hint)
	}
	if w.Block < 0 || w.Block > workload.MaxTokens {
		return c.fail(at+"block", fmt.Sprintf("%d tokens are no block", w.Block), "write the tokens of a block, such as 512, or leave it out")
	}
	return nil
}

// checkNoFile refuses what is said about a file that is not there.
func (c *Contract) checkNoFile(at string, w *workload.Spec) error {
	for _, k := range []struct {
		key string
		set bool
	}{{"format", w.Format != ""}, {"block", w.Block != 0}, {"strict", w.Strict}} {
		if k.set {
			return c.fail(at+k.key, "is of a file of requests, and there is none", "write file: FILE, or drop "+k.key)
		}
	}
	return nil
}

// RequestFile goes through the stream's file of requests, or returns what was
// found before.
func (s *Stream) RequestFile(fsys fs.FS) (*workload.File, error) {
	if s.file != nil {
		return s.file, nil
	}
	var err error
	o := format.Options{Format: s.Workload.Format, Block: s.Workload.Block, Strict: s.Workload.Strict}
	if o.Reach = 1; s.Traffic.handed { // else nobody asks when requests were
		long, requests := s.used()
		if o.Reach = s.Arrival().Reach(long); requests > 0 {
			o.Reach = 0
		}
	}
	s.file, err = format.Open(fsys, s.Workload.File, o)
	return s.file, err
}

// used is how much of a trace the stream's schedule can use: what is within so
// many ns, or, in a run of so many requests, as many.
func (s *Stream) used() (long int64, requests int) {
	if s.Traffic.Requests > 0 {
		return int64(*s.Traffic.Warmup), s.Traffic.Requests
	}
	return max(int64(*s.Traffic.Warmup), int64(s.Traffic.Duration)), 0
}

// HandedTimes tells whether requests are due when the workload's file says.
func (s *Stream) HandedTimes() bool { return s.Traffic.handed }

func (s *Stream) handedTimes(fsys fs.FS) (*arrival.Recorded, error) {
	file, err := s.RequestFile(fsys)
	if err != nil {
		return nil, err
	}
	if file.Times == nil {
		return nil, errors.New(s.Workload.File + " does not say when its requests are due")
	}
	long, requests := s.used()
	r, err := arrival.Handed(file.Times, s.Arrival(), long, requests)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Workload.File, err)
	}
	return r, nil
}
