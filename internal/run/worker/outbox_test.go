package worker

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
)

func TestACoordinatorThatDoesNotReadHoldsBackEndedRequestsByBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size, frames = 1 << 20, 200
		reads := make(chan struct{})
		taken := 0
		o := newOutboxTo(func(b []byte) error {
			<-reads
			taken += len(b)
			return nil
		})
		waiting := 0
		go func() {
			payload := make([]byte, size)
			for range frames {
				o.frame(record.FrameRecord, payload)
				waiting++
			}
			o.close()
		}()
		synctest.Wait()
		if most := queueBytes / size; waiting == 0 || waiting > most {
			t.Errorf("%d frames of 1 MiB wait while nobody reads, want at most %d", waiting, most)
		}
		close(reads)
		synctest.Wait()
		if want := frames * record.FrameSize(size); waiting != frames || taken != want {
			t.Errorf("%d frames put and %d bytes sent in the end, want %d and %d", waiting, taken, frames, want)
		}
		if o.queued() != 0 {
			t.Errorf("%d bytes still count as queued", o.queued())
		}
	})
}

// A sink notes when bytes were written and how many.
type sink struct {
	start time.Time
	at    []time.Duration
	bytes []int
}

func (s *sink) send(b []byte) error {
	s.at, s.bytes = append(s.at, time.Since(s.start)), append(s.bytes, len(b))
	return nil
}

func TestRecordsOfOneMomentLeaveInOneWriteAndSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sink{start: time.Now()}
		o := newOutboxTo(s.send)
		r := record.New("main", 1)
		size := record.FrameSize(len(record.Append(nil, &r)))
		for range 10 {
			o.record(&r)
		}
		time.Sleep(gathered / 2)
		o.record(&r)
		time.Sleep(10 * gathered)
		synctest.Wait()
		if len(s.at) != 1 || s.bytes[0] != 11*size || s.at[0] != gathered {
			t.Errorf("written %v bytes at %v, want %d once, %v after the first record", s.bytes, s.at, 11*size, gathered)
		}
		o.record(&r)
		before := time.Since(s.start)
		if err := o.close(); err != nil {
			t.Fatal(err)
		}
		if len(s.at) != 2 || s.bytes[1] != size || s.at[1] != before {
			t.Errorf("written %v bytes at %v, want the last record at once when closed, at %v", s.bytes, s.at, before)
		}
	})
}

func TestABatchDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sink{start: time.Now()}
		o := newOutboxTo(s.send)
		o.frame(record.FrameRecord, make([]byte, batch))
		synctest.Wait()
		if len(s.at) != 1 || s.at[0] != 0 {
			t.Errorf("written at %v, want at once", s.at)
		}
		if err := o.close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAfterAPipeThatBrokeNothingMoreIsWrittenAndNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		calls := 0
		o := newOutboxTo(func([]byte) error { calls++; return broken })
		for range 3 * queueBytes / (1 << 20) {
			o.frame(record.FrameRecord, make([]byte, 1<<20))
		}
		if err := o.close(); !errors.Is(err, broken) || calls != 1 {
			t.Errorf("close() = %v after %d writes, want %v after 1", err, calls, broken)
		}
	})
}
