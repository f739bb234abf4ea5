// Package simserver is sim behind real sockets: a small HTTP/1.1 server with
// the faces of real APIs that paces replies as the engine says and keeps its
// truth, so that what a client reports can be held against what was done. It
// shares no transport, timing or statistics with the client. It promises that
// deadlines are absolute (lateness can't add up) and that each event is one
// write; it refuses what it does not simulate instead of guessing.
package simserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"assay/internal/sim"
	"assay/internal/simserver/face"
	"assay/internal/tokenizer"
)

// Config says what is served.
type Config struct {
	Preset    string
	Set       map[string]string    // parameters of the preset
	Models    []string             // to answer to; none: to any, and "sim" is listed
	APIKey    string               // "" lets everybody in
	TLS       *tls.Config          // nil: plain
	Tokenizer *tokenizer.Tokenizer // of the model that is simulated; nil counts words
	Truth     int                  // events kept for /assay/truth; 0: DefaultTruth; below: none
}

// DefaultTruth is about 100 MB of truth.
const DefaultTruth = 2 << 20

// A Server serves one engine.
type Server struct {
	config     Config
	settings   sim.Settings
	vocabulary vocabulary
	routes     []route
	clock      clock
	driver     *driver
	truth      truthLog
	requests   atomic.Uint64  // that faults were drawn for
	work       sync.WaitGroup // everything that Serve started
	ended      chan struct{}

	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool
}

// New returns a server. It listens to nothing until Serve.
func New(c Config) (*Server, error) {
	settings, err := sim.Configure(c.Preset, c.Set)
	if err != nil {
		return nil, err
	}
	if c.Truth == 0 {
		c.Truth = DefaultTruth
	}
	s := &Server{
		config: c, settings: settings, clock: newClock(),
		routes: routesOf(face.Table()), conns: map[net.Conn]struct{}{}, ended: make(chan struct{}),
		truth: truthLog{limit: c.Truth},
	}
	if s.vocabulary, err = newVocabulary(c.Tokenizer); err != nil {
		return nil, err
	}
	if s.driver, err = newDriver(s.clock, settings.Engine()); err != nil {
		return nil, err
	}
	return s, nil
}

// Describe tells what is simulated.
func (s *Server) Describe() sim.Description { return s.settings.Describe() }

// Serve serves l until ctx ends; then it closes l and every connection, waits
// for what it started and returns nil. A server serves once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.work.Go(s.driver.run)
	stop := context.AfterFunc(ctx, func() { l.Close() })
	err := s.accept(ctx, l)
	if stop() {
		l.Close()
	}
	s.driver.close()
	s.hangUp()
	s.work.Wait()
	return err
}

func (s *Server) accept(ctx context.Context, l net.Listener) error {
	for n := uint64(0); ; {
		c, err := l.Accept()
		switch {
		case err == nil:
			n++
			delay := s.settings.SlowAccept(n)
			s.work.Go(func() { s.serve(c, delay) })
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("accept: %w", err)
		default:
			// No descriptors, most likely: the next moment may have one.
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// serve is the life of one connection. Connections are accepted by the kernel:
// one that is slow to be accepted is one that nobody looks at for a while.
func (s *Server) serve(raw net.Conn, delay int64) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		raw.Close()
		return
	}
	s.conns[raw] = struct{}{}
	s.mu.Unlock()
	c := raw
	if s.config.TLS != nil {
		c = tls.Server(raw, s.config.TLS)
	}
	if delay > 0 {
		select {
		case <-time.After(time.Duration(delay)):
		case <-s.ended:
		}
	}
	newConn(s, raw, c).loop()
	c.Close()
	s.mu.Lock()
	delete(s.conns, raw)
	s.mu.Unlock()
}

func (s *Server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	close(s.ended)
	for c := range s.conns {
		c.Close()
	}
}
