package simserver

import "strings"

// framingCases are proper streams in an unusual wrapping.
func framingCases() []Case {
	twoTokens := Want{HTTP: 200, Content: "tt", Tokens: 2}
	return []Case{
		{Name: "no-done", About: "a finish reason and no end marker", Want: twoTokens,
			steps: func(v voice) []Step { return ended(stream(v.text("a"), v.text(" b"), v.finish("stop"))) }},
		{Name: "data-after-done", About: "what follows the end marker is not part of the reply", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(stream(append(v.closing(2, v.text("a"), v.text(" b")), v.text(" c"))...))
			}},
		{Name: "no-last-blank-line", About: "the last event lacks its blank line", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(append(stream(v.text("a"), v.text(" b")), writes(chunked("data: "+v.finish("stop")))...))
			}},
		{Name: "crlf", About: "lines end in CR LF", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return strings.ReplaceAll(e, "\n", "\r\n") }))
			}},
		{Name: "cr", About: "lines end in CR", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return strings.ReplaceAll(e, "\n", "\r") }))
			}},
		{Name: "no-space", About: "no space after the colon", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return strings.Replace(e, "data: ", "data:", 1) }))
			}},
		{Name: "comments", About: "comments keep the connection alive", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return ": keep-alive\n\n" + e }))
			}},
		{Name: "named-events", About: "events have names and ids", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return "event: message\nid: 4\nretry: 10\n" + e }))
			}},
		{Name: "two-data-lines", About: "one event's data on two lines", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(reframed(v, func(e string) string { return strings.Replace(e, `"choices"`, "\ndata: \"choices\"", 1) }))
			}},
		{Name: "delimiter-split", About: "the blank line is split across reads and chunks", Want: twoTokens,
			steps: func(v voice) []Step { return ended(split(v, func(e string) int { return len(e) - 1 })) }},
		{Name: "utf8-split", About: "a character is split across reads and chunks", Want: twoTokens,
			steps: func(v voice) []Step {
				return ended(split(v, func(e string) int {
					if i := strings.Index(e, "é"); i >= 0 {
						return i + 1
					}
					return len(e) / 2
				}))
			}},
		{Name: "byte-by-byte", About: "each byte in a write of its own", Want: twoTokens,
			steps: func(v voice) []Step {
				steps := writes(eventHead)
				for _, b := range []byte(chunked(event(v.text("a"))) + chunked(event(v.text(" b"))) + chunked(event(v.finish("stop"))) + chunked(event(done)) + lastChunk) {
					steps = append(steps, Step{Bytes: string([]byte{b})})
				}
				return steps
			}},
		{Name: "several-per-write", About: "several events in one write", Want: twoTokens,
			steps: func(v voice) []Step {
				all := ""
				for _, data := range v.closing(2, v.opening(v.text("a"), v.text(" b"))...) {
					all += event(data)
				}
				return ended(writes(eventHead, chunked(all)))
			}},
		{Name: "one-write", About: "the whole answer in one write", Want: twoTokens,
			steps: func(v voice) []Step {
				all := eventHead
				for _, data := range v.closing(2, v.text("a"), v.text(" b")) {
					all += chunked(event(data))
				}
				return writes(all + lastChunk)
			}},
		{Name: "early-chunk-header", About: "the next chunk's header comes with an event, its data 300 ms later", Want: twoTokens, steps: earlyHeader},
		{Name: "content-length", About: "a stream of known length", Want: twoTokens,
			steps: func(v voice) []Step {
				body := ""
				for _, data := range v.closing(2, v.text("a"), v.text(" b")) {
					body += event(data)
				}
				whole := answer("200 OK", "Content-Type: text/event-stream\r\n", body)
				return writes(whole[:len(whole)/2], whole[len(whole)/2:])
			}},
		{Name: "close-delimited", About: "the body ends with the connection", Want: twoTokens,
			steps: func(v voice) []Step {
				parts := []string{"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"}
				for _, data := range v.closing(2, v.text("a"), v.text(" b")) {
					parts = append(parts, event(data))
				}
				return left(Close, writes(parts...))
			}},
		{Name: "interim", About: "100 Continue comes before the answer", Want: twoTokens,
			steps: func(v voice) []Step {
				return append(writes("HTTP/1.1 100 Continue\r\n\r\n"), ended(stream(v.closing(2, v.text("a"), v.text(" b"))...))...)
			}},
		{Name: "trailers", About: "the chunked body has trailers and a chunk extension", Want: twoTokens,
			steps: func(v voice) []Step {
				steps := stream(v.text("a"), v.text(" b"), v.finish("stop"), v.usage(2))
				return append(steps, writes("e;last=yes\r\n"+event(done)+"\r\n0\r\nX-Sum: 1\r\n\r\n")...)
			}},
		{Name: "slow-head", About: "the head comes in pieces", Want: twoTokens,
			steps: func(v voice) []Step {
				return append(writes(eventHead[:9], eventHead[9:40], eventHead[40:]), ended(stream(v.closing(2, v.text("a"), v.text(" b"))...)[1:])...)
			}},
		{Name: "keep-alive-closed", About: "the server closes after a proper reply, without a word", Want: twoTokens,
			steps: func(v voice) []Step {
				steps := ended(stream(v.closing(2, v.text("a"), v.text(" b"))...))
				steps[len(steps)-1].End = Close
				return steps
			}},
	}
}

// reframed is a usual stream of two tokens with each event's frame changed.
func reframed(v voice, change func(string) string) []Step {
	parts := []string{eventHead}
	for _, data := range v.closing(2, v.text("a"), v.text(" b")) {
		parts = append(parts, chunked(change(event(data))))
	}
	return writes(parts...)
}

// split is a usual stream of two tokens with each event in two chunks and writes.
func split(v voice, at func(event string) int) []Step {
	parts := []string{eventHead}
	for _, data := range v.closing(2, v.text("é"), v.text(" b")) {
		e := event(data)
		i := at(e)
		parts = append(parts, chunked(e[:i]), chunked(e[i:]))
	}
	return writes(parts...)
}

// earlyHeader is what held four complete events back in a common client: the
// header of the next chunk lies behind them.
func earlyHeader(v voice) []Step {
	first, second := chunked(event(v.text("a"))), chunked(event(v.text(" b")))
	header := strings.Index(second, "\n") + 1
	steps := writes(eventHead, first+second[:header], second[header:])
	steps[2].Wait = 100 * apart
	for _, data := range []string{v.finish("stop"), v.usage(2), done} {
		steps = append(steps, writes(chunked(event(data)))...)
	}
	return ended(steps)
}
