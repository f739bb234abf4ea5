// Package contract is the file that says what is measured and what must hold:
// strict decoding, defaults, cross-checks, canonical form, digest and JSON
// Schema. It owns the settings of target, client and fleet. It reads no
// environment and no clock, and it never holds a secret: only names of them.
package contract

import (
	"assay/internal/arrival"
	"assay/internal/slo"
	"assay/internal/unit"
	"assay/internal/workload"
)

// A Contract is the file. After Resolve every default is filled in and
// Streams has at least one element: nothing else need look at the top-level
// Target, SLO, Good, Traffic and Workload.
//
// A field without omitempty stands in the canonical form even when it is
// zero, because zero differs from its default.
type Contract struct {
	Version    int             `yaml:"version"`
	Name       string          `yaml:"name"`
	Target     Target          `yaml:"target,omitempty"`
	SLO        []slo.Objective `yaml:"slo,omitempty"`
	DefaultSLO bool            `yaml:"default_slo,omitempty"` // SLO was not asked for: Resolve filled it in
	Good       []slo.Objective `yaml:"good,omitempty"`        // per-request bounds: METRIC OP VALUE, no statistic
	Traffic    Traffic         `yaml:"traffic,omitempty"`
	Workload   workload.Spec   `yaml:"workload,omitempty"`
	Streams    []Stream        `yaml:"streams,omitempty"`
	Client     Client          `yaml:"client"`
	Server     map[string]any  `yaml:"server,omitempty"` // free form
	Cost       *Cost           `yaml:"cost,omitempty"`
	Seed       uint64          `yaml:"seed"`

	Files map[string]string `yaml:"files,omitempty"` // what the files named above held: "sha256:…" by name; ReadFiles fills it in

	source  *source          // what the file said, for errors; nil without a file
	written map[string]place // which settings were written, and where
	derived bool             // Streams was made of the top level by Resolve
}

// A Stream is one kind of traffic with its own target, workload and objectives.
type Stream struct {
	Name       string          `yaml:"name"`
	Share      unit.Fraction   `yaml:"share,omitempty"`  // of the rate at the top level; Resolve makes a rate of it
	Target     Target          `yaml:"target,omitempty"` // fields left out come from the top level
	SLO        []slo.Objective `yaml:"slo,omitempty"`
	DefaultSLO bool            `yaml:"default_slo,omitempty"`
	Good       []slo.Objective `yaml:"good,omitempty"`
	Traffic    Traffic         `yaml:"traffic,omitempty"` // duration, warmup and drain left out come from the top level
	Workload   workload.Spec   `yaml:"workload,omitempty"`

	file   *workload.File   // what Workload.File holds, once it is read
	counts *workload.Counts // by the server's tokenizer, once it was asked
}

// A Target is the server, and how it is spoken to.
type Target struct {
	URL          []string          `yaml:"url,omitempty"`      // one or a list; base or full path
	Simulate     string            `yaml:"simulate,omitempty"` // preset of the embedded server, instead of URL
	SimulateSet  map[string]string `yaml:"simulate_set,omitempty"`
	Path         string            `yaml:"path,omitempty"`  // default: the endpoint's
	Query        map[string]string `yaml:"query,omitempty"` // parameters of the address; ${NAME} as in Headers
	Endpoint     string            `yaml:"endpoint,omitempty"`
	Model        string            `yaml:"model,omitempty"` // default: the first of /v1/models
	APIKeyEnv    string            `yaml:"api_key_env,omitempty"`
	Auth         string            `yaml:"auth,omitempty"`    // how the key is sent; default: the endpoint's way
	Headers      map[string]string `yaml:"headers,omitempty"` // ${NAME} stands for an environment variable and is never written out
	Stream       *bool             `yaml:"stream,omitempty"`  // default true
	BodyLimit    string            `yaml:"body_limit,omitempty"`
	Extra        map[string]any    `yaml:"extra,omitempty"` // merged into each body
	CAFile       string            `yaml:"ca_file,omitempty"`
	Insecure     bool              `yaml:"insecure,omitempty"`
	IdleLimit    unit.Duration     `yaml:"idle_limit,omitempty"`    // silence inside a stream; default 30s
	RequestLimit unit.Duration     `yaml:"request_limit,omitempty"` // default 10m
	Connections  string            `yaml:"connections,omitempty"`   // Pooled, PerRequest or Sticky; default Pooled
	Weights      []int             `yaml:"weights,omitempty"`       // one for each URL; default: alike
	Affinity     string            `yaml:"affinity,omitempty"`      // of several URLs: BySession or NoAffinity
	CertFile     string            `yaml:"cert_file,omitempty"`     // what this client shows of itself
	KeyFile      string            `yaml:"key_file,omitempty"`
	ServerName   string            `yaml:"server_name,omitempty"` // in the certificate, instead of the URL's host
	Proxy        string            `yaml:"proxy,omitempty"`       // FromEnvironment or NoProxy
	WaitFor      string            `yaml:"wait_for,omitempty"`    // WaitModels, WaitHealth or WaitToken
	WaitLimit    unit.Duration     `yaml:"wait_limit,omitempty"`
	HTTP         string            `yaml:"http,omitempty"`      // HTTP1 or HTTP2; default HTTP1
	Multiplex    int               `yaml:"multiplex,omitempty"` // streams at a time on a connection of HTTP/2; default 1
}

// Traffic says when. Rate is open loop, Concurrency and Users closed loop;
// Duration is the window, Requests replaces it.
type Traffic struct {
	Rate        unit.Rate          `yaml:"rate,omitempty"`
	Arrivals    string             `yaml:"arrivals,omitempty"`
	CV          float64            `yaml:"cv,omitempty"`    // of the gaps: gamma, weibull
	Shape       arrival.Parameters `yaml:"shape,omitempty"` // what the other arrivals ask for
	Concurrency int                `yaml:"concurrency,omitempty"`
	Users       int                `yaml:"users,omitempty"`
	Ramp        unit.Duration      `yaml:"ramp,omitempty"`  // of concurrency: in which its slots open
	Think       unit.Pause         `yaml:"think,omitempty"` // of a slot or user, from the end of a request to the next
	MaxInFlight int                `yaml:"max_in_flight,omitempty"`
	MaxPrefill  int                `yaml:"max_prefill,omitempty"` // until the first token
	Cancel      Cancel             `yaml:"cancel,omitempty"`
	Duration    unit.Duration      `yaml:"duration,omitempty"`
	Requests    int                `yaml:"requests,omitempty"`
	Warmup      *unit.Duration     `yaml:"warmup,omitempty"`
	Drain       unit.Duration      `yaml:"drain"`

	recorded *arrival.Recorded // what Shape.File holds, or the workload's file, once it is read
	handed   bool              // the times of a trace are those of the workload's file
}

// Client is the instrument: how many processes, and the limits of its receipts.
type Client struct {
	Processes     int            `yaml:"processes"`              // to begin with; default 8
	MaxProcesses  int            `yaml:"max_processes"`          // to which the fleet may grow; default 64
	Threads       int            `yaml:"threads,omitempty"`      // GOMAXPROCS of each; default 0: cores ÷ processes, at least 1
	Proof         string         `yaml:"proof,omitempty"`        // "" or ProofDoubling
	MaxCPU        unit.Fraction  `yaml:"max_cpu"`                // p95 of seconds; default 70%
	MaxCPUSecond  unit.Fraction  `yaml:"max_cpu_second"`         // any second; default 90%
	MaxMachineCPU unit.Fraction  `yaml:"max_machine_cpu"`        // default 85%
	MaxSendLag    *unit.Duration `yaml:"max_send_lag,omitempty"` // default by the TTFT objective
	MaxCoalesced  unit.Fraction  `yaml:"max_coalesced"`          // default 1%
	MinDelivered  unit.Fraction  `yaml:"min_delivered"`          // default 99.9%
}

// Cost is what the server costs.
type Cost struct {
	PerHour  float64 `yaml:"per_hour"`
	Currency string  `yaml:"currency,omitempty"`
}
