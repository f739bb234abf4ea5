package run

// The embedded server for those who measure against it more than once, and
// want to know what it spends.

import "context"

// A Beside is a running embedded server, a process of its own.
type Beside struct{ e *embedded }

// StartBeside starts the preset and waits until it listens.
func StartBeside(ctx context.Context, exe, preset string, set map[string]string) (*Beside, error) {
	e, err := startEmbedded(ctx, exe, preset, set, "")
	if err != nil {
		return nil, cannot(err, "")
	}
	return &Beside{e}, nil
}

// URL is where it listens.
func (b *Beside) URL() string { return b.e.url }

// PID is its process.
func (b *Beside) PID() int { return b.e.pid }

// Stop ends it.
func (b *Beside) Stop() { b.e.stop() }
