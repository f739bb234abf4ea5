// This file reads how long a server that refuses wants to be left alone. It is
// counted and never obeyed: a request that was refused is not sent again.

package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"assay/internal/record"
)

// longestRetry bounds what is believed.
const longestRetry = 366 * 24 * time.Hour

// RetryAfter is the Retry-After of an answer's head as a duration, ns;
// record.None without one that can be read. A date counts from the answer's
// own, since the two machines' clocks need not agree.
func RetryAfter(h http.Header) int64 {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if seconds < 0 || seconds != seconds {
			return record.None
		}
		return int64(min(seconds, longestRetry.Seconds()) * 1e9)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return record.None
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return record.None
	}
	return int64(min(max(0, at.Sub(from)), longestRetry))
}
