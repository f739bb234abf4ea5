package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// awaited is what became of a wait for a server that is ready after so long,
// and what was said meanwhile.
func awaited(t *testing.T, ctx context.Context, after, limit time.Duration, fault error) (took time.Duration, said []string, err error) {
	t.Helper()
	start := time.Now()
	w := wait{what: "a light", where: "server", limit: limit, ask: func(context.Context) error {
		if time.Since(start) < after {
			return fault
		}
		return nil
	}}
	err = w.until(ctx, func(e Event) { said = append(said, e.Message) })
	return time.Since(start), said, err
}

func TestAServerIsAskedAgainUntilItIsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took, said, err := awaited(t, t.Context(), 40500*time.Millisecond, time.Minute, errors.New("dark"))
		if err != nil || took != 41*time.Second {
			t.Errorf("%v after %v, want no error after 41 s", err, took)
		}
		if len(said) != 4 || !strings.Contains(said[0], "waiting for a light of server, at most 1m0s: dark") || said[3] != "server is ready after 41.0 s" {
			t.Errorf("said %q, want it thrice, 15 s apart, and that it is ready", said)
		}
		if took, said, err := awaited(t, t.Context(), 0, time.Minute, nil); err != nil || took != 0 || len(said) != 0 {
			t.Errorf("of one that is ready: %v, %v, %q", err, took, said)
		}
	})
}

func TestAWaitEndsWithItsLimitAndSaysWhatItWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took, _, err := awaited(t, t.Context(), time.Hour, 10*time.Second, errors.New("dark"))
		var h *HintError
		if took != 10*time.Second || !errors.As(err, &h) || h.Code != ExitCannot || !strings.Contains(err.Error(), "waited for a light: dark") {
			t.Errorf("%v after %v, want exit 5 after 10 s", err, took)
		}
	})
}

func TestAWaitInVainEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, fault := range []error{ready(401), usage(errors.New("no such file"), "")} {
			if took, _, err := awaited(t, t.Context(), time.Hour, time.Minute, fault); took != 0 || !errors.Is(err, fault) {
				t.Errorf("%v after %v, want %v at once", err, took, fault)
			}
		}
	})
}

func TestAWaitIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		if took, _, err := awaited(t, ctx, time.Hour, time.Minute, errors.New("dark")); took != 2500*time.Millisecond || !errors.Is(err, errInterrupted) {
			t.Errorf("%v after %v, want interrupted after 2.5 s", err, took)
		}
	})
}

func TestOnlyA200IsHealth(t *testing.T) {
	for status, want := range map[int]bool{200: true, 204: false, 404: false, 503: false} {
		if err := ready(status); (err == nil) != want || inVain(err) {
			t.Errorf("ready(%d) = %v", status, err)
		}
	}
}
