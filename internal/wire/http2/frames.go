// This file is what each frame does.

package http2

import (
	"fmt"
	"strings"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
)

// take deals with one frame. Its error ends the connection.
func (c *conn) take(f h2.Frame) error {
	if _, ok := f.(*h2.SettingsFrame); !ok && !c.told {
		return protocolError("the server does not begin as HTTP/2 does")
	}
	switch f := f.(type) {
	case *h2.DataFrame:
		return c.data(f)
	case *h2.MetaHeadersFrame:
		if x := c.stream(f.StreamID); x != nil {
			x.headers(f, c.stamp)
		}
	case *h2.RSTStreamFrame:
		c.reset(f)
	case *h2.SettingsFrame:
		return c.settings(f)
	case *h2.WindowUpdateFrame:
		c.widen(f.StreamID, int64(f.Increment))
	case *h2.PingFrame:
		if !f.IsAck() {
			c.word(h2.FramePing, h2.FlagPingAck, 0, f.Data[:]...)
		}
	case *h2.GoAwayFrame:
		c.goAway(f)
	case *h2.PushPromiseFrame:
		return protocolError("the server pushes, which it was told not to")
	}
	return nil
}

func (c *conn) data(f *h2.DataFrame) error {
	if c.unacked += f.Length; c.unacked >= connWindow/2 {
		c.word(h2.FrameWindowUpdate, 0, 0, word(c.unacked)...)
		c.unacked = 0
	}
	if x := c.stream(f.StreamID); x != nil {
		return x.took(f, c.stamp)
	}
	return nil
}

// reset is a stream that the server gives up. One whose answer is whole needs
// no more of the request.
func (c *conn) reset(f *h2.RSTStreamFrame) {
	c.lose(f.StreamID, &wire.Error{Kind: record.ErrReset, Err: fmt.Errorf("the server reset the stream (%v)", f.ErrCode)})
}

func (c *conn) settings(f *h2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	c.mu.Lock()
	err := f.ForeachSetting(func(s h2.Setting) error {
		if err := s.Valid(); err != nil {
			return err
		}
		switch s.ID {
		case h2.SettingInitialWindowSize:
			for _, x := range c.streams {
				x.widen(int64(s.Val) - c.initial)
			}
			c.initial = int64(s.Val)
		case h2.SettingMaxFrameSize:
			c.largest = int(min(s.Val, largestFrame))
		case h2.SettingMaxConcurrentStreams:
			c.streamed = s.Val
		}
		return nil
	})
	c.mu.Unlock()
	if err != nil {
		return protocolError("settings that break the rules: %v", err)
	}
	c.word(h2.FrameSettings, h2.FlagSettingsAck, 0)
	if !c.told {
		c.told = true
		close(c.settled)
	}
	return nil
}

// widen lets more be sent, on a stream or on all (0).
func (c *conn) widen(id uint32, by int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != 0 {
		if x := c.streams[id]; x != nil {
			x.widen(by)
		}
		return
	}
	c.window += by
	for _, x := range c.streams {
		x.signal()
	}
}

// goAway ends the streams that the server did not take; the others go on.
func (c *conn) goAway(f *h2.GoAwayFrame) {
	text := strings.ToValidUTF8(string(f.DebugData()[:min(len(f.DebugData()), 200)]), "")
	var lost []*Exchange
	c.mu.Lock()
	c.going = true
	for id, x := range c.streams {
		if id > f.LastStreamID {
			lost = append(lost, x)
		}
	}
	c.mu.Unlock()
	for _, x := range lost {
		x.fail(&wire.Error{Kind: record.ErrReset, Err: fmt.Errorf("the server goes away and did not take the request (%v) %s", f.ErrCode, text)})
	}
}
