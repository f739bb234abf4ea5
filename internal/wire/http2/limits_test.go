// This file tests that no silence or flood outlives its limit, and what an
// event costs.

package http2

import (
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestSilencePastTheIdleLimitEndsTheExchangeAtTheLimit(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		id, _ := p.request()
		time.Sleep(50 * time.Second) // before the head only the end counts
		p.answer(id, false, ":status", "200")
		for range 5 {
			time.Sleep(9 * time.Second)
			_ = p.WriteData(id, false, []byte("x"))
		}
		p.rest()
	}), func(w *world) {
		x := w.open(wire.Terms{Idle: 10 * time.Second, Until: int64(10 * time.Minute)})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		body, err := rest(x)
		if want := (50 + 45 + 10) * 1000 * ms; body != "xxxxx" || wire.KindOf(err) != record.ErrIdle || w.now() != want {
			t.Errorf("read %q, then %v at %d ms; want xxxxx, then idle at %d", body, err, w.now()/ms, want/ms)
		}
		x.Abort()
	})
}

func TestTheExchangesEndHoldsAtEveryStage(t *testing.T) {
	for stage, link := range map[string]memwire.Link{
		"connecting": {Connect: time.Hour}, "settings": {}, "writing": {UpWindow: 200}, "windows": {}, "head": {}, "body": {},
	} {
		inWorld(t, link, Config{}, scripted(func(p *peer) {
			if stage == "settings" {
				p.rest()
				return
			}
			_ = p.WriteSettings()
			if stage == "writing" {
				time.Sleep(time.Hour)
				return
			}
			if stage == "windows" {
				p.rest()
				return
			}
			id, _ := p.request()
			for range 100 {
				if stage == "body" {
					p.answerOnce(id)
					_ = p.WriteData(id, false, []byte("x"))
				}
				time.Sleep(time.Second)
			}
		}), func(w *world) {
			_, err := outcome(w.try(wire.Terms{Idle: 30 * time.Second, Until: 20_500 * ms}, encoded(string(make([]byte, 70_000)))))
			if wire.KindOf(err) != record.ErrTimeout || w.now() != 20_500*ms {
				t.Errorf("%s: %v (%s) at %d ms, want a timeout at 20500", stage, err, wire.KindOf(err), w.now()/ms)
			}
		})
	}
}

// answerOnce writes a head unless one was written.
func (p *peer) answerOnce(id uint32) {
	if p.head.Len() == 0 {
		p.answer(id, false, ":status", "200")
	}
}

func TestAConnectionThatIsNotAcceptedInTimeIsAConnectError(t *testing.T) {
	for name, link := range map[string]memwire.Link{"connecting": {Connect: time.Minute}, "settings": {}} {
		inWorld(t, link, Config{ConnectLimit: 3 * time.Second}, scripted((*peer).rest), func(w *world) {
			_, err := w.try(wire.Terms{}, post)
			if wire.KindOf(err) != record.ErrConnect || w.now() != 3000*ms {
				t.Errorf("%s: %v (%s) at %d ms, want connect at 3000", name, err, wire.KindOf(err), w.now()/ms)
			}
		})
	}
}

func TestAServerThatTakesNothingCannotHoldAStreamThatIsGivenUp(t *testing.T) {
	inWorld(t, memwire.Link{UpWindow: 300}, Config{Streams: 2}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		time.Sleep(time.Hour)
	}), func(w *world) {
		a := w.open(wire.Terms{Until: int64(time.Minute)})
		if _, err := a.Head(); wire.KindOf(err) != record.ErrTimeout {
			t.Errorf("Head() = %v", err)
		}
		before := w.now()
		a.Abort()
		if took := w.now() - before; took > int64(wordLimit) {
			t.Errorf("Abort took %d ms", took/ms)
		}
	})
}

// events is a server that sends so many events, one each segment.
func events(n int) func(*memwire.Listener) {
	return scripted(func(p *peer) {
		_ = p.WriteSettings()
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		go p.rest()
		for range n {
			time.Sleep(time.Millisecond)
			_ = p.WriteData(id, false, []byte("data: {\"choices\":[{\"delta\":\" hello\"}]}\n\n"))
		}
		_ = p.WriteData(id, true, nil)
	})
}

func TestReadingAnEventAllocatesNothing(t *testing.T) {
	// The pair in memory allocates for each segment itself: the first run tells
	// how much, by reading past the exchange.
	mallocs := func(through bool) float64 {
		var per float64
		inWorld(t, memwire.Link{}, Config{}, events(3000), func(w *world) {
			x := w.open(wire.Terms{Idle: time.Minute})
			if _, err := x.Head(); err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 4096)
			per = testing.AllocsPerRun(2500, func() {
				if !through {
					time.Sleep(time.Millisecond)
					return
				}
				piece, err := x.Read(buf)
				if err != nil || piece.N != 40 {
					t.Fatal(piece, err)
				}
				x.ArrivedAt(piece.End)
			})
			x.Abort()
		})
		return per
	}
	with, without := mallocs(true), mallocs(false)
	if with > without {
		t.Errorf("an event costs %v allocations, %v without its reader", with, without)
	}
}
