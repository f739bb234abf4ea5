package run

import (
	"testing"
	"time"
)

func TestWorkersMayTakeAsLongAsTheirFilesDo(t *testing.T) {
	for _, c := range []struct {
		read    time.Duration
		workers int
		cores   float64
		want    time.Duration
	}{
		{0, 8, 2, 30 * time.Second},
		{15 * time.Second, 8, 2, 150 * time.Second}, // four after another on each core, and as long again
		{15 * time.Second, 8, 32, 60 * time.Second},
		{15 * time.Second, 8, 0, 270 * time.Second},
	} {
		if got := readyWithin(c.read, c.workers, c.cores); got != c.want {
			t.Errorf("readyWithin(%s, %d, %v) = %s, want %s", c.read, c.workers, c.cores, got, c.want)
		}
	}
}
