// The nearest known word: what somebody probably meant.

package contract

import "strings"

// nearest returns the candidate that is the fewest slips of the pen away from
// the word, or "" when none is near enough to be what was meant.
func nearest(word string, candidates []string) string {
	best, limit := "", max(1, len(word)/3)
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	if max(len(a), len(b)) > 64 {
		return 64 // no key is that long; the work stays bounded
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

// foreign are words that other tools use for a setting of ours.
var foreign = map[string]string{
	"qps": "traffic.rate", "rps": "traffic.rate", "request_rate": "traffic.rate", "requests_per_second": "traffic.rate",
	"users": "traffic.concurrency", "max_concurrency": "traffic.concurrency", "connections": "traffic.concurrency",
	"num_prompts": "traffic.requests", "request_count": "traffic.requests", "num_requests": "traffic.requests",
	"warmup_requests": "traffic.warmup", "max_seconds": "traffic.duration", "time": "traffic.duration",
	"max_tokens": "workload.output_tokens", "max_completion_tokens": "workload.output_tokens",
	"isl": "workload.input_tokens", "osl": "workload.output_tokens", "prompt_tokens": "workload.input_tokens",
	"dataset": "workload.prompts", "prompts_file": "workload.prompts",
	"workers": "client.processes", "objectives": "slo", "slos": "slo", "goodput": "good",
	"base_url": "target.url", "host": "target.url", "server_url": "target.url",
	"api_key": "target.api_key_env", "key": "target.api_key_env", "token": "target.api_key_env",
	"timeout": "target.request_limit", "streaming": "target.stream", "extra_body": "target.extra", "tls_skip_verify": "target.insecure",
	"price": "cost.per_hour", "random_seed": "seed",
}

// meant is the hint for a key that is not known at this place: the nearest
// sibling, the same key elsewhere, or what another tool calls it. path is
// where it was written, prefix the block around it ("" or "traffic.").
func meant(key, prefix string, siblings []string) string {
	if n := nearest(key, siblings); n != "" {
		return "did you mean " + n + "?"
	}
	block, _, _ := strings.Cut(prefix, "[")
	for _, path := range Keys() {
		if last := path[strings.LastIndex(path, ".")+1:]; last == key && path != prefix+key && !strings.HasPrefix(path, "streams[]") {
			return belongs(key, path, block)
		}
	}
	if path, ok := foreign[strings.ToLower(key)]; ok {
		return "the setting is " + path
	}
	return "known here: " + strings.Join(siblings, ", ")
}

// belongs says where a key belongs that stands in the wrong block.
func belongs(key, path, block string) string {
	home := parent(path)
	switch {
	case home == "":
		return key + " stands at the top level"
	case block == "streams":
		return key + " belongs under the stream's " + home + ":"
	}
	return key + " belongs under " + home + ":"
}
