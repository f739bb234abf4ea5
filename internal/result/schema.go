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

// Requests counts the population of the window (docs/metrics.md).
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
