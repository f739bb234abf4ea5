package run

// Readiness: a server that is still loading its model is waited for, where the
// contract asks for it, before anything is sent that counts.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/record"
)

const (
	// askAgain is the pause between two looks at a server that is not ready.
	askAgain = time.Second
	// sayAgain is how long somebody who waits hears nothing new at most.
	sayAgain = 15 * time.Second
)

// errHopeless is in the error of a question that waiting won't answer.
var errHopeless = errors.New("waiting is in vain")

// hopeless marks an error with errHopeless and leaves its words.
type hopeless struct{ error }

func (hopeless) Is(target error) bool { return target == errHopeless }
func (h hopeless) Unwrap() error      { return h.error }

// inVain tells whether asking again could help: what the contract says, and a
// key that is refused, stay as they are.
func inVain(err error) bool {
	var h *HintError
	return errors.Is(err, errHopeless) || errors.As(err, &h) && h.Code == ExitUsage
}

// A wait is what is waited for at one address.
type wait struct {
	what  string // "the list of models"
	where string
	limit time.Duration
	ask   func(context.Context) error // nil: it is ready
}

// until asks until the answer is good, the limit has passed, or waiting is in
// vain, and says meanwhile what it waits for.
func (w wait) until(ctx context.Context, say func(Event)) error {
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	var told time.Time
	for {
		err := w.ask(limited)
		waited := time.Since(start)
		switch {
		case err == nil:
			if !told.IsZero() {
				say(Event{Message: fmt.Sprintf("%s is ready after %.1f s", w.where, waited.Seconds())})
			}
			return nil
		case ctx.Err() != nil:
			return errInterrupted
		case inVain(err):
			return err
		case limited.Err() != nil:
			return cannot(fmt.Errorf("%s was not ready after %s (target.wait_limit): it waited for %s: %w", w.where, w.limit, w.what, err),
				"is the server starting at all? `assay try` shows what it answers")
		}
		if told.IsZero() || time.Since(told) >= sayAgain {
			told = time.Now()
			say(Event{Message: fmt.Sprintf("waiting for %s of %s, at most %s: %s", w.what, w.where, w.limit, err)})
		}
		select {
		case <-limited.Done():
		case <-time.After(askAgain):
		}
	}
}

// awaitServers waits for what can be seen before the model is known.
func awaitServers(ctx context.Context, o Options, c *contract.Contract, s *servers) error {
	for i := range c.Streams {
		stream := &c.Streams[i]
		t := &stream.Target
		d, ok := dialect.Find(t.Endpoint)
		if !ok || t.WaitFor == "" || t.WaitFor == contract.WaitToken && (t.Model != "" || d.Models == "") {
			continue // what asks for a token names a model, or hears which there are
		}
		a, err := accessFor(*t, d, os.Getenv)
		if err != nil {
			return err
		}
		for _, base := range s.bases(stream) {
			w := wait{what: "the list of models", where: base, limit: time.Duration(t.WaitLimit)}
			w.ask = func(ctx context.Context) error {
				_, err := firstModel(ctx, *t, base, d, a)
				return err
			}
			if t.WaitFor == contract.WaitHealth {
				w.what, w.ask = "a 200 at /health", func(ctx context.Context) error { return healthy(ctx, *t, base, d, a) }
			}
			if err := w.until(ctx, o.OnEvent); err != nil {
				return err
			}
		}
	}
	return nil
}

// awaitTokens waits for a first token of each address, where that is asked.
func awaitTokens(ctx context.Context, o Options, c *contract.Contract, s *servers) error {
	for i := range c.Streams {
		stream := &c.Streams[i]
		if stream.Target.WaitFor != contract.WaitToken {
			continue
		}
		l, err := newLine(stream, c.Seed, s.urls[stream.Name], "wait", OSFiles{}, os.Getenv)
		if err != nil {
			return err
		}
		for k := range l.ways {
			w := wait{what: "a first token", where: l.ways[k].shown(), limit: time.Duration(stream.Target.WaitLimit)}
			w.ask = func(ctx context.Context) error {
				r, _, err := l.once(ctx, k)
				switch {
				case err != nil:
					return err
				case r.Status == record.OK:
					return nil
				case r.HTTPStatus == http.StatusUnauthorized || r.HTTPStatus == http.StatusForbidden:
					return cannot(hopeless{fmt.Errorf("%s: %s: %s", r.URL, r.ErrorKind, r.ErrorMessage)}, refusalHint(l, &r))
				}
				return fmt.Errorf("%s: %s", r.ErrorKind, r.ErrorMessage)
			}
			if err := w.until(ctx, o.OnEvent); err != nil {
				return err
			}
		}
	}
	return nil
}

// healthy asks at /health.
func healthy(ctx context.Context, t contract.Target, base string, d dialect.Dialect, a access) error {
	u, err := parseBase(base)
	if err != nil {
		return err
	}
	client, err := clientFor(t, base, a)
	if err != nil {
		return err
	}
	u.Path = d.Base(u.Path) + "/health"
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	for _, h := range a.headers {
		req.Header.Set(h[0], h[1])
	}
	resp, err := client.Do(req)
	if err != nil {
		return errors.New(a.mask(err.Error()))
	}
	_ = resp.Body.Close()
	return ready(resp.StatusCode)
}

// ready is nil for 200. A key that is refused today is refused tomorrow.
func ready(status int) error {
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return cannot(hopeless{fmt.Errorf("at /health it answered %d %s", status, http.StatusText(status))}, keyHint)
	}
	return fmt.Errorf("it answered %d %s", status, http.StatusText(status))
}
