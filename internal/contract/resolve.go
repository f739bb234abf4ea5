// Resolve: every default filled in, every stream complete, every cross-check made.

package contract

import (
	"fmt"
	"net/url"
	"path"
	"reflect"
	"strings"
	"time"

	"assay/internal/arrival"
	"assay/internal/dialect"
	"assay/internal/unit"
	"assay/internal/workload"
)

// The defaults that are not another package's.
const (
	idleLimit     = unit.Duration(30 * time.Second)
	requestLimit  = unit.Duration(10 * time.Minute)
	window        = unit.Duration(10 * time.Minute)
	longestWarmup = unit.Duration(30 * time.Second)
	drain         = unit.Duration(60 * time.Second)
	processes     = 8
	maxProcesses  = 64
	onlyStream    = "main" // the name of the one-stream form's stream
)

var (
	inputTokens  = workload.Length{Law: "normal", A: 550, B: 150}
	outputTokens = workload.Length{Law: "normal", A: 256, B: 64}
)

// Resolve fills in every default and makes every check that needs them. After
// it the contract can be run; a second Resolve changes nothing.
func (c *Contract) Resolve() error {
	if err := c.check(); err != nil {
		return err
	}
	c.Version = Version
	if c.Seed == 0 && !c.isSet("seed") {
		c.Seed = 1
	}
	var err error
	if c.derived {
		c.liftStream() // what a run has filled in (model, salt) stands in the stream
	}
	if len(c.Streams) == 0 {
		err = c.resolveShorthand()
	} else {
		err = c.resolveStreams()
	}
	if err != nil {
		return err
	}
	if c.Name == "" {
		c.Name = c.Streams[0].Target.name()
	}
	if c.Cost != nil && c.Cost.Currency == "" {
		return c.fail("cost.currency", "is missing", "write currency: USD, or another")
	}
	c.resolveClient()
	return nil
}

// resolveShorthand completes the top level and makes a stream of it.
func (c *Contract) resolveShorthand() error {
	s := Stream{
		Name: onlyStream, Target: c.Target, SLO: c.SLO, DefaultSLO: c.DefaultSLO, Good: c.Good,
		Traffic: c.Traffic, Workload: c.Workload,
	}
	streams := []Stream{s}
	if err := c.resolveStream("", &streams[0]); err != nil {
		return err
	}
	if err := c.resolveObjectives(streams, func(int) string { return "" }); err != nil {
		return err
	}
	s = streams[0]
	c.Target, c.SLO, c.DefaultSLO, c.Good, c.Traffic, c.Workload = s.Target, s.SLO, s.DefaultSLO, s.Good, s.Traffic, s.Workload
	c.Streams, c.derived = streams, true
	return nil
}

func (c *Contract) resolveStreams() error {
	prefix := func(i int) string { return fmt.Sprintf("streams[%d].", i) }
	c.deal()
	for i := range c.Streams {
		s := &c.Streams[i]
		c.inherit(prefix(i), s)
		if err := c.resolveStream(prefix(i), s); err != nil {
			return err
		}
		first := &c.Streams[0].Traffic
		switch t := &s.Traffic; {
		case len(c.Streams) > 1 && t.Requests > 0:
			return c.fail(prefix(i)+"traffic.requests", "would end the streams at different times", "use duration, once for all, under traffic: at the top level")
		case t.Duration != first.Duration || *t.Warmup != *first.Warmup || t.Drain != first.Drain:
			return c.fail(prefix(i)+"traffic", "has another window than the first stream", "write duration, warmup and drain once, under traffic: at the top level")
		}
	}
	return c.resolveObjectives(c.Streams, prefix)
}

// inherit gives a stream what it leaves out of target and window.
func (c *Contract) inherit(prefix string, s *Stream) {
	own, common := reflect.ValueOf(&s.Target).Elem(), reflect.ValueOf(c.Target)
	fields := fieldsOf(own.Type())
	hasURL, hasPreset := len(s.Target.URL) > 0, s.Target.Simulate != ""
	for key, i := range fields {
		if hasURL && strings.HasPrefix(key, "simulate") || hasPreset && (key == "url" || key == "simulate_set") {
			continue
		}
		if _, ok := c.written[prefix+"target."+key]; !ok && own.Field(i).IsZero() {
			own.Field(i).Set(common.Field(i))
		}
	}
	if s.Traffic.Duration == 0 && s.Traffic.Requests == 0 {
		s.Traffic.Duration = c.Traffic.Duration
	}
	if s.Traffic.Warmup == nil {
		s.Traffic.Warmup = c.Traffic.Warmup
	}
	if _, ok := c.written[prefix+"traffic.drain"]; !ok && s.Traffic.Drain == 0 {
		s.Traffic.Drain = c.Traffic.Drain
		if p, ok := c.written["traffic.drain"]; ok {
			c.written[prefix+"traffic.drain"] = p // a zero that was meant
		}
	}
}

// resolveStream completes one stream; prefix is "" for the one-stream form.
func (c *Contract) resolveStream(prefix string, s *Stream) error {
	if err := c.resolveTarget(prefix, &s.Target); err != nil {
		return err
	}
	if s.Target.Simulate != "" && s.Traffic.Rate == 0 && s.Traffic.Slots() == 0 && !hasOwnRate(s.Traffic.Arrivals) {
		s.Traffic.Rate = simulatedRate
	}
	s.Traffic.handed = s.Traffic.Arrivals == arrival.Trace && s.Traffic.Shape.File == "" && s.Workload.File != ""
	if err := c.resolveTraffic(prefix+"traffic", &s.Traffic); err != nil {
		return err
	}
	if err := c.resolveLoop(prefix+"traffic", s); err != nil {
		return err
	}
	if err := c.resolveWorkload(prefix, s); err != nil {
		return err
	}
	return c.resolveConnections(prefix+"target.", s)
}

func (c *Contract) resolveTraffic(at string, t *Traffic) error {
	if t.Rate == 0 && t.Slots() == 0 && !hasOwnRate(t.Arrivals) {
		return c.fail(at+".rate", "is missing", "write rate: 40/s (open loop), concurrency: 64 or users: 200 (closed loop)")
	}
	if t.Requests == 0 && t.Duration == 0 {
		t.Duration = window
	}
	if t.Warmup == nil {
		w := min(t.Duration/10, longestWarmup) // 0 with requests
		t.Warmup = &w
	}
	if _, ok := c.written[at+".drain"]; !ok && t.Drain == 0 {
		t.Drain = drain
	}
	if t.Slots() == 0 {
		if err := c.resolveArrivals(at, t); err != nil {
			return err
		}
	}
	return c.checkVolume(at, t)
}

func (c *Contract) resolveWorkload(prefix string, s *Stream) error {
	at, w := prefix+"workload.", &s.Workload
	if err := c.resolveTokenizer(at, s); err != nil {
		return err
	}
	if w.File != "" {
		if err := c.resolveFile(at, w); err != nil {
			return err
		}
	} else if err := c.checkNoFile(at, w); err != nil {
		return err
	}
	if err := c.checkShares(at, w); err != nil {
		return err
	}
	if err := c.resolveLists(at, s); err != nil {
		return err
	}
	if w.File == "" && w.Prompts == "" {
		if w.Order != "" {
			return c.fail(at+"order", "is that of a file of prompts, and there is none", "write prompts: FILE.jsonl, or drop order")
		}
		if w.InputTokens.IsZero() && len(w.Lengths) == 0 {
			w.InputTokens = inputTokens
		}
	} else {
		known := []string{"sampled", "sequential"}
		switch {
		case w.Order == "" && w.File != "" && w.Format != pool:
			w.Order = known[1]
		case w.Order == "":
			w.Order = known[0]
		case w.Order != known[0] && w.Order != known[1]:
			hint := "known are " + strings.Join(known, ", ")
			if n := nearest(w.Order, known); n != "" {
				hint = "did you mean " + n + "?"
			}
			return c.fail(at+"order", fmt.Sprintf("unknown order %q", w.Order), hint)
		}
	}
	if d, _ := dialect.Find(s.Target.Endpoint); w.OutputTokens.IsZero() && len(w.Lengths) == 0 && !d.Textless() {
		w.OutputTokens = outputTokens
	}
	if err := c.resolveMedia(at, s); err != nil {
		return err
	}
	if err := c.resolveSessions(prefix, s); err != nil {
		return err
	}
	return c.checkTemplate(at, w)
}

// name is what a run against the target is called when nobody says.
func (t *Target) name() string {
	if t.Simulate != "" {
		return safe("simulate-" + t.Simulate)
	}
	u, err := url.Parse(t.URL[0])
	if err == nil && u.Scheme == "unix" {
		socket, _, _ := strings.Cut(u.Path, ":")
		return safe(path.Base(socket))
	}
	if err != nil {
		return "run"
	}
	return safe(u.Host)
}

// safe makes a name of a folder out of any text.
func safe(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, text)
	text = strings.TrimLeft(text, ".-_")
	if text == "" {
		return "run"
	}
	return text[:min(len(text), 100)]
}

// OpenLoop tells whether requests are due by a schedule, whatever the server does.
func (s *Stream) OpenLoop() bool { return s.Traffic.Slots() == 0 }
