// Session n of a stream, and the request of each of its turns.

package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/internal/record"
	"assay/internal/seed"
)

// Talks are the sessions of a stream. Like a Source they answer in any order
// and from any number of goroutines. Everything but live replies is a function
// of (spec, seed, salt, n): which turns there are, their lengths, pauses and words.
type Talks struct {
	source *Source
	spec   Spec

	turns, pauses, replies seed.Key
}

// NewTalks returns the sessions of a stream, whose texts and lengths source
// makes. The source must have sessions.
func NewTalks(source *Source, spec Spec, master uint64, stream string) (*Talks, error) {
	t := &Talks{
		source: source, spec: spec,
		turns:   seed.Named(master, "workload/turns/"+stream),
		pauses:  seed.Named(master, "workload/pause/"+stream),
		replies: seed.Named(master, "workload/reply/"+stream+"/"+spec.Salt),
	}
	if !source.HasSessions() {
		return nil, errors.New("the workload has no sessions")
	}
	if i, err := CheckAgent(spec.Agent); err != nil {
		return nil, fmt.Errorf("agent[%d]: %w", i, err)
	}
	return t, nil
}

// Over returns the same sessions with another source of their texts.
func (t *Talks) Over(source *Source) *Talks {
	other := *t
	other.source = source
	return &other
}

// A Talk is one session, its turns in their places.
type Talk struct {
	Session
	Links []Link

	n       uint64
	talks   *Talks
	entries []Entry // of a file; nil for synthetic ones
}

// Talk returns session n.
func (t *Talks) Talk(n uint64) (*Talk, error) {
	x := &Talk{n: n, talks: t}
	var err error
	switch {
	case t.source.filed != nil:
		x.Session, x.entries, err = t.source.session(n)
	case len(t.spec.Agent) > 0:
		x.Session = t.agent(n)
	default:
		x.Session = t.conversation(n)
	}
	if err != nil {
		return nil, err
	}
	x.Links, err = x.Session.Links()
	return x, err
}

// conversation is turn after turn. The first has the lengths of the stream's
// requests, the others only what they add.
func (t *Talks) conversation(n uint64) Session {
	count := min(max(1, draw(t.spec.Sessions.Turns.Length, t.turns, n)), record.MaxTurns)
	x := Session{ID: strconv.FormatUint(n, 10), Turns: make([]Turn, count)}
	for i := range x.Turns {
		seq := record.SeqOf(n, i)
		turn := &x.Turns[i]
		turn.Input, turn.Output = t.source.Lengths(seq)
		if i > 0 {
			turn.Input = draw(t.spec.Sessions.InputTokens, t.source.inputs, seq)
			turn.Think = int64(t.spec.Sessions.Think.Draw(t.pauses.Rand(seq)))
		}
	}
	return x
}

// agent is the contract's calls with their lengths drawn.
func (t *Talks) agent(n uint64) Session {
	x := expand(strconv.FormatUint(n, 10), t.spec.Agent)
	i := 0
	for _, c := range t.spec.Agent {
		for range max(1, c.Copies) {
			seq := record.SeqOf(n, i)
			x.Turns[i].Input = draw(c.InputTokens, t.source.inputs, seq)
			x.Turns[i].Output = draw(c.OutputTokens, t.source.outputs, seq)
			if i == 0 {
				x.Turns[i].Input = max(x.Turns[i].Input, t.source.least)
			}
			if t.source.brief {
				x.Turns[i].Output = 1
			}
			x.Turns[i].Think = int64(c.Wait.Draw(t.pauses.Rand(seq)))
			i++
		}
	}
	return x
}

// Recorded tells whether the history goes on with words that are known ahead,
// so that no reply need be kept.
func (t *Talks) Recorded() bool { return t.history() == Recorded }

// history is Live, Recorded, or "": recorded where something is, else live.
func (t *Talks) history() string {
	if t.spec.Sessions != nil {
		return t.spec.Sessions.History
	}
	return ""
}

// Needs tells which replies later turns are made of.
func (x *Talk) Needs() []bool {
	needs := make([]bool, len(x.Turns))
	need := func(k int) { needs[k] = x.Turns[k].Recorded == "" || x.talks.history() == Live }
	if x.talks.Recorded() {
		return needs
	}
	for _, l := range x.Links {
		if l.History >= 0 {
			need(l.History)
		}
		for _, k := range l.Takes {
			need(k)
		}
	}
	return needs
}

// Request returns the request of turn i, given the replies so far. The wanted
// input tokens are those of all that is sent: the words of this side as
// counted, replies as they were told.
func (x *Talk) Request(i int, replies []Reply) Request {
	t := &x.Turns[i]
	messages, tokens := x.messages(i, replies)
	if x.entries != nil {
		var err error
		if messages, err = x.talks.source.filed.inlined(messages); err != nil {
			return Request{Err: err}
		}
	}
	return Request{Messages: messages, InputTokens: tokens, OutputTokens: t.Output, Extra: t.Extra, Raw: t.Raw}
}

func (x *Talk) messages(i int, replies []Reply) (list []Message, tokens int) {
	t, l := &x.Turns[i], &x.Links[i]
	if l.History >= 0 {
		list, tokens = x.messages(l.History, replies)
		r := x.reply(l.History, replies)
		list, tokens = append(list, Message{Role: "assistant", Content: r.Text}), tokens+r.Tokens
	}
	var taken []string
	for _, k := range l.Takes {
		r := x.reply(k, replies)
		taken, tokens = append(taken, r.Text), tokens+r.Tokens
	}
	tokens += t.Input
	own := t.Messages
	if own == nil && t.Raw == nil {
		own = x.words(i)
	}
	if len(taken) > 0 {
		// One message, since many chat templates refuse two of the user in a row.
		results := strings.Join(taken, "\n\n")
		if len(own) > 0 && own[0].Role == "user" && own[0].Raw == nil {
			own = append([]Message{{Role: "user", Content: results + "\n\n" + own[0].Content, Media: own[0].Media}}, own[1:]...)
		} else {
			own = append([]Message{{Role: "user", Content: results}}, own...)
		}
	}
	return append(list, own...), tokens
}

// words is what a turn adds for which nobody wrote words. Those of the first
// begin as all prompts of the stream do. Where a conversation begins they leave
// room for what the server's template adds to it, so that the prompt has the
// tokens that were asked for; what it adds around later messages comes on top.
func (x *Talk) words(i int) []Message {
	seq, s, length := record.SeqOf(x.n, i), x.talks.source, x.Turns[i].Input
	text := ""
	switch {
	case x.entries != nil:
		text = s.synthetic(seq, x.entries[i])
	case i == 0:
		text = s.text(seq, s.room(length))
	case x.Links[i].History < 0:
		text = s.piece(s.words.Rand(seq), s.room(length))
	default:
		text = s.piece(s.words.Rand(seq), length)
	}
	return []Message{{Role: "user", Content: text, Media: s.media.of(seq)}}
}

// reply is what the history has as the answer to turn k.
func (x *Talk) reply(k int, replies []Reply) Reply {
	t := &x.Turns[k]
	switch {
	case t.Recorded != "" && x.talks.history() != Live:
		return Reply{Text: t.Recorded, Tokens: x.talks.source.filed.count(t.Recorded)}
	case x.talks.Recorded():
		r := x.talks.replies.Rand(record.SeqOf(x.n, k))
		return Reply{Text: x.talks.source.piece(r, t.Output), Tokens: t.Output}
	}
	return replies[k]
}

// Sizes are the tokens of each turn's request and reply if every reply has the
// tokens that are asked for.
func (x *Talk) Sizes() (in, out []int) {
	in, out = make([]int, len(x.Turns)), make([]int, len(x.Turns))
	for i := range x.Turns {
		t, l := &x.Turns[i], &x.Links[i]
		in[i], out[i] = t.Input, t.Output
		if l.History >= 0 {
			in[i] += in[l.History] + out[l.History]
		}
		for _, k := range l.Takes {
			in[i] += out[k]
		}
	}
	return in, out
}

// Loads are the media of each turn's request, those of its history included.
func (x *Talk) Loads() []Load {
	loads := make([]Load, len(x.Turns))
	for i := range x.Turns {
		t, l := &x.Turns[i], &x.Links[i]
		switch {
		case t.Messages != nil:
			loads[i] = Request{Messages: t.Messages}.Load()
		case t.Raw == nil && x.entries == nil:
			loads[i] = x.talks.source.media.load(record.SeqOf(x.n, i))
		}
		if l.History >= 0 {
			loads[i] = loads[i].plus(loads[l.History])
		}
	}
	return loads
}
