package result

// The half of result.json in which the instrument accounts for itself: its
// receipts, its attempts to prove itself, what it sent, and its machine.

// Client is the instrument's account of itself.
type Client struct {
	Processes      int       `json:"processes"`
	CPUMax         *float64  `json:"cpu_max"` // highest second of any worker, of its GOMAXPROCS
	MachineCPUMax  *float64  `json:"machine_cpu_max"`
	SendLag        *Lag      `json:"send_lag_ms"`
	ReadLag        *Lag      `json:"read_lag_ms"`
	Coalesced      *float64  `json:"coalesced"`
	Delivered      *float64  `json:"delivered"`
	LocalFaults    int64     `json:"local_faults"`
	NewConnections *float64  `json:"new_connections"` // share of requests that waited for a connection
	Clock          string    `json:"clock"`
	GapsClamped    int64     `json:"gaps_clamped"` // gaps that ran backwards (a step of the clock) and count as 0
	Network        *Network  `json:"network"`      // null where the kernel tells nothing
	Proof          *Proof    `json:"proof"`        // null without client.proof
	Receipts       []Receipt `json:"receipts"`
}

// Network is what TCP says of the connections that the requests used. The
// adjusted times stand beside the measured ones, never instead of them.
type Network struct {
	RTT             Lag    `json:"rtt_ms"`           // smallest round trip of each request's connection
	TTFTAdjusted    *Lag   `json:"ttft_adjusted_ms"` // TTFT less that round trip
	LatencyAdjusted *Lag   `json:"latency_adjusted_ms"`
	Retransmits     *int64 `json:"retransmits"` // segments that this machine sent again in the window
}

// A Proof is the doubling check: two runs of the same traffic, the other one
// with twice the processes.
type Proof struct {
	Processes int          `json:"processes"` // of the other run
	Run       string       `json:"run"`       // its folder, below this one
	Status    string       `json:"status"`    // of the other run
	Holds     bool         `json:"holds"`
	Compared  []Comparison `json:"compared"`
}

// A Comparison is one number in both runs with its 95 % interval; an open end is null.
type Comparison struct {
	Name    string      `json:"name"` // "request_rate", "ttft_ms p50", …
	This    *float64    `json:"this"`
	ThisCI  [2]*float64 `json:"this_ci"`
	Other   *float64    `json:"other"`
	OtherCI [2]*float64 `json:"other_ci"`
	Overlap bool        `json:"overlap"`
}

type Lag struct {
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
	Max *float64 `json:"max"`
}

// Receipt statuses.
const (
	Holds         = "holds"
	Broken        = "broken"
	Unavailable   = "unavailable"
	NotApplicable = "not_applicable"
	Reported      = "reported" // has no limit
)

// A Receipt is one proof: a value, its limit, and whether it holds.
type Receipt struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Value   *float64 `json:"value"`
	Limit   *float64 `json:"limit"`
	Usual   *float64 `json:"usual_limit"`   // what Limit would be if the contract said nothing
	Changed bool     `json:"limit_changed"` // the contract set another limit than the default
	Status  string   `json:"status"`
	Warns   bool     `json:"warns,omitempty"` // no say in the verdict, but worth a look
	Note    string   `json:"note,omitempty"`
}

// Arrivals is what was really sent against what was asked.
type Arrivals struct {
	GapCV      *float64       `json:"gap_cv"`
	Dispersion *float64       `json:"dispersion"` // variance over mean of counts per second
	Test       string         `json:"test"`       // "as asked", or what is not
	Holds      *bool          `json:"holds"`      // null where nothing can be tested
	Checks     []ArrivalCheck `json:"checks"`
}

// An ArrivalCheck is one property of what was sent against what was asked.
type ArrivalCheck struct {
	Stream string   `json:"stream,omitempty"`
	Name   string   `json:"name"` // "gaps", "dispersion 1s", "autocorrelation", "rate", …
	Value  *float64 `json:"value"`
	Asked  *float64 `json:"asked"` // of the law that was asked for
	P      *float64 `json:"p"`     // of a value as far off or farther, where that law was kept
	Holds  bool     `json:"holds"`
}

// Environment is the machine that measured.
type Environment struct {
	Version string  `json:"version"`
	OS      string  `json:"os"`
	Arch    string  `json:"arch"`
	Kernel  string  `json:"kernel"`
	CPU     string  `json:"cpu"`
	Cores   float64 `json:"cores"`
}
