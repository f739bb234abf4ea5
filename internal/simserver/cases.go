package simserver

// Cases returns every scripted reply: what streams contain, how they are
// framed, and what goes wrong below.
func Cases() []Case {
	cases := contentCases()
	cases = append(cases, framingCases()...)
	cases = append(cases, faultCases()...)
	return append(cases, answerCases()...)
}

// contentCases are about what the events of a proper stream carry.
func contentCases() []Case {
	return []Case{
		{Name: "role-first", About: "the role comes alone and is no token", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step { return ended(stream(v.closing(2, v.opening(v.text("a"), v.text(" b"))...)...)) }},
		{Name: "empty-content", About: "an event with empty text is no token", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step {
				return ended(stream(v.closing(2, v.text(""), v.text("a"), v.text(""), v.text("b"))...))
			}},
		{Name: "white-space", About: "white space is a token", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step { return ended(stream(v.closing(2, v.text(" "), v.text(`\n`))...)) }},
		{Name: "reasoning-synonym", About: "reasoning_content is empty and reasoning is not", Only: "chat", Want: Want{HTTP: 200, Content: "rt", Tokens: 2},
			steps: func(v voice) []Step {
				return ended(stream(v.closing(2, v.delta(`"reasoning_content":"","reasoning":"hm"`), v.text("a"))...))
			}},
		{Name: "reasoning-and-content", About: "one event has both; the first output is there", Only: "chat", Want: Want{HTTP: 200, Content: "rtt", Tokens: 3},
			steps: func(v voice) []Step {
				return ended(stream(v.closing(3, v.delta(`"reasoning_content":"hm"`), v.delta(`"reasoning_content":" so","content":"a"`), v.text(" b"))...))
			}},
		{Name: "tool-calls", About: "the first delta of a call is the first token; one without name or arguments is none", Only: "chat", Want: Want{HTTP: 200, Content: "tt", Tokens: 9},
			steps: func(v voice) []Step {
				return ended(stream(v.role(),
					v.delta(`"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"weigh","arguments":""}}]`),
					v.delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"g\":1}"}}]`),
					v.delta(`"tool_calls":[{"index":0,"function":{"arguments":""}}]`),
					v.finish("tool_calls"), v.usage(9), done))
			}},
		{Name: "usage-every-chunk", About: "a running usage tells the tokens of each event", Want: Want{HTTP: 200, Content: "ttt", Tokens: 7},
			steps: func(v voice) []Step {
				return ended(stream(v.closing(7, v.counted("a", 1), v.counted(" b", 5), v.counted(" c", 7))...))
			}},
		{Name: "zero-usage-every-chunk", About: "a usage of zeros says nothing", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step { return ended(stream(v.closing(2, v.counted("a", 0), v.counted(" b", 0))...)) }},
		{Name: "no-usage", About: "without usage an event counts one", Want: Want{HTTP: 200, Content: "ttt", Tokens: 3},
			steps: func(v voice) []Step {
				return ended(stream(v.text("a"), v.text(" b"), v.text(" c"), v.finish("stop"), done))
			}},
		{Name: "five-tokens-first", About: "the first event has five tokens", Want: Want{HTTP: 200, Content: "ttt", Tokens: 7},
			steps: func(v voice) []Step {
				return ended(stream(v.closing(7, v.counted("a b c d e", 5), v.counted(" f", 6), v.counted(" g", 7))...))
			}},
		{Name: "object-missing", About: "object is missing, then null", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step {
				return ended(stream(`{"choices":[`+v.choice(0, `"a"`, "null")+`]}`, `{"object":null,"choices":[`+v.choice(0, `" b"`, "stop")+`]}`, done))
			}},
		{Name: "choices-missing", About: "an event without choices is passed over", Want: Want{HTTP: 200, Content: "t", Tokens: 1},
			steps: func(v voice) []Step {
				return ended(stream(`{"id":"case"}`, v.text("a"), `{"id":"case","choices":null}`, v.finish("stop"), done))
			}},
		{Name: "two-choices", About: "content of any choice counts", Want: Want{HTTP: 200, Content: "tttt", Tokens: 4},
			steps: func(v voice) []Step {
				var data []string
				for _, text := range []string{`"a"`, `" b"`} {
					data = append(data, v.chunk(v.choice(0, text, "null"), ""), v.chunk(v.choice(1, text, "null"), ""))
				}
				data = append(data, v.chunk(v.choice(0, `""`, "stop"), ""), v.chunk(v.choice(1, `""`, "stop"), ""))
				return ended(stream(append(data, v.usage(4), done)...))
			}},
		{Name: "slow-usage", About: "usage comes 300 ms after the text and does not extend the latency", Want: Want{HTTP: 200, Content: "tt", Tokens: 2},
			steps: func(v voice) []Step {
				steps := stream(v.text("a"), v.text(" b"), v.finish("stop"))
				late := writes(chunked(event(v.usage(2))), chunked(event(done)))
				late[0].Wait = 100 * apart
				return ended(append(steps, late...))
			}},
		{Name: "no-content", About: "status 200 and not a token", Want: Want{HTTP: 200, Error: "empty"},
			steps: func(v voice) []Step { return ended(stream(v.opening(v.finish("stop"), done)...)) }},
	}
}
