package slo

// The catalogue names every metric an objective may bound, and what the
// endpoint and the traffic must offer for it to exist. Formulas are measure's.

// A Family is the way in which a metric is one number.
type Family uint8

const (
	Distribution Family = iota // many values: an objective names a statistic
	Rate                       // one number a run, per second
	Share                      // one number a run, a fraction 0–1
)

// MetricInfo is one line of the catalogue.
type MetricInfo struct {
	Name   string
	Unit   string // of Value in an Objective: "ms", "ms/token", "tokens/s", "1/s", "fraction"
	Family Family

	HigherIsBetter bool   // the bound is a lower one: > or >=
	PerRequest     bool   // one value a request: may stand under `good:`
	NeedsStream    bool   // exists only where the answer is streamed
	NeedsGaps      bool   // exists only where a reply has two output tokens or more
	OpenLoopOnly   bool   // counted from a schedule
	NeedsGood      bool   // exists only beside `good:`
	NeedsTokens    bool   // exists only where the answer is a text
	Items          string // exists only where answers are counted in these; "": everywhere
}

// metrics is the catalogue in the order in which people read it.
var metrics = []MetricInfo{
	{Name: "ttft", Unit: "ms", PerRequest: true, NeedsStream: true},
	{Name: "ttft_due", Unit: "ms", PerRequest: true, NeedsStream: true, OpenLoopOnly: true},
	{Name: "ttfo", Unit: "ms", PerRequest: true, NeedsStream: true},
	{Name: "itl", Unit: "ms", NeedsStream: true, NeedsGaps: true},
	{Name: "stall", Unit: "ms", PerRequest: true, NeedsStream: true, NeedsGaps: true},
	{Name: "tpot", Unit: "ms/token", PerRequest: true, NeedsStream: true, NeedsGaps: true},
	{Name: "latency", Unit: "ms", PerRequest: true},
	{Name: "latency_due", Unit: "ms", PerRequest: true, OpenLoopOnly: true},
	{Name: "decode", Unit: "ms", PerRequest: true, NeedsStream: true, NeedsGaps: true},
	{Name: "output_rate", Unit: "tokens/s", PerRequest: true, NeedsStream: true, NeedsGaps: true, HigherIsBetter: true},
	{Name: "fluidity", Unit: "fraction", PerRequest: true, NeedsStream: true, HigherIsBetter: true},
	{Name: "wait", Unit: "ms", PerRequest: true},
	{Name: "connect", Unit: "ms", PerRequest: true},
	{Name: "dns", Unit: "ms", PerRequest: true},
	{Name: "tls", Unit: "ms", PerRequest: true},
	{Name: "ttfb", Unit: "ms", PerRequest: true},
	{Name: "rtt", Unit: "ms", PerRequest: true},
	{Name: "ttft_adjusted", Unit: "ms", PerRequest: true, NeedsStream: true},
	{Name: "latency_adjusted", Unit: "ms", PerRequest: true},

	{Name: "error_rate", Unit: "fraction", Family: Share},
	{Name: "good_fraction", Unit: "fraction", Family: Share, HigherIsBetter: true, NeedsGood: true},
	{Name: "offered_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true},
	{Name: "request_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true},
	{Name: "output_token_rate", Unit: "tokens/s", Family: Rate, HigherIsBetter: true, NeedsTokens: true},
	{Name: "input_token_rate", Unit: "tokens/s", Family: Rate, HigherIsBetter: true},
	{Name: "embedding_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true, Items: "embeddings"},
	{Name: "document_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true, Items: "documents"},
	{Name: "text_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true, Items: "texts"},
	{Name: "image_rate", Unit: "1/s", Family: Rate, HigherIsBetter: true, Items: "images"},
	{Name: "goodput", Unit: "1/s", Family: Rate, HigherIsBetter: true, NeedsGood: true},
}

// Known returns the catalogue's line for a metric.
func Known(metric string) (MetricInfo, bool) {
	for _, m := range metrics {
		if m.Name == metric {
			return m, true
		}
	}
	return MetricInfo{}, false
}

// Catalogue returns every line, in the order in which people read them.
func Catalogue() []MetricInfo { return append([]MetricInfo(nil), metrics...) }
