package run

// The servers of a contract: addresses that are given, or the embedded server
// started for the occasion.

import (
	"context"

	"assay/internal/contract"
	"assay/internal/dialect"
)

// servers are where each stream's requests go.
type servers struct {
	urls     map[string][]string // stream → full endpoint addresses
	template map[string]int      // stream → what its server adds to each prompt, as the preflight saw it
	started  map[string]*embedded
	contract *contract.Contract
}

// startServers resolves every stream's addresses; streams that simulate the
// same preset with the same settings and tokenizer share one embedded server.
func startServers(ctx context.Context, exe string, c *contract.Contract) (*servers, error) {
	s := &servers{urls: map[string][]string{}, template: map[string]int{}, started: map[string]*embedded{}, contract: c}
	for i := range c.Streams {
		stream := &c.Streams[i]
		if err := s.resolve(ctx, exe, stream); err != nil {
			s.stop()
			return nil, err
		}
	}
	return s, nil
}

func (s *servers) resolve(ctx context.Context, exe string, stream *contract.Stream) error {
	t := &stream.Target
	if t.Simulate != "" && s.started[embeddedKey(stream)] == nil {
		e, err := startEmbedded(ctx, exe, t.Simulate, t.SimulateSet, tokenizerOf(stream))
		if err != nil {
			return cannot(err, "`assay simulate --describe` lists the presets")
		}
		s.started[embeddedKey(stream)] = e
	}
	d, ok := dialect.Find(t.Endpoint)
	if !ok {
		return nil // findModels says so
	}
	for _, base := range s.bases(stream) {
		u, err := endpointURL(base, t, d)
		if err != nil {
			return err
		}
		_, socket := cutSocket(base)
		s.urls[stream.Name] = append(s.urls[stream.Name], joinSocket(u, socket))
	}
	return nil
}

// bases are the target's URLs as given, or the embedded server's.
func (s *servers) bases(stream *contract.Stream) []string {
	if stream.Target.Simulate != "" {
		return []string{s.started[embeddedKey(stream)].url}
	}
	return stream.Target.URL
}

// embeddedKey tells embedded servers apart. One that stands for a model has the
// tokenizer of that model, so it counts as the stream does.
func embeddedKey(stream *contract.Stream) string {
	t := &stream.Target
	key := t.Simulate + " " + tokenizerOf(stream)
	for _, k := range sortedKeys(t.SimulateSet) {
		key += " " + k + "=" + t.SimulateSet[k]
	}
	return key
}

func (s *servers) stop() {
	for _, e := range s.started {
		e.stop()
	}
}
