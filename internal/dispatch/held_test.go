package dispatch

import (
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// A reply may take minutes, and a request with pictures is megabytes.
func TestARequestIsNotHeldWhileItsReplyIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bytes weak.Pointer[byte]
		held := true
		slow := func(c *memwire.Conn, r *http.Request) bool {
			time.Sleep(time.Second)
			runtime.GC()
			held = bytes.Value() != nil
			return answer(0, 0, 1)(c, r)
		}
		n := newNetwork(t, memwire.Link{}, slow)
		s := n.stream()
		prepare := s.Prepare
		s.Prepare = func(seq uint64) (Prepared, error) {
			p, err := prepare(seq)
			bytes = weak.Make(&p.Bytes[0])
			return p, err
		}
		schedule(&s, 1000*ms, 1000*ms)
		records, err := n.run(t.Context(), 0, 1, 5000*ms, nil, s)
		if err != nil || len(records) != 1 || records[0].Status != record.OK {
			t.Fatalf("%+v, %v, want one that went well", records, err)
		}
		if held {
			t.Error("the request is in memory a second after it was sent")
		}
	})
}
