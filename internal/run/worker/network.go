package worker

// What TCP says of this worker's connections, each second: of some of them,
// since a worker may hold thousands and asking is time that requests lack.

import (
	"slices"

	"assay/internal/dispatch"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/wire"
)

// askedAtOnce is how many connections are asked each second.
const askedAtOnce = 64

// A lookout asks the connections of several pools.
type lookout struct {
	pools []wire.Pool
	limit int
	next  int // the pool to begin with, where not all can be asked
	paths []wire.Path
}

func newLookout(streams []dispatch.Stream) *lookout {
	l := &lookout{limit: askedAtOnce}
	for i := range streams {
		for _, t := range streams[i].Targets {
			l.pools = append(l.pools, t.Pool)
		}
	}
	return l
}

// look asks each pool for its share of connections, and takes what one leaves
// for the next.
func (l *lookout) look() observation.Network {
	l.paths = l.paths[:0]
	open := 0
	for i := range l.pools {
		pool := l.pools[(l.next+i)%len(l.pools)]
		left := l.limit - len(l.paths)
		share := (left + len(l.pools) - i - 1) / (len(l.pools) - i)
		n := 0
		l.paths, n = pool.Paths(l.paths, share)
		open += n
	}
	l.next++
	return networkOf(l.paths, open)
}

// networkOf sums up the paths of some of the open connections.
func networkOf(paths []wire.Path, open int) observation.Network {
	n := observation.Network{Connections: open, Sampled: len(paths)}
	var trips []int64
	for _, p := range paths {
		n.Retransmits += p.Retransmits
		if p.RTT != record.None {
			trips = append(trips, p.RTT)
		}
	}
	switch {
	case open == 0:
		n.Unavailable = "no connection is open"
	case len(paths) == 0:
		n.Unavailable = "this system tells nothing of its TCP connections"
	case len(trips) == 0:
		n.Unavailable = "no round trip was measured yet"
	default:
		slices.Sort(trips)
		n.RTTMin, n.RTTMedian, n.RTTMax = trips[0], trips[(len(trips)-1)/2], trips[len(trips)-1]
	}
	return n
}
