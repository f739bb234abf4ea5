package wire

import (
	"net/http"
	"testing"
	"time"

	"assay/internal/record"
)

func TestRetryAfterIsSecondsOrADateByTheAnswersOwnClock(t *testing.T) {
	const date = "Tue, 01 Dec 2026 10:00:00 GMT"
	for _, c := range []struct {
		after, date string
		want        int64
	}{
		{"", date, record.None},
		{"120", "", int64(2 * time.Minute)},
		{" 0 ", "", 0},
		{"0.25", "", 250_000_000}, // not in the standard, and sent all the same
		{"-1", "", record.None},
		{"NaN", "", record.None},
		{"1e300", "", int64(longestRetry)},
		{"soon", date, record.None},
		{"Tue, 01 Dec 2026 10:00:30 GMT", date, int64(30 * time.Second)},
		{"Tue, 01 Dec 2026 09:59:00 GMT", date, 0},
		{"Tue, 01 Dec 2026 10:00:30 GMT", "", record.None},
	} {
		h := http.Header{}
		h.Set("Retry-After", c.after)
		h.Set("Date", c.date)
		if got := RetryAfter(h); got != c.want {
			t.Errorf("RetryAfter(%q at %q) = %d, want %d", c.after, c.date, got, c.want)
		}
	}
}
