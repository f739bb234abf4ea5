// This file tests answers frame by frame, against a peer that a test scripts.

package http2

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestStampsAreThoseOfTheFramesBytes(t *testing.T) {
	down := func(int) time.Duration { return 2 * time.Millisecond }
	inWorld(t, memwire.Link{Down: down}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		for _, event := range []string{"one", "two", "three"} {
			time.Sleep(10 * time.Millisecond)
			_ = p.WriteData(id, false, []byte(event))
		}
		time.Sleep(10 * time.Millisecond)
		var both bytes.Buffer // in one segment, as a server writes them that hurries
		f := h2.NewFramer(&both, nil)
		_ = f.WriteData(id, false, []byte("four"))
		_ = f.WriteData(id, false, []byte("five"))
		_, _ = p.c.Write(both.Bytes())
		time.Sleep(10 * time.Millisecond)
		_ = p.WriteData(id, true, nil)
		p.rest()
	}), func(w *world) {
		x := w.open(wire.Terms{})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		start := x.Times().FirstByte
		var got []int64
		var text string
		buf := make([]byte, 100)
		for {
			piece, err := x.Read(buf)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			s := x.ArrivedAt(piece.End)
			if s.Clock != record.Kernel || piece.End != uint64(len(text)+piece.N) {
				t.Errorf("piece %+v of %v", piece, s)
			}
			text += string(buf[:piece.N])
			got = append(got, (s.Arrived-start)/ms)
		}
		if want := []int64{10, 20, 30, 40}; text != "onetwothreefourfive" || !slices.Equal(got, want) {
			t.Errorf("%q arrived at %v ms after the head, want %v: two frames of one segment are one piece", text, got, want)
		}
		if end := x.ArrivedAt(uint64(len("onetwo"))).Arrived - start; end != 20*ms {
			t.Errorf("the second event arrived at %d ms by what is kept, want 20", end/ms)
		}
	})
}

func TestAnAnswerIsReadInEveryShape(t *testing.T) {
	long := strings.Repeat("x", 40<<10)
	for name, c := range map[string]struct {
		say    func(p *peer, id uint32)
		body   string
		status int
	}{
		"interim heads": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "103", "link", "</a>")
			p.answer(id, false, ":status", "200")
			_ = p.WriteData(id, true, []byte("ok"))
		}, "ok", 200},
		"trailers": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			_ = p.WriteData(id, false, []byte("ok"))
			p.answer(id, true, "grpc-status", "0")
		}, "ok", 200},
		"a head alone": {func(p *peer, id uint32) { p.answer(id, true, ":status", "204", "content-length", "9") }, "", 204},
		"padding": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200", "content-length", "2")
			_ = p.WriteDataPadded(id, false, []byte("o"), make([]byte, 200))
			_ = p.WriteDataPadded(id, true, []byte("k"), make([]byte, 100))
		}, "ok", 200},
		"a body of many windows": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			go p.rest() // its words on the windows; they are wide enough for what follows
			for range 5 {
				_ = p.WriteData(id, false, []byte(long[:16<<10]))
			}
			_ = p.WriteData(id, true, nil)
		}, long + long, 200},
		"a long head": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200", "x-long", long[:10<<10])
			_ = p.WriteData(id, true, []byte("ok"))
		}, "ok", 200},
		"a request that is not read": {func(p *peer, id uint32) {
			p.answer(id, true, ":status", "413")
			_ = p.WriteRSTStream(id, h2.ErrCodeNo)
		}, "", 413},
	} {
		inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
			_ = p.WriteSettings()
			id, _ := p.request()
			c.say(p, id)
			p.rest()
		}), func(w *world) {
			x := w.open(wire.Terms{Idle: time.Minute})
			h, err := x.Head()
			if err != nil || h.Status != c.status {
				t.Errorf("%s: %+v, %v, want %d", name, h, err, c.status)
				x.Abort()
				return
			}
			if body, err := rest(x); err != io.EOF || body != c.body {
				t.Errorf("%s: body of %d bytes, %v, want %d", name, len(body), err, len(c.body))
			}
			x.Finish()
			if w.pool.Unused() != 1 {
				t.Errorf("%s: the connection was not kept", name)
			}
		})
	}
}

func TestWhatGoesWrongIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		say  func(p *peer, id uint32)
		kind string
		says string
	}{
		"closed before the answer": {func(*peer, uint32) {}, record.ErrReset, "closed the connection before the answer"},
		"closed in the body": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			_ = p.WriteData(id, false, []byte("half"))
		}, record.ErrReset, "before the end of the body"},
		"cut in a frame": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			_ = p.WriteRawFrame(h2.FrameData, 0, id, []byte("half"))
			_, _ = p.c.Write([]byte{0, 0, 9, 0, 0, 0})
		}, record.ErrReset, "before the end of the body"},
		"connection reset": {func(p *peer, id uint32) { p.answer(id, false, ":status", "200"); p.c.Reset() }, record.ErrReset, "before the end of the body"},
		"stream reset": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			_ = p.WriteRSTStream(id, h2.ErrCodeInternal)
			p.rest()
		}, record.ErrReset, "INTERNAL_ERROR"},
		"stream refused": {func(p *peer, id uint32) { _ = p.WriteRSTStream(id, h2.ErrCodeRefusedStream); p.rest() }, record.ErrReset, "REFUSED_STREAM) before the answer"},
		"gone away": {func(p *peer, id uint32) {
			_ = p.WriteGoAway(0, h2.ErrCodeEnhanceYourCalm, []byte("too many"))
			p.rest()
		}, record.ErrReset, "ENHANCE_YOUR_CALM) too many"},
		"fewer bytes than told": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200", "content-length", "10")
			_ = p.WriteData(id, true, []byte("half"))
			p.rest()
		}, record.ErrProtocol, "4 bytes and its head says 10"},
		"no bytes where some were told": {func(p *peer, id uint32) { p.answer(id, true, ":status", "200", "content-length", "10"); p.rest() }, record.ErrProtocol, "0 bytes"},
		"a body before the head":        {func(p *peer, id uint32) { _ = p.WriteData(id, true, []byte("x")); p.rest() }, record.ErrProtocol, "before the head"},
		"no status":                     {func(p *peer, id uint32) { p.answer(id, true, "x-a", "b"); p.rest() }, record.ErrProtocol, "status"},
		"an upper-case header":          {func(p *peer, id uint32) { p.answer(id, true, ":status", "200", "X-A", "b"); p.rest() }, record.ErrProtocol, "breaks the rules"},
		"the end with an interim head":  {func(p *peer, id uint32) { p.answer(id, true, ":status", "100"); p.rest() }, record.ErrProtocol, "interim"},
		"a second head": {func(p *peer, id uint32) {
			p.answer(id, false, ":status", "200")
			p.answer(id, false, ":status", "200")
			p.rest()
		}, record.ErrProtocol, "second head"},
		"a push": {func(p *peer, id uint32) {
			p.AllowIllegalWrites = true
			_ = p.WritePushPromise(h2.PushPromiseParam{StreamID: id, PromiseID: 2, BlockFragment: []byte{0x88}, EndHeaders: true})
			p.rest()
		}, record.ErrProtocol, "the server pushes"},
		"a frame too large": {func(p *peer, id uint32) { _, _ = p.c.Write([]byte{0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1}); p.rest() }, record.ErrProtocol, "frame too large"},
		"a head too large": {func(p *peer, id uint32) {
			fields := []string{":status", "200"}
			for range 8 {
				fields = append(fields, "x-a", strings.Repeat("y", 12<<10))
			}
			p.head.Reset()
			p.answer(id, true, fields...)
			p.rest()
		}, record.ErrProtocol, ""},
	} {
		inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
			_ = p.WriteSettings()
			id, _ := p.request()
			c.say(p, id)
		}), func(w *world) {
			_, err := outcome(w.try(wire.Terms{Idle: time.Minute}, post))
			if err == nil || wire.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) || w.now() != 0 {
				t.Errorf("%s: %v (%s) at %d ms, want %s with %q at once", name, err, wire.KindOf(err), w.now()/ms, c.kind, c.says)
			}
		})
	}
}

func TestAServerThatSpeaksSomethingElseIsFoundWhenItIsConnected(t *testing.T) {
	for said, says := range map[string]string{
		"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n": "answers as HTTP/1.1 does",
		"SSH-2.0-OpenSSH_9.2 and some more of it\r\n":           "HTTP/2",
		"\x00\x00\x08\x06\x00\x00\x00\x00\x00pingping":          "does not begin as HTTP/2 does",
		"": "closed the connection",
	} {
		inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) { _, _ = io.WriteString(p.c, said) }), func(w *world) {
			_, err := w.try(wire.Terms{}, post)
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("after %.12q: %v (%s), want %q", said, err, wire.KindOf(err), says)
			}
		})
	}
}

func TestARequestGoesNoFasterThanTheServersWindows(t *testing.T) {
	body := strings.Repeat("abcdefghij", 10_000) // more than the connection's window, too
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings(h2.Setting{ID: h2.SettingInitialWindowSize, Val: 10})
		var got, unpaid int
		for {
			f, err := p.ReadFrame()
			if err != nil {
				return
			}
			d, ok := f.(*h2.DataFrame)
			if !ok {
				if _, ok := f.(*h2.MetaHeadersFrame); !ok {
					continue
				}
			} else {
				if n := len(d.Data()); n > 16<<10 {
					t.Errorf("a frame of %d bytes", n)
				}
				got += len(d.Data())
				if unpaid += len(d.Data()); got > 10 && unpaid > 5000 {
					t.Errorf("%d bytes in one go, 5000 were allowed", unpaid)
				}
				if d.StreamEnded() {
					p.answer(1, false, ":status", "200")
					_ = p.WriteData(1, true, []byte("enough"))
					continue
				}
				if got%5000 != 10 {
					continue // the rest of what was allowed is on its way
				}
			}
			if ok {
				time.Sleep(time.Millisecond)
				unpaid = 0
				_ = p.WriteWindowUpdate(0, 5000)
				_ = p.WriteWindowUpdate(1, 5000)
			}
		}
	}), func(w *world) {
		x, err := w.try(wire.Terms{}, encoded(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := w.whole(x); got != "enough" {
			t.Errorf("body %q", got)
		}
		if tm := x.Times(); tm.Sent != 0 || tm.Written != 20*ms {
			t.Errorf("sent at %d, written at %d ms, want 0 and 20: a window each", tm.Sent/ms, tm.Written/ms)
		}
	})
}

func TestAnAnswerThatEndsBeforeTheRequestIsItsAnswer(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings(h2.Setting{ID: h2.SettingInitialWindowSize, Val: 10})
		p.until(h2.FrameHeaders)
		p.answer(1, true, ":status", "413")
		if f, ok := p.until(h2.FrameRSTStream).(*h2.RSTStreamFrame); !ok || f.StreamID != 1 {
			t.Errorf("%v, want the stream to be reset: its request is not whole", f)
		}
		p.rest()
	}), func(w *world) {
		x, err := w.try(wire.Terms{}, encoded(strings.Repeat("x", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		h, err := x.Head()
		if err != nil || h.Status != 413 || x.Times().Written != record.None {
			t.Errorf("%+v, %v, written %d", h, err, x.Times().Written)
		}
		x.Finish()
		synctest.Wait()
	})
}

func TestARequestIsNotSentTwiceAndAGoingConnectionIsNotUsed(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Streams: 4}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		id, _ := p.request()
		_ = p.WriteGoAway(id, h2.ErrCodeNo, nil) // a restart: what it took it answers
		time.Sleep(time.Second)
		p.answer(id, true, ":status", "200")
		p.rest()
	}), func(w *world) {
		x := w.open(wire.Terms{})
		time.Sleep(100 * time.Millisecond)
		y := w.open(wire.Terms{})
		if y.Times().Reused || w.dialed.Load() != 2 {
			t.Error("a connection that goes away took another request")
		}
		w.whole(x)
		w.whole(y)
		synctest.Wait()
		if _, open := w.pool.Paths(nil, 0); open != 0 {
			t.Errorf("%d connections are open, want none: both went away", open)
		}
	})
}

func TestTheProtocolsWordsAreAnswered(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		f := p.until(h2.FrameSettings).(*h2.SettingsFrame)
		if push, _ := f.Value(h2.SettingEnablePush); push != 0 {
			t.Error("pushes are wanted")
		}
		_ = p.WriteSettings()
		_ = p.WritePing(false, [8]byte{1, 2, 3})
		if ack, err := p.ReadFrame(); err == nil { // the window of the connection
			if _, ok := ack.(*h2.WindowUpdateFrame); !ok {
				t.Errorf("%v, want the connection's window", ack)
			}
		}
		if ack, ok := p.until2(); !ok || !ack.IsAck() {
			t.Errorf("%v, want the settings acknowledged", ack)
		}
		if pong, ok := p.until(h2.FramePing).(*h2.PingFrame); !ok || !pong.IsAck() || pong.Data != [8]byte{1, 2, 3} {
			t.Errorf("%v, want the ping answered", pong)
		}
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		for range 40 { // 160 KiB
			_ = p.WriteData(id, false, make([]byte, 4<<10))
		}
		if f, ok := p.until(h2.FrameWindowUpdate).(*h2.WindowUpdateFrame); !ok || f.StreamID != id || f.Increment < streamWindow/2 {
			t.Errorf("%v, want the stream's window opened again by half or more", f)
		}
		_ = p.WriteData(id, true, nil)
		p.rest()
	}), func(w *world) {
		if n := len(w.whole(w.open(wire.Terms{}))); n != 160<<10 {
			t.Errorf("%d bytes", n)
		}
	})
}

// until2 is the next frame, if it is of settings.
func (p *peer) until2() (*h2.SettingsFrame, bool) {
	f, err := p.ReadFrame()
	if err != nil {
		return nil, false
	}
	s, ok := f.(*h2.SettingsFrame)
	return s, ok
}
