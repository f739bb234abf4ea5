package run

// Requests that stand in a file: which of them a request of the plan takes, and
// the bodies that they make.

import (
	"fmt"
	"io/fs"
	"maps"
	"strconv"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/observation"
	"assay/internal/workload"
)

// newFiled makes the source of a stream with a file of requests. Where they
// are due when the file says, the first request of the window is the file's
// first (of the part that is used).
func newFiled(s *contract.Stream, seed uint64, files fs.FS, count func(string) int) (*workload.Source, error) {
	file, err := s.RequestFile(files)
	if err != nil {
		return nil, err
	}
	if err := asRecorded(file, streamed(s.Target)); err != nil {
		return nil, err
	}
	if err := carried(file, s.Target.Endpoint); err != nil {
		return nil, err
	}
	first := uint64(0)
	if s.HandedTimes() {
		for due := range arrival.Schedule(s.Arrival(), seed, s.Name, int64(*s.Traffic.Warmup), int64(s.Traffic.Duration), s.Traffic.Requests) {
			if first = due.Seq; due.Measured {
				break
			}
		}
		from := s.Arrival().Skipped(file.Times) % file.Units
		first += uint64(file.Units - from)
	}
	return workload.NewFiled(s.Workload, seed, s.Name, file, first, count)
}

// body is what is sent of a request: what was recorded as it is, all else in
// the endpoint's words.
func (l *line) body(w workload.Request) ([]byte, error) {
	if w.Err != nil {
		return nil, w.Err
	}
	if w.Raw != nil {
		return w.Raw, nil
	}
	options := l.options
	if len(w.Extra) > 0 {
		options.Extra = maps.Clone(l.options.Extra)
		if options.Extra == nil {
			options.Extra = map[string]any{}
		}
		maps.Copy(options.Extra, w.Extra) // the line is nearer to the request than the contract
	}
	return l.dialect.Encode(w, options)
}

// asRecorded refuses bodies that ask for another kind of reply than the
// contract says will come: they would be measured as what they are not.
func asRecorded(f *workload.File, streamed bool) error {
	other, is := f.Bodies-f.Streamed, "do not ask"
	if !streamed {
		other, is = f.Streamed, "ask"
	}
	if other == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d of %d recorded bodies %s for a streamed reply, and target.stream is %t: bodies are sent as they are, so the two have to agree",
		f.Name, other, f.Bodies, is, streamed)
}

// readFiles reads the files that the contract names, those of tokenizers too.
func readFiles(c *contract.Contract, files fs.FS, env func(string) string) error {
	others := map[string]string{}
	for i := range c.Streams {
		asked := tokenizerOf(&c.Streams[i])
		if asked == "" {
			continue
		}
		path, _, err := findTokenizer(asked, files, env)
		if err != nil {
			continue // who opens it says why it can't be found
		}
		others[asked] = path
	}
	if err := c.ReadFiles(files, others); err != nil {
		return usage(err, "")
	}
	return nil
}

// fileObservations are what was read of the files of requests.
func fileObservations(c *contract.Contract) ([]observation.Observation, error) {
	var list []observation.Observation
	for i := range c.Streams {
		s := &c.Streams[i]
		if s.Workload.File == "" {
			continue
		}
		f, err := s.RequestFile(OSFiles{})
		if err != nil {
			return nil, usage(err, "")
		}
		list = append(list, observation.Observation{Kind: observation.KindFile, File: &observation.File{
			Stream: s.Name, Name: f.Name, Format: f.Format, Requests: f.Entries, Units: f.Units,
			Unusable: f.Unusable, Reasons: append([]string{}, f.Examples...),
		}})
	}
	return list, nil
}

// leftOut says to a person who waits which lines are not sent.
func leftOut(files []observation.Observation, say func(Event)) {
	for _, o := range files {
		f := o.File
		if f.Unusable == 0 {
			continue
		}
		say(Event{Message: fmt.Sprintf("%s: left out because they can't be used: %s", f.Name, lines(f.Unusable))})
		for _, reason := range f.Reasons {
			say(Event{Message: "  " + reason})
		}
		if more := f.Unusable - len(f.Reasons); more > 0 {
			say(Event{Message: "  and more: " + lines(more)})
		}
	}
}

// carried refuses a file whose pictures or recordings the endpoint can't be told.
func carried(f *workload.File, endpoint string) error {
	d, ok := dialect.Find(endpoint)
	for kind, n := range f.Media {
		if n == 0 || !ok {
			continue
		}
		if err := d.Carries(workload.Kind(kind)); err != nil {
			return fmt.Errorf("%s has some: %w", f.Name, err)
		}
	}
	return nil
}

// fileNotes say what of a file is not sent as a reader might think.
func fileNotes(f *workload.File) []string {
	notes := []string{fmt.Sprintf("%s is %s: %s; %d requests", f.Name, f.Format, f.Why, f.Entries)}
	if f.Unusable > 0 {
		notes = append(notes, fmt.Sprintf("left out of it because they can't be used: %s", lines(f.Unusable)))
		notes = append(notes, f.Examples...)
	}
	return notes
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return strconv.Itoa(n) + " lines"
}
