// Package result is the versioned schema of result.json and the one place
// where measures, objectives and receipts meet: Build makes a Result of a
// contract, the records and the observations, and nothing else. The same
// files give the same bytes.
package result

import "encoding/json"

// Schema names this version of result.json.
const Schema = "assay/result/v1"

// A Result is result.json. Latencies are milliseconds, rates are per second,
// shares are fractions 0–1; what is missing is null or absent, never 0.
type Result struct {
	Schema    string   `json:"schema"`
	Name      string   `json:"name"`
	Started   string   `json:"started"`    // RFC 3339, wall clock: a label
	DurationS float64  `json:"duration_s"` // of the window
	Claim     bool     `json:"claim"`      // whether this may stand as a capacity claim
	ClaimWhy  []Reason `json:"claim_reasons"`

	Contract  ContractInfo `json:"contract"`
	Verdict   Verdict      `json:"verdict"`
	Attempts  []Attempt    `json:"attempts"`
	Requests  Requests     `json:"requests"`
	Errors    []ErrorCount `json:"errors"`
	Throttled *Throttled   `json:"throttled"` // null where the server refused nothing for the sake of a quota
	Rates     Rates        `json:"rates"`

	Metrics map[string]Metric                       `json:"metrics"`
	By      map[string]map[string]map[string]Metric `json:"by"` // dimension → value → metric

	Tokens      Tokens          `json:"tokens"`
	Media       *Media          `json:"media,omitempty"`
	Items       []Items         `json:"items,omitempty"` // one of each stream whose answers are no text
	Lengths     Lengths         `json:"lengths"`
	Connections Connections     `json:"connections"`
	Sessions    []Sessions      `json:"sessions,omitempty"` // one of each stream that has some
	Client      Client          `json:"client"`
	Arrivals    Arrivals        `json:"arrivals"`
	Cache       Cache           `json:"cache"`
	Files       []File          `json:"files,omitempty"` // of requests
	Server      json.RawMessage `json:"server,omitempty"`
	Cost        json.RawMessage `json:"cost,omitempty"`
	Environment Environment     `json:"environment"`
}

// ContractInfo identifies what was asked.
type ContractInfo struct {
	Digest            string `json:"digest"` // "sha256:…" of the canonical form without the salt
	DefaultObjectives bool   `json:"default_objectives"`
	Seed              uint64 `json:"seed"`
	Salt              string `json:"salt"`
}

// Verdict statuses.
const (
	Pass         = "pass"
	Fail         = "fail"
	Inconclusive = "inconclusive"
	Invalid      = "invalid"
	Unproven     = "unproven"
)

// A Verdict is the answer: objective by objective, and why.
type Verdict struct {
	Status     string      `json:"status"`
	Reasons    []Reason    `json:"reasons"`
	Objectives []Objective `json:"objectives"`
}

// A Reason is one cause of a status: a code to branch on and a sentence to read.
type Reason struct {
	Code string `json:"code"` // a receipt's name, "incomplete", "interrupted", "drift", "default_objectives", …
	Text string `json:"text"`
}

// An Objective is one objective and what the run says of it. Value, Low and
// High are in Unit; an open end of the interval is null.
type Objective struct {
	Objective  string   `json:"objective"`
	Stream     string   `json:"stream,omitempty"`
	Unit       string   `json:"unit"` // "ms", "fraction", "1/s", …
	Value      *float64 `json:"value"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	Bound      float64  `json:"bound"`
	Status     string   `json:"status"` // pass, fail, inconclusive
	Count      int64    `json:"count"`
	Effective  *float64 `json:"effective_count"`
	Holds      string   `json:"holds,omitempty"`        // what does hold now: "p98.2 < 500ms"
	NeedsMoreS *float64 `json:"needs_more_s,omitempty"` // how much longer a run would settle it
	Why        string   `json:"why,omitempty"`
}

// An Attempt is one run of the fleet, in the order in which they were carried
// out. The last is the one reported; those before it are in attempts/N.
type Attempt struct {
	Processes    int      `json:"processes"`
	Status       string   `json:"status"`
	Reasons      []Reason `json:"reasons"`
	Preflight    bool     `json:"preflight,omitempty"` // some seconds at the planned rate, not the whole
	RequestRate  *float64 `json:"request_rate"`        // completions/s: of an invalid attempt, the client's own ceiling
	InputTokens  int64    `json:"input_tokens"`        // all that it sent and received
	OutputTokens int64    `json:"output_tokens"`
}

// Requests counts the population of the window (measurement.md section 4).
// Due = OK + Failed + Censored + Cancelled + Local + never released.
type Requests struct {
	Due       int64 `json:"due"`
	Sent      int64 `json:"sent"`
	OK        int64 `json:"ok"`
	Failed    int64 `json:"failed"`
	Censored  int64 `json:"censored"`
	Cancelled int64 `json:"cancelled"`
	Local     int64 `json:"local"`
	Held      int64 `json:"held_back,omitempty"` // of those due, by a ceiling
	Warmup    int64 `json:"warmup"`              // requests before the window, not in the above
}

// An ErrorCount is one kind of error with an example in the server's words.
type ErrorCount struct {
	Kind    string `json:"kind"`
	Count   int64  `json:"count"`
	Example string `json:"example"`
}

// Throttled is what the server refused with 429 or 503. It is among the errors, too.
type Throttled struct {
	Count       int64       `json:"count"`
	RetryAfterS *RetryAfter `json:"retry_after_s"` // null where no refusal had one
}

// RetryAfter is what the refusals asked for, in seconds. Nothing was sent again.
type RetryAfter struct {
	P50 float64 `json:"p50"`
	Max float64 `json:"max"`
}

// Connections is how the requests travelled, and what those that succeeded
// waited for before they were sent: it is in no latency that counts from there.
type Connections struct {
	Policy    string   `json:"policy"`              // pooled, per_request, sticky; "mixed" where streams differ
	HTTP      string   `json:"http"`                // 1.1 or 2
	Multiplex int      `json:"multiplex,omitempty"` // streams at a time on a connection of HTTP/2; more than one share its reads
	Insecure  []string `json:"insecure"`            // streams that took any certificate
	Proxies   []string `json:"proxies"`             // that stood between: their time is in every number
	Waited    int64    `json:"waited"`              // requests that waited for a connection
	Connect   *Lag     `json:"connect_ms"`          // of those: name, connection and TLS together
	DNS       *Lag     `json:"dns_ms"`
	TLS       *Lag     `json:"tls_ms"`
	URLs      []URL    `json:"urls"` // of several addresses; their latencies are in by.url
}

// A URL is one address of several and the requests that went there.
type URL struct {
	URL      string `json:"url"`
	Due      int64  `json:"due"`
	OK       int64  `json:"ok"`
	Failed   int64  `json:"failed"`
	Censored int64  `json:"censored"`
}

// Rates are per second of the window.
type Rates struct {
	Offered      *float64    `json:"offered"`
	Request      *float64    `json:"request"`
	RequestCI    [2]*float64 `json:"request_ci"` // 95 %
	OutputToken  *float64    `json:"output_token"`
	InputToken   *float64    `json:"input_token"`
	Good         *float64    `json:"good"`
	GoodFraction *float64    `json:"good_fraction"`
}

// A Metric describes one distribution.
type Metric struct {
	Unit           string   `json:"unit"`
	Count          int64    `json:"count"`
	EffectiveCount *float64 `json:"effective_count"`
	Mean           *float64 `json:"mean"`
	Stddev         *float64 `json:"stddev"`
	Min            *float64 `json:"min"`
	P50            *float64 `json:"p50"`
	P90            *float64 `json:"p90"`
	P95            *float64 `json:"p95"`
	P99            *float64 `json:"p99"`
	P999           *float64 `json:"p999"`
	Max            *float64 `json:"max"`
	CI             *CI      `json:"ci,omitempty"`
}

// CI has 95 % intervals; an open end is null.
type CI struct {
	P50 [2]*float64 `json:"p50"`
	P99 [2]*float64 `json:"p99"`
}

// Tokens is the ledger: the classes add up to all that was sent and received.
type Tokens struct {
	Input         InputTokens  `json:"input"`
	Output        OutputTokens `json:"output"`
	Source        string       `json:"source"` // of the output counts; "mixed" when requests differ
	InputSource   string       `json:"input_source"`
	UsageMismatch int64        `json:"usage_mismatch"`
}

type InputTokens struct {
	Preflight int64 `json:"preflight"`
	Measured  int64 `json:"measured"`
	Warmup    int64 `json:"warmup"`
	Discarded int64 `json:"discarded"`
	Cached    int64 `json:"cached"`             // within the above
	Verifier  int64 `json:"verifier,omitempty"` // likewise: of turns that check another's answer
}

type OutputTokens struct {
	Preflight int64 `json:"preflight"`
	Measured  int64 `json:"measured"`
	Warmup    int64 `json:"warmup"`
	Discarded int64 `json:"discarded"`
	Reasoning int64 `json:"reasoning"`          // within the above
	Verifier  int64 `json:"verifier,omitempty"` // likewise
}

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
