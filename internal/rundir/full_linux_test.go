package rundir

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestAFullDiskIsRecognisedByTheNextAppendAndAtTheEnd(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		a := newAppender(full)
		if err := a.appendLine([]byte("one")); err != nil {
			t.Fatalf("the first append is behind: %v", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if err := a.appendLine([]byte("two")); !IsFull(err) {
			t.Errorf("append = %v, want a full disk", err)
		}
		if err := a.close(); !IsFull(err) {
			t.Errorf("close = %v, want a full disk", err)
		}
	})
}
