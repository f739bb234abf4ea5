// What somebody recorded: times, or rates over time, read from a file.

package arrival

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// mostRecorded is the number of lines beyond which a file is a slip of the pen.
const mostRecorded = 100_000_000

// A Recorded is the part of a file that a schedule uses. It is not changed
// once made.
type Recorded struct {
	Times []int64   // ns from where the used part begins, in order
	Rates []float64 // of a series: requests/s from each time on
}

// Read reads the file of a series or a trace: CSV with a line of names, or
// one JSON object a line, told apart by their first character. Lines of a
// trace may be in any order. It is all or nothing: a run of the lines that
// happened to be readable would be another run.
func Read(fsys fs.FS, s Spec) (*Recorded, error) {
	f, err := fsys.Open(s.File)
	if err != nil {
		return nil, fmt.Errorf("arrivals: %w", err)
	}
	defer f.Close()
	r, err := s.read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return r, nil
}

// Handed takes times from elsewhere for a trace: ns on any clock, in order. They
// are not changed. Of a long trace only those are kept that a schedule can use:
// those within so many ns of it, and as many as so many requests.
func Handed(times []int64, s Spec, long int64, requests int) (*Recorded, error) {
	if len(times) == 0 {
		return nil, errors.New("holds no time")
	}
	low := s.Skipped(times)
	reach := times[0] + s.Reach(long)
	high := sort.Search(len(times), func(i int) bool { return times[i] > reach })
	high = min(max(high, low+requests, low+1), len(times))
	used := append(make([]int64, 0, 1+max(0, high-low)), times[0]) // from which all are counted
	if low < high {
		used = append(used, times[max(low, 1):high]...)
	} else {
		used = append(used, times[len(times)-1]) // for who is told how far it goes
	}
	return s.part(&Recorded{Times: used})
}

// Reach is how far behind its first time a trace is used by a schedule that is
// so long.
func (s Spec) Reach(long int64) int64 {
	speedup := 1.0
	if s.Speedup > 0 {
		speedup = s.Speedup
	}
	return int64(min(float64(s.Start)+float64(long)*speedup, math.MaxInt64/2))
}

func (s Spec) read(f io.Reader) (*Recorded, error) {
	b := bufio.NewReaderSize(f, 1<<20)
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = b.Discard(3) // some editors put one; it is there
	}
	var r Recorded
	each := func(line int, time, rate string) error {
		at, err := instant(time, s.Unit)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if s.Shape == Series {
			v, err := strconv.ParseFloat(strings.TrimSpace(rate), 64)
			if err != nil || !(v >= 0) || math.IsInf(v, 0) {
				return fmt.Errorf("line %d: %q is no rate: write requests per second, 0 or more", line, rate)
			}
			r.Rates = append(r.Rates, v)
			if n := len(r.Times); n > 0 && at <= r.Times[n-1] {
				return fmt.Errorf("line %d: its time is not after that of the line before", line)
			}
		}
		if r.Times = append(r.Times, at); len(r.Times) > mostRecorded {
			return fmt.Errorf("more than %d lines", mostRecorded)
		}
		return nil
	}
	if err := eachLine(b, s.columns(), each); err != nil {
		return nil, err
	}
	if len(r.Times) == 0 {
		return nil, errors.New("holds no time")
	}
	if s.Shape == Trace {
		return s.part(&r)
	}
	return &r, r.fromFirst()
}

// fromFirst counts the times from the first one.
func (r *Recorded) fromFirst() error {
	first := r.Times[0]
	if last := r.Times[len(r.Times)-1]; last-first < 0 {
		return errors.New("its times are more than 292 years apart")
	}
	for i := range r.Times {
		r.Times[i] -= first
	}
	if r.Rates != nil && slices.Max(r.Rates) == 0 {
		return errors.New("its rates are all 0")
	}
	return nil
}

// part is the stretch of a trace that is used, at its speed.
func (s Spec) part(r *Recorded) (*Recorded, error) {
	if !slices.IsSorted(r.Times) {
		slices.SortStableFunc(r.Times, cmp.Compare[int64])
	}
	if err := r.fromFirst(); err != nil {
		return nil, err
	}
	low, _ := slices.BinarySearch(r.Times, int64(s.Start))
	high := len(r.Times)
	if s.End > 0 {
		high, _ = slices.BinarySearch(r.Times, int64(s.End))
	}
	if low >= high {
		return nil, fmt.Errorf("no request between start and end: the last is %v s after the first", float64(r.Times[len(r.Times)-1])/second)
	}
	used := slices.Clone(r.Times[low:high])
	for i, at := range used {
		at -= int64(s.Start)
		if s.Speedup > 0 {
			at = int64(math.Round(float64(at) / s.Speedup))
		}
		used[i] = at
	}
	return &Recorded{Times: used}, nil
}

// CSV writes what Read reads from a file with the parameters of Kept.
func (r *Recorded) CSV(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if r.Rates == nil {
		b.WriteString("time\n")
	} else {
		b.WriteString("time,rate\n")
	}
	var line []byte
	for i, at := range r.Times {
		line = strconv.AppendInt(line[:0], at, 10)
		if r.Rates != nil {
			line = strconv.AppendFloat(append(line, ','), r.Rates[i], 'g', -1, 64)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush() // keeps the first error
}

// Kept reads what CSV wrote for the spec. A trace that was cut begins where it
// was cut, which need not be its first time, so nothing is counted anew.
func Kept(fsys fs.FS, name string, s Spec) (*Recorded, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("arrivals: %w", err)
	}
	defer f.Close()
	r := &Recorded{}
	err = eachLine(bufio.NewReaderSize(f, 1<<20), columns{"time", "rate", s.Shape == Series}, func(line int, time, rate string) error {
		at, err := strconv.ParseInt(time, 10, 64)
		if err == nil && s.Shape == Series {
			var v float64
			v, err = strconv.ParseFloat(rate, 64)
			r.Rates = append(r.Rates, v)
		}
		r.Times = append(r.Times, at)
		return err
	})
	if err == nil && len(r.Times) == 0 {
		err = errors.New("holds no time")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// recorded is what was read; a file that is not read yet holds nothing.
func (s Spec) recorded() *Recorded {
	if s.Recorded == nil {
		return &Recorded{}
	}
	return s.Recorded
}
