package simserver

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// scrape reads the metrics page as a collector does.
func scrape(t *testing.T, address string) map[string]float64 {
	t.Helper()
	status, body, header := get(t, address, "/metrics")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("/metrics = %d %v", status, header)
	}
	values, typed := map[string]float64{}, map[string]bool{}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if f := strings.Fields(line); f[0] == "#" {
			typed[f[2]] = true
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(line[at+1:], 64)
		name := line[:strings.IndexByte(line, '{')]
		family := name
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			family = strings.TrimSuffix(family, suffix)
		}
		if _, twice := values[line[:at]]; err != nil || twice || !typed[name] && !typed[family] {
			t.Errorf("line %q: %v", line, err)
		}
		values[line[:at]] = v
	}
	return values
}

func TestMetricsCountWhatTheTruthTells(t *testing.T) {
	_, address := start(t, Config{Preset: "h100-8b", Models: []string{`a "b"`}})
	body := strings.Replace(streamOf(prompt(60, 50, "x"), 20), `"m"`, `"a \"b\""`, 1)
	for range 3 {
		post(t, address, "/v1/completions", body)
	}
	all, _ := truths(t, address)
	m := scrape(t, address)
	labels := `{model_name="a \"b\"",engine="0"`
	for name, want := range map[string]float64{
		"vllm:num_requests_running" + labels + "}":                                                                  0,
		"vllm:num_requests_waiting" + labels + "}":                                                                  0,
		"vllm:kv_cache_usage_perc" + labels + "}":                                                                   0,
		"vllm:gpu_cache_usage_perc" + labels + "}":                                                                  0,
		"vllm:prompt_tokens_total" + labels + "}":                                                                   180,
		"vllm:generation_tokens_total" + labels + "}":                                                               60,
		"vllm:prefix_cache_queries_total" + labels + "}":                                                            180,
		"vllm:prefix_cache_hits_total" + labels + "}":                                                               96,
		"vllm:num_preemptions_total" + labels + "}":                                                                 0,
		"vllm:request_success_total" + labels + `,finished_reason="length"}`:                                        3,
		"vllm:time_to_first_token_seconds_count" + labels + "}":                                                     3,
		"vllm:time_to_first_token_seconds_bucket" + labels + `,le="+Inf"}`:                                          3,
		"vllm:inter_token_latency_seconds_count" + labels + "}":                                                     57,
		"vllm:inter_token_latency_seconds_bucket" + labels + `,le="0.01"}`:                                          57, // 8.2 ms each
		"vllm:request_generation_tokens_bucket" + labels + `,le="10"}`:                                              0,
		"vllm:request_generation_tokens_bucket" + labels + `,le="20"}`:                                              3,
		"vllm:cache_config_info" + labels + `,block_size="16",num_gpu_blocks="25720",enable_prefix_caching="true"}`: 1,
	} {
		if got, there := m[name]; !there || got != want {
			t.Errorf("%s = %v, %t, want %v", name, got, there, want)
		}
	}
	ttft := 0.0
	for _, one := range all {
		ttft += float64(one.Events[1].Due-one.Accepted) / 1e9
	}
	if got := m["vllm:time_to_first_token_seconds_sum"+labels+"}"]; math.Abs(got-ttft) > 1e-9 {
		t.Errorf("the times to the first token add up to %v s, want %v", got, ttft)
	}
	parts := m["vllm:request_queue_time_seconds_sum"+labels+"}"] + m["vllm:request_prefill_time_seconds_sum"+labels+"}"] + m["vllm:request_decode_time_seconds_sum"+labels+"}"]
	if whole := m["vllm:e2e_request_latency_seconds_sum"+labels+"}"]; math.Abs(parts-whole) > 1e-9 || whole == 0 {
		t.Errorf("queue, prefill and decode take %v s, the whole %v s", parts, whole)
	}
}
