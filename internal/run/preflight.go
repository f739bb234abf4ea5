package run

// One request to each address before the load: it ends a hopeless run in
// seconds, with the server's own words. It is not a record.

import (
	"context"
	"fmt"
	"os"
	"time"

	"assay/internal/contract"
	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/workload"
)

// preflightSeq is far from any plan, so that the load's own prompts stay unseen.
const preflightSeq = uint64(1) << 48

// preflightLimit bounds the wait: a server may have a model to load first.
const preflightLimit = 2 * time.Minute

// preflight sends one request to each address of each stream and returns what
// is known of them, or the first failure in the server's words.
func preflight(ctx context.Context, o Options, c *contract.Contract, s *servers) ([]observation.Preflight, error) {
	if o.NoPreflight {
		return nil, nil
	}
	var out, others []observation.Preflight
	for i := range c.Streams {
		stream := &c.Streams[i]
		l, err := newLine(stream, c.Seed, s.urls[stream.Name], "preflight", OSFiles{}, os.Getenv)
		if err != nil {
			return nil, err
		}
		from := len(out)
		for k := range l.ways {
			p, err := l.preflight(ctx, k, o.OnEvent)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		if l.wantsTemplate() {
			probes, err := l.probe(ctx, o.OnEvent)
			if err != nil {
				return nil, err
			}
			others = append(others, probes...)
			tokens, why := templateOf(l.telling(out[from:], probes))
			o.OnEvent(Event{Message: templateWords(stream, tokens, why)})
			if tokens != nil && l.source.HasMedia() {
				o.OnEvent(Event{Message: mediaWords(l, out[from], *tokens)})
			}
			if out[from].Template = tokens; tokens != nil {
				if err := fits(stream, *tokens); err != nil {
					return nil, err
				}
				s.template[stream.Name] = *tokens
			}
		}
	}
	return append(out, others...), nil // one an address comes first
}

// preflight sends one request to the line's address k. A failure of it is an
// error in the server's words.
func (l *line) preflight(ctx context.Context, k int, say func(Event)) (observation.Preflight, error) {
	r, kept, err := l.once(ctx, k)
	if err != nil {
		return observation.Preflight{}, err
	}
	if ctx.Err() != nil {
		return observation.Preflight{}, errInterrupted
	}
	if r.Status != record.OK {
		return observation.Preflight{}, refusal(l, &r)
	}
	if err := l.keptItsLimit(&r); err != nil {
		return observation.Preflight{}, err
	}
	say(Event{Message: passed(&r)})
	p := told(&r, kept)
	p.Stream = l.stream.Name
	if words := closing(&p, l.stream.Target.Connections); words != "" {
		say(Event{Message: words})
	}
	if l.source.Exact() && r.InputSource == record.FromUsage {
		p.Counted = l.source.Count(l.words(k))
	}
	return p, nil
}

// closing is what a person should know of a server that ends connections: a
// request on one that it is about to end is lost, and counted as its error.
func closing(p *observation.Preflight, policy string) string {
	if !p.Closes || policy == contract.PerRequest {
		return ""
	}
	return "preflight: the server closed the connection after its answer; requests that go out on one that it is closing are lost as `reset`: --set target.connections=per_request opens one for each"
}

// words is what an exact line sends to its address k.
func (l *line) words(k int) workload.Request {
	w, err := l.request(l.preflightSeq(k))
	if err != nil {
		panic("internal error: exact prompts are of no file, and yet: " + err.Error())
	}
	return w
}

// once sends one request to the line's address k; kept says that its
// connection could serve another one.
func (l *line) once(ctx context.Context, k int) (r record.Record, kept bool, err error) {
	clock := host.NewClock(host.Monotonic())
	sleepers := NewSleepers(clock)
	defer sleepers.Close()
	stamps, err := wire.EnableKernelStamps()
	if err == nil {
		defer stamps.Close()
	}
	seq := l.preflightSeq(k)
	l = l.only(k)
	targets, err := l.targets(clock.Now, &wire.Dialer{Now: clock.Now, FromWall: clock.FromWall, Kernel: err == nil})
	if err != nil {
		return record.Record{}, false, err
	}
	defer targets[0].Pool.Close()
	d := &dispatch.Dispatcher{Workers: 1, Now: clock.Now, Sleep: sleepers.Until, Secrets: l.access.secrets}
	stream := l.dispatchStream(targets)
	stream.Limits.Request = min(stream.Limits.Request, int64(preflightLimit))
	r, err = d.Once(ctx, &stream, seq)
	return r, targets[0].Pool.Unused() > 0, err
}

// preflightSeq is the request that is sent to address k, another one for each
// of the line's probes.
func (l *line) preflightSeq(k int) uint64 {
	n := uint64(len(l.ways))
	return (preflightSeq/n+l.probed)*n + uint64(k)
}

// keptItsLimit refuses a server that answers far beyond the limit it was given:
// it does not know the field, and every request of the load would run away.
// A few tokens more are a matter of counting.
func (l *line) keptItsLimit(r *record.Record) error {
	const slack = 16
	if r.WantOutput <= 0 || r.Output <= 2*r.WantOutput+slack { // a recorded body need not have a limit
		return nil
	}
	sent, other := l.options.LimitField, ""
	if sent == "" {
		sent = l.dialect.LimitField
	}
	for _, field := range l.dialect.LimitFields {
		if field != sent {
			other = field
		}
	}
	err := fmt.Errorf("preflight: %s answered with %d tokens where %s was %d: it does not keep that limit", r.URL, r.Output, sent, r.WantOutput)
	if other == "" {
		return cannot(err, "--no-preflight starts all the same")
	}
	return cannot(err, "an old server may know another field: --set target.body_limit="+other)
}

// told is the preflight as observations.jsonl keeps it.
func told(r *record.Record, kept bool) observation.Preflight {
	p := observation.Preflight{
		OK: r.Status == record.OK, HTTPStatus: r.HTTPStatus, Closes: r.Status == record.OK && !kept,
		ErrorKind: r.ErrorKind, ErrorMessage: r.ErrorMessage,
		InputTokens: max(0, r.Input), OutputTokens: max(0, r.Output),
	}
	if r.First != record.None && r.Sent != record.None {
		p.TTFTms = float64(r.First-r.Sent) / 1e6
		p.DurationMS = float64(r.Ended-r.Sent) / 1e6
	}
	return p
}

func passed(r *record.Record) string {
	if r.Items > 0 {
		return fmt.Sprintf("preflight: %s answered after %.1f ms, %d tokens in", r.URL, float64(r.Last-r.Sent)/1e6, r.Input)
	}
	return fmt.Sprintf("preflight: %s answered, first token after %.1f ms, %d tokens in, %d out",
		r.URL, float64(r.First-r.Sent)/1e6, r.Input, r.Output)
}

// refusal is a failed preflight with the next step that its kind suggests.
func refusal(l *line, r *record.Record) error {
	err := fmt.Errorf("preflight: %s: %s", r.URL, r.ErrorKind)
	if r.ErrorMessage != "" {
		err = fmt.Errorf("%w: %s", err, r.ErrorMessage)
	}
	return cannot(err, refusalHint(l, r))
}

const keyHint = "name the variable that holds the key: --api-key-env NAME"

func refusalHint(l *line, r *record.Record) string {
	switch r.ErrorKind {
	case record.ErrConnect:
		return "is the server up, and is this its address?"
	case record.ErrProtocol:
		if l.stream.Target.HTTP == contract.HTTP2 {
			return "a server of HTTP/1.1 wants target.http left out"
		}
	case record.ErrRedirect:
		return "write the address that it redirects to, if that is the server you mean: no redirect is followed"
	case record.ErrDNS:
		return "is the host's name right?"
	case record.ErrTLS:
		return "target.ca_file names your own certificate authority"
	case record.HTTPError(401), record.HTTPError(403):
		if l.stream.Target.APIKeyEnv != "" {
			return "the server refused the key in " + l.stream.Target.APIKeyEnv
		}
		return keyHint
	case record.HTTPError(404):
		return fmt.Sprintf("wrong path or wrong model (%s)? --path and --model set them", l.stream.Target.Model)
	case record.HTTPError(400), record.HTTPError(422):
		if l.stream.Target.BodyLimit == "" {
			return "an old server may want --set target.body_limit=max_tokens"
		}
	case record.ErrContentType:
		return "a server that does not stream wants target.stream: false"
	case record.ErrTimeout:
		return "the server took the request and never finished it"
	}
	return "`assay try` shows the request and the raw answer; --no-preflight starts all the same"
}
