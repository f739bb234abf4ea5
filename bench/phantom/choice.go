package main

// How much load shows the difference. The server answers each request after
// the same time, so that a closed loop of some users can have no more than
// users ÷ time requests a second (Little's law). That must be more than one
// process can do, and still leave cores idle, because client and server share
// them here.

import (
	"fmt"
	"math"
	"time"
)

const (
	// ttft is the server's time for every request: long beside what the client
	// takes for one, short enough that few are under way.
	ttft = 200 * time.Millisecond
	// saturating are more users than one thread can keep busy: 2,000 requests of
	// 64,000 tokens a second.
	saturating = 400
	// busy is the share of the machine that may be in use, below the limit of
	// the receipt machine_cpu, 85 %: with 0.78 to 0.80 three runs of four were
	// refused on a machine of two cores, with 0.75 none of three.
	// Each try goes a step lower.
	busy = 0.75
	step = 0.03
	// most is how many times the client's own ceiling is enough of a story.
	most = 2.0
	// least is the difference below which there is none.
	least = 1.04
)

// A capacity is what one process could do, and what that took of the machine,
// the server included.
type capacity struct {
	rate  float64 // requests/s
	used  float64 // cores, p95 of seconds
	cores float64
}

// choose is how many users at once put the server's ceiling where several
// processes can see it while this share of the machine is in use. That a
// request costs somewhat more by several processes, which sleep and wake, is
// made up for by used, which is of the busiest seconds.
func choose(c capacity, share float64) (users int, err error) {
	rate := min(most*c.rate, share*c.cores*c.rate/c.used)
	if rate < least*c.rate {
		return 0, fmt.Errorf("%w: one process at its limit and the server already take %.2f of %g cores, which leaves no room to show more", errNoRoom, c.used, c.cores)
	}
	return int(math.Floor(rate * ttft.Seconds())), nil
}

// A price is what a server costs.
type price struct {
	perHour  float64
	currency string
}

// A plan is a number of servers for a demand.
type plan struct {
	demand        float64 // requests/s
	needed, asked int     // by the real ceiling, and by the phantom
	yearly        float64 // price of the difference
}

// planned is how many servers ten times the real ceiling takes, and how many
// the phantom asks for.
func planned(phantom, real float64, p price) plan {
	const servers, hours = 10, 365 * 24
	asked := int(math.Ceil(servers * real / phantom))
	return plan{
		demand: servers * real, needed: servers, asked: asked,
		yearly: float64(asked-servers) * p.perHour * hours,
	}
}
