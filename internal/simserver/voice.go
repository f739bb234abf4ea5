package simserver

import (
	"fmt"
	"strconv"
	"time"
)

// apart is the wait before each write of a script, long enough for a client to
// have read the one before.
const apart = 3 * time.Millisecond

// A voice says the same thing in each API.
type voice struct{ chat bool }

// chunk is one event's JSON around choices.
func (v voice) chunk(choices, rest string) string {
	object := "text_completion"
	if v.chat {
		object = "chat.completion.chunk"
	}
	return `{"id":"case","object":"` + object + `","created":1700000000,"model":"sim","choices":[` + choices + `]` + rest + `}`
}

// choice is one choice with this JSON text (quotes included) and finish reason.
func (v voice) choice(index int, text, finish string) string {
	if finish != "null" {
		finish = strconv.Quote(finish)
	}
	if v.chat {
		return fmt.Sprintf(`{"index":%d,"delta":{"content":%s},"finish_reason":%s}`, index, text, finish)
	}
	return fmt.Sprintf(`{"index":%d,"text":%s,"finish_reason":%s}`, index, text, finish)
}

// text is an event with this text, as JSON without its quotes.
func (v voice) text(s string) string { return v.chunk(v.choice(0, `"`+s+`"`, "null"), "") }

// finish is an event that brings a reason and no text.
func (v voice) finish(reason string) string { return v.chunk(v.choice(0, `""`, reason), "") }

// counted is an event with text and a running usage.
func (v voice) counted(s string, output int) string {
	return v.chunk(v.choice(0, `"`+s+`"`, "null"), `,"usage":`+usageJSON(7, output))
}

// usage is the event after the text.
func (v voice) usage(output int) string { return v.chunk("", `,"usage":`+usageJSON(7, output)) }

// delta is a chat event with this delta.
func (v voice) delta(members string) string {
	return v.chunk(`{"index":0,"delta":{`+members+`},"finish_reason":null}`, "")
}

// role is how a chat begins; completions begin with nothing.
func (v voice) role() string { return v.delta(`"role":"assistant","content":""`) }

func usageJSON(input, output int) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, input, output, input+output)
}

const (
	done      = "[DONE]"
	lastChunk = "0\r\n\r\n"
	eventHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)

// event frames data as server-sent events do.
func event(data string) string { return "data: " + data + "\n\n" }

// chunked frames bytes as one HTTP chunk.
func chunked(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// answer is a whole answer that is no stream.
func answer(status, headers, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", status, headers, len(body), body)
}

const jsonType = "Content-Type: application/json\r\n"

// writes is a step for each string.
func writes(parts ...string) []Step {
	var steps []Step
	for _, p := range parts {
		steps = append(steps, Step{Wait: apart, Bytes: p})
	}
	return steps
}

// stream is a chunked stream of these events, a write and a chunk each. It is
// left open: end closes it.
func stream(data ...string) []Step {
	parts := []string{eventHead}
	for _, d := range data {
		parts = append(parts, chunked(event(d)))
	}
	return writes(parts...)
}

// ended is steps with the proper end of a chunked body.
func ended(steps []Step) []Step { return append(steps, Step{Wait: apart, Bytes: lastChunk}) }

// left is steps with another end.
func left(end End, steps []Step) []Step { return append(steps, Step{Wait: apart, End: end}) }

// opening is the role where the API has one.
func (v voice) opening(data ...string) []string {
	if v.chat {
		return append([]string{v.role()}, data...)
	}
	return data
}

// closing is the usual end of a stream.
func (v voice) closing(output int, data ...string) []string {
	return append(data, v.finish("stop"), v.usage(output), done)
}
