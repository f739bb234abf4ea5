// This file tests who takes which connection.

package http1

import (
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestARequestThatMakesItsOwnConnectionSharesNone(t *testing.T) {
	inWorld(t, memwire.Link{Connect: 7 * time.Millisecond}, Config{Policy: wire.PerRequest}, echoing, func(w *world) {
		if err := w.pool.Warm(w.Context(), 5); err != nil || w.dialed.Load() != 0 {
			t.Fatalf("Warm opened %d connections (%v) that no request may take", w.dialed.Load(), err)
		}
		for i := range 4 {
			x := w.open(wire.Terms{})
			if tm := x.Times(); tm.Reused || tm.Connect != 7*ms || tm.Sent != tm.Ready {
				t.Errorf("request %d: %+v, want a connection of its own after 7 ms", i, tm)
			}
			w.whole(x)
			if _, open := w.pool.Paths(nil, 0); open != 0 {
				t.Errorf("after request %d %d connections are open, want none", i, open)
			}
		}
		if got := w.dialed.Load(); got != 4 {
			t.Errorf("%d connections for 4 requests, want 4", got)
		}
	})
}

func TestAHolderKeepsHisConnectionAndNobodyElseTakesIt(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, echoing, func(w *world) {
		reused := func(holder uint64) bool {
			x := w.open(wire.Terms{Holder: holder})
			w.whole(x)
			return x.Times().Reused
		}
		var got []bool
		for _, holder := range []uint64{1, 2, 1, 1, 2, 3} {
			got = append(got, reused(holder))
		}
		for i, want := range []bool{false, false, true, true, true, false} {
			if got[i] != want {
				t.Errorf("request %d reused a connection: %v, want %v", i, got[i], want)
			}
		}
		w.pool.Forget(1)
		if _, open := w.pool.Paths(nil, 0); open != 2 {
			t.Errorf("%d connections are open after the first of 3 holders left, want 2", open)
		}
		if reused(1) {
			t.Error("a holder that was forgotten found a connection")
		}
	})
}

func TestAConnectionWhoseHolderLeftIsClosedWhenItsLastAnswerEnds(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, echoing, func(w *world) {
		x := w.open(wire.Terms{Holder: 9})
		w.pool.Forget(9)
		w.whole(x)
		if _, open := w.pool.Paths(nil, 0); open != 0 {
			t.Errorf("%d connections are open, want none", open)
		}
	})
}

func TestTwoRequestsOfOneHolderAtATimeHaveAConnectionEach(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, echoing, func(w *world) {
		a, b := w.open(wire.Terms{Holder: 1}), w.open(wire.Terms{Holder: 1})
		w.whole(a)
		w.whole(b)
		if c := w.open(wire.Terms{Holder: 1}); !c.Times().Reused {
			t.Error("none of the two served again")
		} else {
			w.whole(c)
		}
		if got := w.dialed.Load(); got != 2 {
			t.Errorf("%d connections, want 2", got)
		}
	})
}

func TestAClosedPoolLeavesNoHoldersConnectionOpen(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, echoing, func(w *world) {
		w.whole(w.open(wire.Terms{Holder: 1}))
		w.pool.Close()
		if _, open := w.pool.Paths(nil, 0); open != 0 {
			t.Errorf("%d connections are open, want none", open)
		}
		if _, err := w.pool.Open(w.Context(), []byte(post), wire.Terms{Until: record.None, Holder: 1}); err == nil {
			t.Error("a closed pool opened an exchange")
		}
	})
}
