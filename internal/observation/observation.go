// Package observation holds what is known of the machines during a run: one
// JSON object a line in observations.jsonl. Receipts are computed from it and
// from nothing else, so a verdict can be remade from files. It samples
// nothing itself.
package observation

// An Observation is one line: a time, a kind, and the one body of that kind.
type Observation struct {
	T      int64 `json:"t_ns"` // since the epoch
	Kind   Kind  `json:"kind"`
	Worker *int  `json:"worker,omitempty"` // nil: the machine or the run as a whole; below 0: one of the names below

	Epoch     *Epoch       `json:"epoch,omitempty"`
	Phases    *Phases      `json:"phases,omitempty"`
	Process   *Process     `json:"process,omitempty"`
	Runtime   *Runtime     `json:"runtime,omitempty"`
	Machine   *Machine     `json:"machine,omitempty"`
	Clock     *ClockOffset `json:"clock,omitempty"`
	Progress  *Progress    `json:"progress,omitempty"`
	Preflight *Preflight   `json:"preflight,omitempty"`
	Death     *Death       `json:"death,omitempty"`
	Note      *Note        `json:"note,omitempty"`

	Network     *Network     `json:"network,omitempty"`
	Attempt     *Attempt     `json:"attempt,omitempty"`
	Calibration *Calibration `json:"calibration,omitempty"`
	Proof       *Proof       `json:"proof,omitempty"`
	Cache       *Cache       `json:"cache,omitempty"`
	File        *File        `json:"file,omitempty"`
	Tokenizer   *Tokenizer   `json:"tokenizer,omitempty"`
}

// Processes that are no workers.
const (
	Coordinator = -1
	Embedded    = -2 // the embedded server: no part of the client
)

// Kind says which body a line has.
type Kind string

const (
	KindEpoch     Kind = "epoch"
	KindPhases    Kind = "phases"
	KindProcess   Kind = "process"   // each second, per worker, the coordinator and the embedded server included
	KindRuntime   Kind = "runtime"   // each second, by the worker itself
	KindMachine   Kind = "machine"   // each second
	KindClock     Kind = "clock"     // offset of the wall clock against the monotonic one
	KindProgress  Kind = "progress"  // each half second, by the worker, and once at its end
	KindPreflight Kind = "preflight" // a request before the epoch
	KindDeath     Kind = "death"     // a worker that ended before its work
	KindNote      Kind = "note"      // interrupted, recovered, disk full, …

	KindNetwork     Kind = "network"     // each second, by the worker: what TCP says of its connections
	KindAttempt     Kind = "attempt"     // an attempt before this one
	KindCalibration Kind = "calibration" // of this machine, as it was when the run began
	KindProof       Kind = "proof"       // the same traffic again with twice the processes
	KindCache       Kind = "cache"       // what a prefix cache could know of the prompts of a stream
	KindFile        Kind = "file"        // what was read of the file of requests of a stream
	KindTokenizer   Kind = "tokenizer"   // a server that was asked to count the tokens of prompts
)

// Epoch says what the stamps of a run are counted from, and who measured.
type Epoch struct {
	Wall      string  `json:"wall"`       // RFC 3339 with nanoseconds
	Monotonic int64   `json:"monotonic"`  // CLOCK_MONOTONIC of the coordinator's machine, ns
	Processes int     `json:"processes"`  // workers that were started
	Active    int     `json:"active"`     // of them, those that have work
	MaxProcs  int     `json:"gomaxprocs"` // of each worker
	Cores     float64 `json:"cores"`      // of the affinity mask or cgroup
	OS        string  `json:"os"`
	Arch      string  `json:"arch"`
	Kernel    string  `json:"kernel,omitempty"`
	CPU       string  `json:"cpu,omitempty"`
	Version   string  `json:"version"` // of assay
}

// Phases are the instants of one run, ns since the epoch.
type Phases struct {
	WarmupStart int64 `json:"warmup_start_ns"`
	WindowStart int64 `json:"window_start_ns"`
	WindowEnd   int64 `json:"window_end_ns"` // None-like -1 when only the records tell (requests: N)
	DrainEnd    int64 `json:"drain_end_ns"`  // no request lives longer
}

// A Process is the CPU of one process over the interval that ended at T.
type Process struct {
	PID         int    `json:"pid"`
	Interval    int64  `json:"interval_ns"`
	CPU         int64  `json:"cpu_ns"`
	Wait        int64  `json:"wait_ns"` // runnable, waiting for a CPU
	MaxProcs    int    `json:"gomaxprocs"`
	RSS         int64  `json:"rss_bytes"`
	FDs         int    `json:"fds"`
	FDsLimit    int    `json:"fds_limit,omitempty"`   // 0: unknown
	Unavailable string `json:"unavailable,omitempty"` // why CPU and Wait can't be read here
}

// A Runtime is what the Go runtime of a worker says of the interval.
type Runtime struct {
	GCPauseMax    int64 `json:"gc_pause_max_ns"`
	SchedDelayP99 int64 `json:"sched_delay_p99_ns"`
	Goroutines    int   `json:"goroutines"`
	Heap          int64 `json:"heap_bytes"`
}

// A Machine is the CPU of the cores that this run may use, over the interval that ended at T.
type Machine struct {
	Interval    int64   `json:"interval_ns"`
	Cores       float64 `json:"cores"`
	Busy        int64   `json:"busy_ns"` // core-nanoseconds, steal and other processes included
	Steal       int64   `json:"steal_ns"`
	Unavailable string  `json:"unavailable,omitempty"`

	Pressure            int64  `json:"pressure_ns"` // some task waited for a CPU (PSI "some")
	PressureUnavailable string `json:"pressure_unavailable,omitempty"`
	Throttled           int64  `json:"throttled_ns"` // the cgroup's quota held its tasks back
	ThrottledUnavail    string `json:"throttled_unavailable,omitempty"`
	Retransmits         int64  `json:"retransmits"` // TCP segments that this machine sent again
	RetransmitsUnavail  string `json:"retransmits_unavailable,omitempty"`
	Ports               int    `json:"ports"` // sockets that have a local port, or rest on one
	PortsResting        int    `json:"ports_resting"`
	PortsLimit          int    `json:"ports_limit"` // 0: unknown
	PortsUnavailable    string `json:"ports_unavailable,omitempty"`
}

// A ClockOffset is wall clock minus monotonic clock (by the epoch), and the
// width of the bracket in which it was sampled.
type ClockOffset struct {
	Offset int64 `json:"offset_ns"`
	Width  int64 `json:"width_ns"`
	Step   int64 `json:"step_ns,omitempty"` // jump since the last sample, when beyond drift
}

// Progress is a worker's own account, cumulative.
type Progress struct {
	Due      int64 `json:"due"`      // requests whose time has come
	Released int64 `json:"released"` //
	InFlight int64 `json:"in_flight"`
	Done     int64 `json:"done"`
	Failed   int64 `json:"failed"`
	Final    bool  `json:"final,omitempty"` // the worker has nothing more to do
}

// A Preflight is one request before the load. It is not a record.
type Preflight struct {
	OK           bool    `json:"ok"`
	HTTPStatus   int     `json:"http_status"`
	ErrorKind    string  `json:"error_kind,omitempty"`
	ErrorMessage string  `json:"error_message,omitempty"`
	TTFTms       float64 `json:"ttft_ms,omitempty"`
	DurationMS   float64 `json:"duration_ms,omitempty"` // from the sending to the end of the answer
	Closes       bool    `json:"closes,omitempty"`      // the server closed the connection after it
	Requests     int     `json:"requests,omitempty"`    // 0: this one; else some seconds at the planned rate, counted together
	Processes    int     `json:"processes,omitempty"`   // that sent them
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Stream       string  `json:"stream,omitempty"`
	Counted      int     `json:"counted_tokens,omitempty"`  // of its prompt, by the stream's tokenizer
	Template     *int    `json:"template_tokens,omitempty"` // what the server adds to each prompt of the stream, and is taken off their texts; nil where that is not known
}

// A Network is what the kernel says of a worker's open TCP connections.
type Network struct {
	Connections int    `json:"connections"`
	Sampled     int    `json:"sampled"`    // of them, those that the numbers below are of
	RTTMin      int64  `json:"rtt_min_ns"` // the least of their smallest round trips
	RTTMedian   int64  `json:"rtt_median_ns"`
	RTTMax      int64  `json:"rtt_max_ns"`
	Retransmits int64  `json:"retransmits"` // segments sent again on them since each was opened
	Unavailable string `json:"unavailable,omitempty"`
}

// An Attempt is one that was carried out before this one, in attempts/N.
type Attempt struct {
	N            int      `json:"n"` // from 1: its folder
	Processes    int      `json:"processes"`
	Preflight    bool     `json:"preflight"` // some seconds at the planned rate, not the whole
	Status       string   `json:"status"`
	Reasons      []Reason `json:"reasons"`
	RequestRate  *float64 `json:"request_rate"` // completions/s
	InputTokens  int64    `json:"input_tokens"` // all that it sent and received
	OutputTokens int64    `json:"output_tokens"`
}

// A Reason is one cause of an attempt's status.
type Reason struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// A Calibration is this machine's ceiling as a client, copied from the file
// that `assay calibrate` saved, so that a verdict can be remade without it.
type Calibration struct {
	Taken       string    `json:"taken"`   // RFC 3339
	Version     string    `json:"version"` // of assay
	Ceilings    []Ceiling `json:"ceilings"`
	Unavailable string    `json:"unavailable,omitempty"` // why there is none
}

// A Ceiling is the load that this many processes carried with every
// receipt intact, the embedded null server beside them on the same machine.
type Ceiling struct {
	Processes int     `json:"processes"`
	Requests  float64 `json:"requests_per_s"`
	Events    float64 `json:"events_per_s"`
}

// A Proof is two runs of the same traffic, this one and one with twice the
// processes, as intervals that should overlap.
type Proof struct {
	N         int          `json:"n"`         // the other run's folder, attempts/N
	Processes int          `json:"processes"` // of the other run
	Status    string       `json:"status"`    // of the other run
	Reasons   []Reason     `json:"reasons"`
	Compared  []Comparison `json:"compared"`
}

// A Cache is what a prefix cache without limit could know of the requests of
// the window that succeeded and whose tokens the server counted, from all that
// the run had sent before each.
type Cache struct {
	Stream      string `json:"stream"`
	Requests    int64  `json:"requests"`
	InputTokens int64  `json:"input_tokens"`    // of them
	Known       int64  `json:"known_tokens"`    // of the input tokens
	InBlocks    int64  `json:"known_in_blocks"` // likewise, where 16 tokens are kept together, and of replies none
	Whole       int64  `json:"whole_requests"`  // requests whose whole prompt had been sent before
}

// A File is what was read of a file of requests before the start.
type File struct {
	Stream   string   `json:"stream"`
	Name     string   `json:"name"`
	Format   string   `json:"format"`
	Requests int      `json:"requests"`
	Units    int      `json:"units"`    // what is due at once: sessions, and requests that belong to none
	Unusable int      `json:"unusable"` // lines that were left out
	Reasons  []string `json:"reasons"`  // of the first of them, with their numbers
}

// A Tokenizer is a server's own, as it was asked before the start.
type Tokenizer struct {
	Stream string `json:"stream"`
	URL    string `json:"url"`
	Asked  int    `json:"requests"` // texts that it counted, one a request
	SHA256 string `json:"sha256"`   // of its answers: two servers that count alike have the same
}

// A Comparison is one number of both runs with its interval; an open end is null.
type Comparison struct {
	Name    string      `json:"name"` // "request_rate", "ttft_ms p50", …
	This    *float64    `json:"this"`
	CI      [2]*float64 `json:"ci"`
	Other   *float64    `json:"other"`
	OtherCI [2]*float64 `json:"other_ci"`
}

// A Death is a worker that ended before its work was done.
type Death struct {
	Reason string `json:"reason"` // "signal: killed", "exit status 2: …"
}

// A Note is something about the run that a verdict must know.
type Note struct {
	Code string `json:"code"` // one of the Note… constants
	Text string `json:"text"`
}

// Codes of notes.
const (
	NoteInterrupted = "interrupted"
	NoteRecovered   = "recovered"
	NoteDiskFull    = "disk_full"
	NoteTornTail    = "torn_tail"
	NoteNoGrow      = "no_grow"   // the fleet was not to grow
	NoteProxy       = "proxy"     // what stands between this client and a server
	NoteRehearsal   = "rehearsal" // some seconds at the planned rate, to see whether the whole can be valid
)
