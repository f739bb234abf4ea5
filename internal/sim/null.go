package sim

// null answers at once, as fast as the server can write. It measures nothing
// but the client: whatever is slow in front of it is the client's.
var null = Preset{
	Name:   "null",
	About:  "answers as fast as it can write: what is slow in front of it is the client",
	Params: []Param{outputTokens, tokensPerEvent, templateTokens, imageTokens, audioTokens, masterSeed},
	build: func(v values) Engine {
		return nullEngine{output: v.count("output_tokens"), perEvent: v.count("tokens_per_event")}
	},
}

type nullEngine struct{ output, perEvent int }

func (e nullEngine) Admit(now int64, r Request, emit func(Emission)) (at int64) {
	whole, rest := share(wanted(r, e.output), e.perEvent)
	if whole > 0 {
		emit(Emission{ID: r.ID, At: now, Events: whole, Tokens: e.perEvent, Last: rest == 0, Began: now})
	}
	if rest > 0 {
		emit(Emission{ID: r.ID, At: now, Events: 1, Tokens: rest, Last: true, Began: now})
	}
	return now
}

func (nullEngine) Cancel(int64, uint64)          {}
func (nullEngine) Next() int64                   { return Never }
func (nullEngine) Advance(int64, func(Emission)) {}
func (nullEngine) Stats() Stats                  { return Stats{} }

// wanted is the length of a reply: what the request allows, else the preset's.
func wanted(r Request, preset int) int {
	if r.Output > 0 {
		return r.Output
	}
	return preset
}

// share cuts tokens into whole events and a rest.
func share(tokens, perEvent int) (whole, rest int) { return tokens / perEvent, tokens % perEvent }
