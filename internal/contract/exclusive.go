// Settings that exclude each other. Both written in one file, or both given by
// flags, is an error; a flag over a file replaces, so the file's one goes.

package contract

import "strings"

// exclusive pairs are relative to the top level or to a stream.
var exclusive = [][2]string{
	{"traffic.rate", "traffic.concurrency"},
	{"traffic.arrivals", "traffic.concurrency"},
	{"traffic.cv", "traffic.concurrency"},
	{"traffic.shape", "traffic.concurrency"},
	{"traffic.duration", "traffic.requests"},
	{"target.url", "target.simulate"},
	{"target.url", "target.simulate_set"},
	{"workload.input_tokens", "workload.prompts"},
	{"workload.input_tokens", "workload.order"},
	{"workload.input_tokens", "workload.file"},
	{"workload.prompts", "workload.file"},
	{"workload.sessions", "workload.prompts"},
	{"workload.sessions", "workload.agent"},
	{"workload.agent", "workload.prompts"},
	{"workload.agent", "workload.file"},
	{"workload.lengths", "workload.input_tokens"},
	{"workload.lengths", "workload.output_tokens"},
	{"workload.lengths", "workload.prompts"},
	{"workload.lengths", "workload.file"},
	{"workload.prefix", "workload.prompts"},
	{"workload.prefix", "workload.file"},
	{"workload.images", "workload.prompts"},
	{"workload.images", "workload.file"},
	{"workload.audio", "workload.prompts"},
	{"workload.audio", "workload.file"},
	{"traffic.rate", "traffic.users"},
	{"traffic.arrivals", "traffic.users"},
	{"traffic.cv", "traffic.users"},
	{"traffic.shape", "traffic.users"},
	{"traffic.concurrency", "traffic.users"},
	{"traffic.requests", "traffic.users"},
	{"traffic.ramp", "traffic.users"},
	{"traffic.max_in_flight", "traffic.concurrency"},
	{"traffic.max_in_flight", "traffic.users"},
	{"traffic.max_prefill", "traffic.concurrency"},
	{"traffic.max_prefill", "traffic.users"},
	{"traffic.cancel.after", "traffic.cancel.after_tokens"},
}

// why says in a few words what the two would do to each other.
var why = map[[2]string]string{
	exclusive[0]: "rate is open loop, concurrency is closed loop",
	exclusive[1]: "in closed loop a request starts when another ends: there is no law of arrivals",
	exclusive[2]: "in closed loop a request starts when another ends: its gaps have no law",
	exclusive[3]: "in closed loop a request starts when another ends: there is no rate to shape",
	exclusive[4]: "requests replaces duration",
	exclusive[5]: "the embedded server is used instead of a URL",
	exclusive[6]: "these are parameters of the embedded server",
	exclusive[7]: "the prompts of a file have their own lengths",
	exclusive[8]: "order is that of a file of prompts",
	{"workload.input_tokens", "workload.file"}: "the requests of a file have their own lengths",
	{"workload.prompts", "workload.file"}:      "either has the requests",

	{"workload.sessions", "workload.prompts"}:      "the prompts of a file are requests of their own; file reads sessions",
	{"workload.sessions", "workload.agent"}:        "an agent is a session of another kind",
	{"workload.agent", "workload.prompts"}:         "an agent's calls are synthetic",
	{"workload.agent", "workload.file"}:            "the requests of a file have their own order",
	{"workload.lengths", "workload.input_tokens"}:  "lengths has both",
	{"workload.lengths", "workload.output_tokens"}: "lengths has both",
	{"workload.lengths", "workload.prompts"}:       "the prompts of a file have their own lengths",
	{"workload.lengths", "workload.file"}:          "the requests of a file have their own lengths",
	{"workload.prefix", "workload.prompts"}:        "the prompts of a file begin as they do",
	{"workload.prefix", "workload.file"}:           "the requests of a file begin as they do",
	{"workload.images", "workload.prompts"}:        "the prompts of a file are sent as they are",
	{"workload.images", "workload.file"}:           "the requests of a file have the pictures that it says",
	{"workload.audio", "workload.prompts"}:         "the prompts of a file are sent as they are",
	{"workload.audio", "workload.file"}:            "the requests of a file have the recordings that it says",

	{"traffic.rate", "traffic.users"}:                       "rate is open loop, users are a closed loop",
	{"traffic.arrivals", "traffic.users"}:                   "a user sends when he has read and thought: there is no law of arrivals",
	{"traffic.cv", "traffic.users"}:                         "a user sends when he has read and thought: think has the law",
	{"traffic.shape", "traffic.users"}:                      "a user sends when he has read and thought: there is no rate to shape",
	{"traffic.concurrency", "traffic.users"}:                "each user has one request under way at most",
	{"traffic.requests", "traffic.users"}:                   "the last of a number of requests would be those of the slowest users alone",
	{"traffic.ramp", "traffic.users"}:                       "users are there from the start, each somewhere in his pause",
	{"traffic.max_in_flight", "traffic.concurrency"}:        "concurrency is the ceiling of a closed loop",
	{"traffic.max_in_flight", "traffic.users"}:              "no more than the users are in flight",
	{"traffic.max_prefill", "traffic.concurrency"}:          "a ceiling holds back what is due, and in closed loop nothing is",
	{"traffic.max_prefill", "traffic.users"}:                "a ceiling holds back what is due, and in closed loop nothing is",
	{"traffic.cancel.after", "traffic.cancel.after_tokens"}: "a client hangs up at a time or at a token",
}

// displaces are, for a setting that a flag gives, those of the file that it
// replaces.
var displaces = map[string][]string{
	"traffic.rate":        {"traffic.concurrency", "traffic.users", "traffic.ramp", "traffic.think"},
	"traffic.concurrency": {"traffic.rate", "traffic.arrivals", "traffic.cv", "traffic.shape", "traffic.users", "traffic.max_in_flight", "traffic.max_prefill"},
	"traffic.users": {"traffic.rate", "traffic.arrivals", "traffic.cv", "traffic.shape", "traffic.concurrency", "traffic.ramp", "traffic.requests",
		"traffic.max_in_flight", "traffic.max_prefill"},
	"traffic.cancel.after":        {"traffic.cancel.after_tokens"},
	"traffic.cancel.after_tokens": {"traffic.cancel.after"},
	"traffic.duration":            {"traffic.requests"},
	"traffic.requests":            {"traffic.duration"},
	"target.url":                  {"target.simulate", "target.simulate_set"},
	"target.simulate":             {"target.url"},
	"workload.input_tokens":       {"workload.lengths", "workload.prompts", "workload.order", "workload.file", "workload.format", "workload.block", "workload.strict"},
	"workload.prompts":            {"workload.input_tokens", "workload.lengths", "workload.prefix", "workload.images", "workload.audio", "workload.file", "workload.format", "workload.block", "workload.strict"},
	"workload.output_tokens":      {"workload.lengths"},
	"workload.lengths":            {"workload.input_tokens", "workload.output_tokens", "workload.prompts", "workload.order", "workload.file", "workload.format", "workload.block", "workload.strict"},
	"workload.file":               {"workload.input_tokens", "workload.lengths", "workload.prefix", "workload.images", "workload.audio", "workload.prompts"},
}

// checkExclusive refuses two settings of one block that exclude each other.
// The error stands at the one that was written later.
func (c *Contract) checkExclusive(prefix string) error {
	for _, pair := range exclusive {
		a, b := prefix+pair[0], prefix+pair[1]
		if !c.isSet(a) || !c.isSet(b) {
			continue
		}
		later, earlier := b, a
		if pa, pb := c.written[a], c.written[b]; pb.before(pa) {
			later, earlier = a, b
		}
		return c.fail(later, "excludes "+earlier+", which is set too ("+why[pair]+")", "drop "+last(a)+" or "+last(b))
	}
	return nil
}

func (p place) before(q place) bool {
	if p.flag != q.flag {
		return !p.flag
	}
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// isSet tells whether a setting was written, or has a value in a contract that
// was built in memory.
func (c *Contract) isSet(path string) bool {
	if _, ok := c.written[path]; ok {
		return true
	}
	v, err := c.lookup(path)
	return err == nil && v.IsValid() && !v.IsZero()
}

// last is the last word of a path.
func last(path string) string { return path[strings.LastIndex(path, ".")+1:] }
