package run

// A line is one stream made ready to send: what is said (workload, dialect),
// to whom (addresses, headers, TLS), and how it travels (pools of stamping
// connections). Workers, the preflight and `try` all send through it.

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/workload"
)

// connectLimit bounds how long a connection may take to be made.
const connectLimit = 10 * time.Second

// A line is a stream of the contract, ready to send.
type line struct {
	stream  *contract.Stream
	dialect dialect.Dialect
	urls    []*url.URL
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
		u, err := url.Parse(raw)
		if err != nil {
			return nil, usage(fmt.Errorf("target url %q: %w", raw, err), "")
		}
		l.urls = append(l.urls, l.access.address(u, s.Target.Model))
	}
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

// tlsFor is how a target is trusted.
func tlsFor(t contract.Target) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.Insecure} // insecure is said in every report
	if t.CAFile != "" {
		pem, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, usage(fmt.Errorf("target.ca_file: %w", err), "")
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usage(fmt.Errorf("target.ca_file %s holds no PEM certificate", t.CAFile), "")
		}
	}
	return config, nil
}

// prepare builds request seq: bytes and what is known of it ahead.
func (l *line) prepare(seq uint64) (dispatch.Prepared, error) {
	if l.talks != nil { // outside of the load: the first turn of a session that is not in it
		session, err := l.session(record.SessionOf(seq))
		if err != nil {
			return dispatch.Prepared{}, err
		}
		return session.Prepare(0, nil)
	}
	return l.encode(l.source.Request(seq), seq, seq)
}

// encode makes the bytes of a request; route is the number by which it takes
// its turn among the addresses.
func (l *line) encode(w workload.Request, seq, route uint64) (dispatch.Prepared, error) {
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
	if l.stream.Target.Connections == contract.PerRequest {
		headers = append(headers, [2]string{"Connection", "close"}) // so the server need not wait for another
	}
	bytes, err := http1.Encode(l.urls[route%uint64(len(l.urls))], "POST", headers, body)
	if err != nil {
		return dispatch.Prepared{}, fmt.Errorf("stream %s, request %d: %w", l.stream.Name, seq, err)
	}
	load := w.Load()
	return dispatch.Prepared{
		Images: load.Images, AudioMS: int(load.Audio / 1e6), MediaBytes: int(load.Bytes),
		Bytes: bytes, BodySHA256: sha256.Sum256(body), RequestID: id,
		WantInput: w.InputTokens, WantOutput: w.OutputTokens,
	}, nil
}

// targets opens a pool for each address.
func (l *line) targets(now wire.Clock, dialer *wire.Dialer) ([]dispatch.Target, error) {
	var out []dispatch.Target
	for _, u := range l.urls {
		config := http1.Config{URL: u, Dial: dialer.DialContext, Now: now, ConnectLimit: connectLimit, Policy: policyOf(l.stream.Target)}
		if u.Scheme == "https" {
			var err error
			if config.TLS, err = tlsFor(l.stream.Target); err != nil {
				return nil, err
			}
		}
		out = append(out, dispatch.Target{URL: shown(u), Pool: http1.NewPool(config)})
	}
	return out, nil
}

// policyOf is how a target's requests share connections.
func policyOf(t contract.Target) wire.Policy {
	switch t.Connections {
	case contract.PerRequest:
		return wire.PerRequest
	case contract.Sticky:
		return wire.Sticky
	}
	return wire.Pooled
}

// dispatchStream is the line as the dispatcher takes it, without its times.
func (l *line) dispatchStream(targets []dispatch.Target) dispatch.Stream {
	s := dispatch.Stream{
		Name: l.stream.Name, Dialect: l.dialect, Streamed: l.options.Stream,
		Targets: targets, Prepare: l.prepare, InputSource: countedBy(l.stream),
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
