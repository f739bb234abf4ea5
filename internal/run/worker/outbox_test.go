package worker

import (
	"testing"
	"testing/synctest"

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
		if o.queued != 0 {
			t.Errorf("%d bytes still count as queued", o.queued)
		}
	})
}
