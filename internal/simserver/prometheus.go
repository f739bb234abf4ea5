package simserver

// The page /metrics, in Prometheus' text format, written by hand: a dozen
// families do not earn a dependency.

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"assay/internal/sim"
)

// An exposition is a metrics page under construction.
type exposition struct {
	b      strings.Builder
	labels string
}

func (x *exposition) family(name, kind, help string) {
	fmt.Fprintf(&x.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (x *exposition) value(name, more string, v float64) {
	fmt.Fprintf(&x.b, "%s{%s%s} %s\n", name, x.labels, more, strconv.FormatFloat(v, 'g', -1, 64))
}

func (x *exposition) gauge(name, help string, v float64) {
	x.family(name, "gauge", help)
	x.value(name, "", v)
}

func (x *exposition) counter(name, help string, v uint64) {
	x.family(name, "counter", help)
	x.value(name, "", float64(v))
}

func (x *exposition) histogram(name, help string, h histogram) {
	x.family(name, "histogram", help)
	total := uint64(0)
	for i, n := range h.counts {
		total += n
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		x.value(name+"_bucket", `,le="`+bound+`"`, float64(total))
	}
	x.value(name+"_sum", "", h.sum)
	x.value(name+"_count", "", float64(total))
}

// label is a label's value as the format wants it.
var label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// metricsPage shows the engine's state and everything counted since the start.
func (c *conn) metricsPage(req *http.Request) bool {
	model := "sim"
	if known := c.s.config.Models; len(known) > 0 {
		model = known[0]
	}
	x := exposition{labels: `model_name="` + label.Replace(model) + `",engine="0"`}
	d := c.s.driver
	d.mu.Lock()
	x.engine(d.engine.Stats(), c.s.settings.BlockSize())
	x.counted(&d.metrics)
	d.mu.Unlock()
	return c.page(req, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", nil, []byte(x.b.String()))
}

func (x *exposition) engine(s sim.Stats, block int) {
	x.gauge("vllm:num_requests_running", "Requests in the running batch.", float64(s.Running))
	x.gauge("vllm:num_requests_waiting", "Requests that wait for a place.", float64(s.Waiting))
	usage := 0.0
	if s.Blocks > 0 {
		usage = float64(s.Used) / float64(s.Blocks)
	}
	x.gauge("vllm:kv_cache_usage_perc", "Share of the KV cache in use, from 0 to 1.", usage)
	x.gauge("vllm:gpu_cache_usage_perc", "The same under its older name.", usage)
	x.family("vllm:cache_config_info", "gauge", "What the KV cache is.")
	x.value("vllm:cache_config_info", fmt.Sprintf(`,block_size="%d",num_gpu_blocks="%d",enable_prefix_caching="%t"`, block, s.Blocks, block > 0), 1)
	x.counter("vllm:num_preemptions_total", "Requests that lost their place and computed again.", s.Preempted)
	x.counter("vllm:prefix_cache_queries_total", "Tokens looked for in the prefix cache.", s.Asked)
	x.counter("vllm:prefix_cache_hits_total", "Tokens found in the prefix cache.", s.Hit)
}

func (x *exposition) counted(m *metrics) {
	x.counter("vllm:prompt_tokens_total", "Prompt tokens of requests that got a first token.", m.prompt)
	x.counter("vllm:generation_tokens_total", "Tokens made.", m.generated)
	x.family("vllm:request_success_total", "counter", "Requests that ended, by reason.")
	for _, reason := range []string{"stop", "length", "abort"} {
		x.value("vllm:request_success_total", `,finished_reason="`+reason+`"`, float64(m.ended[reason]))
	}
	x.histogram("vllm:time_to_first_token_seconds", "From acceptance to the first token.", m.ttft)
	x.histogram("vllm:inter_token_latency_seconds", "Between the events of a reply.", m.itl)
	x.histogram("vllm:time_per_output_token_seconds", "The same under its older name.", m.itl)
	x.histogram("vllm:e2e_request_latency_seconds", "From acceptance to the last token.", m.e2e)
	x.histogram("vllm:request_queue_time_seconds", "From acceptance to the first iteration.", m.queue)
	x.histogram("vllm:request_prefill_time_seconds", "From the first iteration to the first token.", m.prefill)
	x.histogram("vllm:request_decode_time_seconds", "From the first token to the last.", m.decode)
	x.histogram("vllm:request_prompt_tokens", "Prompt tokens of a request.", m.inputs)
	x.histogram("vllm:request_generation_tokens", "Tokens of a reply.", m.outputs)
}
