// This file tests what may be sent before the other side says more, both ways.

package http2

import (
	"net/http"
	"strings"
	"testing"
	"time"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestTheConnectionsWindowHoldsARequestBackWhateverTheStreams(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings(h2.Setting{ID: h2.SettingInitialWindowSize, Val: 1 << 20})
		got := 0
		for {
			f, err := p.ReadFrame()
			if err != nil {
				return
			}
			d, ok := f.(*h2.DataFrame)
			if !ok {
				continue
			}
			if got += len(d.Data()); got > usualWindow && !d.StreamEnded() {
				t.Errorf("%d bytes came before more than %d were allowed", got, usualWindow)
			}
			if got == usualWindow {
				time.Sleep(time.Second)
				_ = p.WriteWindowUpdate(0, 100_000)
			}
			if d.StreamEnded() {
				p.answer(1, true, ":status", "200")
			}
		}
	}), func(w *world) {
		x, err := w.try(wire.Terms{}, encoded(strings.Repeat("x", 70_000)))
		if err != nil {
			t.Fatal(err)
		}
		w.whole(x)
		if tm := x.Times(); tm.Written != 1000*ms {
			t.Errorf("written at %d ms, want 1000", tm.Written/ms)
		}
	})
}

func TestALongAnswerIsLargerThanAllWindowsTogether(t *testing.T) {
	const size = 2*connWindow + 12345
	inWorld(t, memwire.Link{}, Config{}, standard(func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 64<<10)
		for left := size; left > 0; left -= len(block) {
			_, _ = w.Write(block[:min(left, len(block))])
		}
	}), func(w *world) {
		if n := len(w.whole(w.open(wire.Terms{Idle: time.Minute}))); n != size {
			t.Errorf("%d bytes, want %d", n, size)
		}
	})
}

func TestPaddingIsPaidBack(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		for range 600 { // 1 byte, 255 of padding and one that tells its length
			_ = p.WriteDataPadded(id, false, []byte("x"), make([]byte, 255))
			time.Sleep(time.Millisecond)
		}
		f, ok := p.until(h2.FrameWindowUpdate).(*h2.WindowUpdateFrame)
		if ok && f.StreamID == 0 {
			f, ok = p.until(h2.FrameWindowUpdate).(*h2.WindowUpdateFrame)
		}
		if !ok || f.StreamID != id || f.Increment < streamWindow/2 {
			t.Errorf("%v, want the stream's window opened again", f)
		}
		_ = p.WriteData(id, true, nil)
		p.rest()
	}), func(w *world) {
		x := w.open(wire.Terms{})
		if body := w.whole(x); len(body) != 600 {
			t.Errorf("%d bytes, want 600", len(body))
		}
	})
}

func TestAHeadLongerThanAFrameArrives(t *testing.T) {
	long := strings.Repeat("~", 50_000)
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		p.MaxHeaderListSize = 1 << 20
		if f, ok := p.until(h2.FrameHeaders).(*h2.MetaHeadersFrame); !ok || f.RegularFields()[0].Value != long {
			t.Errorf("%v, want a head with a field of 50000 bytes", f)
		}
		p.answer(1, true, ":status", "200")
		p.rest()
	}), func(w *world) {
		request, err := Encode(testURL, "POST", [][2]string{{"X-Long", long}}, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		x, err := w.try(wire.Terms{}, request)
		if err != nil {
			t.Fatal(err)
		}
		w.whole(x)
	})
}

func TestAConnectionOfWhichNothingWasHeardIsNotUsedAgain(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, scripted(func(p *peer) {
		_ = p.WriteSettings()
		p.rest()
	}), func(w *world) {
		for range 2 {
			x := w.open(wire.Terms{Until: w.now() + 1000*ms})
			if _, err := x.Head(); wire.KindOf(err) != record.ErrTimeout {
				t.Errorf("Head() = %v", err)
			}
			x.Abort()
		}
		if got := w.dialed.Load(); got != 2 {
			t.Errorf("%d connections for two requests that nobody answered, want 2", got)
		}
	})
}

func TestWhatARequestMayNotSayIsRefused(t *testing.T) {
	for _, h := range [][2]string{
		{"Connection", "close"}, {"TE", "trailers"}, {"Keep-Alive", "x"}, {"Content-Length", "3"}, {"Transfer-Encoding", "chunked"},
		{"a b", "c"}, {"X", "a\nb"},
	} {
		if _, err := Encode(testURL, "POST", [][2]string{h}, nil); err == nil {
			t.Errorf("%q was encoded", h)
		}
	}
	b, err := Encode(testURL, "POST", [][2]string{{"Host", "other.test"}, {"Accept-Encoding", "gzip"}, {"X-Empty", ""}}, []byte("body"))
	if err != nil {
		t.Fatal(err)
	}
	fields, body, err := Decode(b)
	want := ":method=POST :scheme=http :authority=other.test :path=/v1/x accept-encoding=gzip content-length=4"
	text := ""
	for _, f := range fields {
		text += " " + f[0] + "=" + f[1]
	}
	if err != nil || strings.TrimSpace(text) != want || string(body) != "body" {
		t.Errorf("fields %q, body %q, %v, want %q", text, body, err, want)
	}
}
