package run

// What would be sent: the contract's schedule and lengths, gone through
// without sending anything. The run walks the same schedule and the same
// lengths, so the plan is not an estimate of them.

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/slo"
)

// A Plan is what a contract would send.
type Plan struct {
	Name    string
	Seed    uint64
	Streams []StreamPlan
	Cost    *PlannedCost // nil where the contract has no price
}

// A StreamPlan is what one stream would send. How many requests a closed loop
// sends in a given time depends on the server: then Counted is false, and the
// first ones stand for all.
type StreamPlan struct {
	Name                  string
	Arrival               arrival.Spec  // open loop
	Concurrency           int           // closed loop: slots or users; 0 in open loop
	Loop                  string        // closed loop, in words
	Warmup, Window, Drain time.Duration // Window is 0 where only the server decides when it ends

	Counted              bool
	WarmupSum, WindowSum PlanSum         // zero unless Counted
	Share                *float64        // of the requests of the window of all streams; nil where there is one, or they can't be counted
	Input, Output        PlannedLengths  // of the requests that Requests lists
	Media                *PlannedLengths // bytes beside the words of each; nil without any
	Arrivals             PlannedArrivals // open loop
	Cache                *PlannedCache   // nil where prompts share nothing
	Sessions             *PlannedSessions

	Habits     []PlannedHabit
	Objectives []PlannedObjective
	Notes      []string // what the contract says and the requests can't quite keep

	requests iter.Seq[PlannedRequest]
}

// A PlanSum is a number of requests and the tokens they ask for.
type PlanSum struct {
	Requests     int64 `json:"requests"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	PlannedMedia
}

// A PlannedObjective is an objective and the fewest requests that can settle it.
type PlannedObjective struct {
	Objective slo.Objective
	Least     int
	Planned   int  // measured requests; record.NoCount where it is not known before the run
	Expected  int  // of them, later turns of sessions: replies decide whether they come
	Enough    bool // Planned reaches Least, or is not known
}

// A PlannedRequest is one request of the plan. DueNS counts from the start of
// the warm-up; it is nil in closed loop, where an end decides and no clock.
// There, unless the stream has no warm-up, Measured is not known and false.
type PlannedRequest struct {
	Stream       string `json:"stream"`
	Seq          uint64 `json:"seq"`
	DueNS        *int64 `json:"due_ns"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	Measured     bool   `json:"measured"`

	Turn  int `json:"turn,omitempty"`  // of a session: from 1; DueNS is nil of later ones
	Turns int `json:"turns,omitempty"` // requests of that session

	CancelAfterNS     int64 `json:"cancel_after_ns,omitempty"` // its client hangs up: 0: not by the clock
	CancelAfterTokens int   `json:"cancel_after_tokens,omitempty"`

	PlannedMedia
}

// MakePlan goes through what the resolved contract would send. fsys is where
// files of prompts and arrivals are found.
func MakePlan(c *contract.Contract, fsys fs.FS) (*Plan, error) {
	if err := readFiles(c, fsys, os.Getenv); err != nil {
		return nil, err
	}
	p := &Plan{Name: c.Name, Seed: c.Seed}
	for i := range c.Streams {
		s := &c.Streams[i]
		source, err := newSource(s, c.Seed, fsys, os.Getenv)
		if err != nil {
			return nil, err
		}
		stream, err := planStream(s, c.Seed, source)
		if err != nil {
			return nil, err
		}
		if s.Workload.File != "" {
			file, err := s.RequestFile(fsys)
			if err != nil {
				return nil, usage(err, "")
			}
			stream.Notes = append(stream.Notes, fileNotes(file)...)
		}
		p.Streams = append(p.Streams, stream)
	}
	shares(p.Streams)
	p.Cost = costOf(c.Cost, p.Streams)
	return p, nil
}

// shares says how the requests of the window are shared.
func shares(streams []StreamPlan) {
	all := int64(0)
	for i := range streams {
		if !streams[i].Counted {
			return
		}
		all += streams[i].WindowSum.Requests
	}
	if all == 0 || len(streams) == 1 {
		return
	}
	for i := range streams {
		share := float64(streams[i].WindowSum.Requests) / float64(all)
		streams[i].Share = &share
	}
}

// Requests lists the planned requests, stream by stream in the contract's
// order. Of a stream that is not Counted it lists the first thousand.
func (p *Plan) Requests() iter.Seq[PlannedRequest] {
	return func(yield func(PlannedRequest) bool) {
		for i := range p.Streams {
			for r := range p.Streams[i].requests {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// TooShort says which objectives the planned requests can't settle, one line
// each; it is empty when all can be.
func (p *Plan) TooShort() []string {
	var short []string
	for _, s := range p.Streams {
		for _, o := range s.Objectives {
			if o.Enough {
				continue
			}
			where := ""
			if len(p.Streams) > 1 {
				where = "stream " + s.Name + ": "
			}
			short = append(short, fmt.Sprintf("%s%q needs at least %d requests, planned are %d",
				where, o.Objective.Text, o.Least, o.Planned))
		}
	}
	return short
}
