package format

// BurstGPT: seconds since the trace began, tokens of request and response.
// Where a response has none the service failed, and how long it would have
// been is not known: such rows are unusable. Session IDs of its later versions
// are not read: the rows do not say what of a conversation they hold.

import (
	"fmt"
	"math"
	"strconv"

	"assay/internal/workload"
)

var burstColumns = []string{"Timestamp", "Request tokens", "Response tokens"}

func burstRow(header []string) row {
	at := places(header, burstColumns)
	if at == nil {
		return nil
	}
	return func(fields []string) ([]item, error) {
		e := workload.Entry{Timed: true}
		when, err := field(fields, at[0], burstColumns[0])
		if err == nil {
			e.At, err = seconds(burstColumns[0], when)
		}
		if err == nil {
			e.Input, err = count(fields, at[1], burstColumns[1])
		}
		if err == nil {
			e.Output, err = count(fields, at[2], burstColumns[2])
		}
		return one(e), err
	}
}

// seconds is a number of seconds in ns.
func seconds(name, s string) (int64, error) {
	t, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(t) {
		return 0, fmt.Errorf("%s %q is no number of seconds", name, shorten(s))
	}
	return nanoseconds(name, t, second)
}
