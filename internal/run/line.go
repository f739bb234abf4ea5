package run

// A line is one stream made ready to send: what is said (workload, dialect),
// and to whom (the ways to its addresses). Workers, the preflight and `try`
// all send through it.

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/record"
	"assay/internal/workload"
)

// A line is a stream of the contract, ready to send.
type line struct {
	stream  *contract.Stream
	dialect dialect.Dialect
	ways    []way
	round   round
	access  access
	options dialect.Options
	source  *workload.Source
	talks   *workload.Talks // nil where requests stand alone
	runID   string
	probed  uint64 // which of the preflight's probes it sends; 0 for none
}

// newLine joins a stream with its addresses, its files and the environment.
// urls are the endpoint's full addresses.
func newLine(s *contract.Stream, seed uint64, urls []string, runID string, files fs.FS, env func(string) string) (*line, error) {
	d, ok := dialect.Find(s.Target.Endpoint)
	if !ok {
		return nil, usage(fmt.Errorf("stream %s: unknown endpoint %q", s.Name, s.Target.Endpoint), "`assay endpoints` lists them")
	}
	l := &line{stream: s, dialect: d, runID: runID}
	var err error
	if l.access, err = accessFor(s.Target, d, env); err != nil {
		return nil, err
	}
	for _, raw := range urls {
		w, err := newWay(s.Target, raw, l.access, env)
		if err != nil {
			return nil, err
		}
		l.ways = append(l.ways, w)
	}
	l.access.secrets = append(l.access.secrets, proxySecrets(l.ways)...)
	l.round = newRound(s.Target, len(urls))
	l.options = dialect.Options{
		Model: s.Target.Model, Stream: streamed(s.Target),
		LimitField: s.Target.BodyLimit, Extra: s.Target.Extra,
	}
	if l.source, err = newSource(s, seed, files, env); err != nil {
		return nil, err
	}
	if s.Workload.Tokenizer == contract.ServerTokenizer && s.Counts() == nil {
		return nil, fmt.Errorf("internal error: stream %s is to be sent, and its server was not asked to count", s.Name)
	}
	if l.source.HasSessions() {
		if l.talks, err = newTalks(s, seed, l.source, d); err != nil {
			return nil, err
		}
	}
	if l.talks == nil && s.OpenLoop() && s.Target.Connections == contract.Sticky {
		return nil, usage(fmt.Errorf("stream %s: target.connections: %s", s.Name, contract.NobodySticks), contract.StickyHint)
	}
	return l, nil
}

func streamed(t contract.Target) bool { return t.Stream == nil || *t.Stream }

// prepare builds request seq: bytes and what is known of it ahead.
func (l *line) prepare(seq uint64) (dispatch.Prepared, error) {
	w, err := l.request(seq)
	if err != nil {
		return dispatch.Prepared{}, err
	}
	return l.encode(w, seq, l.route(seq, 0))
}

// request is request seq. Where there are sessions, which know their own, it is
// one outside of the load: the first turn of the session of that number.
func (l *line) request(seq uint64) (workload.Request, error) {
	if l.talks == nil {
		return l.source.Request(seq), nil
	}
	talk, err := l.talks.Talk(seq)
	if err != nil {
		return workload.Request{}, fmt.Errorf("stream %s, session %d: %w", l.stream.Name, seq, err)
	}
	return talk.Request(0, nil), nil
}

// over is the line with another source of the same workload.
func (l *line) over(source *workload.Source) *line {
	other := *l
	other.source = source
	if l.talks != nil {
		other.talks = l.talks.Over(source)
	}
	return &other
}

// encode makes the bytes of a request that goes one of the line's ways.
func (l *line) encode(w workload.Request, seq uint64, way int) (dispatch.Prepared, error) {
	body, err := l.body(w)
	if err != nil {
		return dispatch.Prepared{}, fmt.Errorf("stream %s, request %d: %w", l.stream.Name, seq, err)
	}
	id := l.runID + "-" + l.stream.Name + "-" + strconv.FormatUint(seq, 10)
	accept := "application/json"
	if l.options.Stream {
		accept = l.dialect.Framing.Types()[0]
	}
	headers := append([][2]string{
		{"User-Agent", "assay/" + Version()},
		{"Content-Type", "application/json"},
		{"Accept", accept},
		{"X-Request-ID", id},
	}, l.access.headers...)
	bytes, err := l.ways[way].encode(headers, body)
	if err != nil {
		return dispatch.Prepared{}, fmt.Errorf("stream %s, request %d: %w", l.stream.Name, seq, err)
	}
	load, items := w.Load(), l.dialect.Items(w)
	wantInput, wantOutput := w.InputTokens, w.OutputTokens
	if l.dialect.Takes&dialect.Text == 0 {
		wantInput = record.NoCount // no word of it is sent
	}
	if l.dialect.Textless() || l.dialect.Endless {
		wantOutput = record.NoCount
	}
	return dispatch.Prepared{
		Images: load.Images, AudioMS: int(load.Audio / 1e6), MediaBytes: int(load.Bytes),
		Bytes: bytes, BodySHA256: sha256.Sum256(body), RequestID: id,
		WantInput: wantInput, WantOutput: wantOutput,
		Items: items, Answers: l.dialect.Answers(items, l.options.Extra),
	}, nil
}

// dispatchStream is the line as the dispatcher takes it, without its times.
func (l *line) dispatchStream(targets []dispatch.Target) dispatch.Stream {
	s := dispatch.Stream{
		Name: l.stream.Name, Dialect: l.dialect, Streamed: l.options.Stream,
		Targets: targets, Route: l.route, Prepare: l.prepare, InputSource: countedBy(l.stream),
		Limits: dispatch.Limits{
			Idle:    int64(l.stream.Target.IdleLimit),
			Request: int64(l.stream.Target.RequestLimit),
		},
	}
	if l.talks != nil {
		s.Session = l.session
	}
	return s
}

// OSFiles opens files by the operating system's names, absolute ones too,
// relative to the working folder.
type OSFiles struct{}

// Open opens a file by its path.
func (OSFiles) Open(name string) (fs.File, error) { return os.Open(name) }
