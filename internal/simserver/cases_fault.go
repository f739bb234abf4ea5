package simserver

import "strings"

// faultCases are streams that go wrong.
func faultCases() []Case {
	return []Case{
		{Name: "error-mid-stream", About: "an error object inside a stream of status 200", Want: Want{HTTP: 200, Error: "stream_error", Content: "t", Tokens: 1},
			steps: func(v voice) []Step {
				return ended(stream(v.text("a"), `{"error":{"message":"out of memory","type":"server_error","code":500}}`, done))
			}},
		{Name: "error-event", About: "event: error, with a comment before it", Want: Want{HTTP: 200, Error: "stream_error", Content: "t", Tokens: 1},
			steps: func(v voice) []Step {
				return ended(append(stream(v.text("a")), writes(chunked(": overloaded\nevent: error\ndata: {\"message\":\"overloaded\"}\n\n"))...))
			}},
		{Name: "truncated", About: "the stream ends without end marker or finish reason", Want: Want{HTTP: 200, Error: "truncated", Content: "tt", Tokens: 2},
			steps: func(v voice) []Step { return ended(stream(v.text("a"), v.text(" b"))) }},
		{Name: "reset-mid-body", About: "the connection is reset inside the stream", Want: Want{HTTP: 200, Error: "reset", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return left(Reset, stream(v.text("a"))) }},
		{Name: "hang-up-mid-body", About: "the connection is closed inside the stream", Want: Want{HTTP: 200, Error: "reset", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return left(Close, stream(v.text("a"))) }},
		{Name: "hang-up-mid-chunk", About: "the connection is closed inside an event", Want: Want{HTTP: 200, Error: "reset", Content: "t", Tokens: 1},
			steps: func(v voice) []Step {
				second := chunked(event(v.text(" b")))
				return left(Close, append(stream(v.text("a")), writes(second[:len(second)/2])...))
			}},
		{Name: "silence", About: "the stream falls silent for ever", Want: Want{HTTP: 200, Error: "idle", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return left(Hang, stream(v.text("a"))) }},
		{Name: "not-json", About: "an event that is not JSON", Want: Want{HTTP: 200, Error: "decode", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return ended(stream(v.text("a"), `{"choices":[`, done)) }},
		{Name: "invalid-utf8", About: "an event with bytes that are not UTF-8", Want: Want{HTTP: 200, Error: "decode", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return ended(stream(v.text("a"), v.text("\xff\xfe"), done)) }},
		{Name: "wrong-shape", About: "an event whose text is a number", Want: Want{HTTP: 200, Error: "decode", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return ended(stream(v.text("a"), v.chunk(v.choice(0, "5", "null"), ""), done)) }},
		{Name: "huge-event", About: "an event of two megabytes", Want: Want{HTTP: 200, Error: "event_too_large", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return ended(stream(v.text("a"), v.text(strings.Repeat("x", 2<<20)), done)) }},
		{Name: "big-event", About: "an event of half a megabyte", Want: Want{HTTP: 200, Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return ended(stream(v.closing(1, v.text(strings.Repeat("x", 1<<19)))...)) }},
		{Name: "bad-chunk", About: "a chunk size that is no number", Want: Want{HTTP: 200, Error: "protocol", Content: "t", Tokens: 1},
			steps: func(v voice) []Step { return left(Close, append(stream(v.text("a")), writes("zz\r\nhello\r\n")...)) }},
	}
}

// answerCases are answers that are no stream at all.
func answerCases() []Case {
	body := `{"error":{"message":"the words of the server","type":"server_error","param":null,"code":null}}`
	plain := func(text string) func(voice) []Step {
		return func(voice) []Step { return writes(text) }
	}
	return []Case{
		{Name: "error-body", About: "status 200 with an error as its body", Want: Want{HTTP: 200, Error: "error_body"},
			steps: plain(answer("200 OK", jsonType, body))},
		{Name: "wrong-content-type", About: "a web page with status 200", Want: Want{HTTP: 200, Error: "content_type"},
			steps: plain(answer("200 OK", "Content-Type: text/html\r\n", "<html>welcome</html>"))},
		{Name: "not-streamed", About: "a whole reply where a stream was asked for", Only: "chat", Want: Want{HTTP: 200, Error: "content_type"},
			steps: plain(answer("200 OK", jsonType, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a b"},"finish_reason":"stop"}]}`))},
		{Name: "status-204", About: "no content", Want: Want{HTTP: 204, Error: "empty"},
			steps: plain("HTTP/1.1 204 No Content\r\n\r\n")},
		{Name: "empty-body", About: "status 200 with a body of no bytes", Want: Want{HTTP: 200, Error: "empty"},
			steps: plain(answer("200 OK", jsonType, ""))},
		{Name: "empty-stream", About: "a stream without an event", Want: Want{HTTP: 200, Error: "empty"},
			steps: func(voice) []Step { return ended(stream()) }},
		{Name: "redirect", About: "the server is elsewhere, and is not followed", Want: Want{HTTP: 307, Error: "redirect"},
			steps: plain(answer("307 Temporary Redirect", "Location: http://127.0.0.1:1/elsewhere\r\n", ""))},
		{Name: "status-429", About: "too many requests", Want: Want{HTTP: 429, Error: "http_429"},
			steps: plain(answer("429 Too Many Requests", jsonType+"Retry-After: 1\r\n", body))},
		{Name: "status-503", About: "overloaded", Want: Want{HTTP: 503, Error: "http_503"},
			steps: plain(answer("503 Service Unavailable", jsonType, body))},
		{Name: "status-500-text", About: "an error in plain text, and the connection closed", Want: Want{HTTP: 500, Error: "http_500"},
			steps: func(voice) []Step {
				return left(Close, writes(answer("500 Internal Server Error", "Content-Type: text/plain\r\nConnection: close\r\n", "Internal Server Error")))
			}},
		{Name: "hang-up", About: "the connection is closed without an answer", Want: Want{Error: "reset"},
			steps: func(voice) []Step { return left(Close, nil) }},
		{Name: "reset", About: "the connection is reset without an answer", Want: Want{Error: "reset"},
			steps: func(voice) []Step { return left(Reset, nil) }},
		{Name: "garbage", About: "an answer that is not HTTP", Want: Want{Error: "protocol"},
			steps: func(voice) []Step { return left(Close, writes("\x16\x03\x01 this is not HTTP\r\n\r\n")) }},
		{Name: "huge-head", About: "a head of a megabyte", Want: Want{Error: "protocol"},
			steps: plain("HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("x", 1<<20) + "\r\n\r\n")},
		{Name: "half-head", About: "the connection is closed inside the head", Want: Want{Error: "reset"},
			steps: func(voice) []Step { return left(Close, writes(eventHead[:30])) }},
	}
}
