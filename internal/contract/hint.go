// Hints for values: what the words probably meant, in the right form.

package contract

import (
	"encoding"
	"regexp"
	"strings"

	"assay/internal/slo"
	"assay/internal/workload"
)

// hintFor is what to write instead of words that t could not read.
func hintFor(t encoding.TextUnmarshaler, words string, err error) string {
	switch t.(type) {
	case *slo.Objective:
		return objectiveHint(words)
	case *workload.Length, *workload.Turns:
		if strings.Contains(words, "(") && !strings.Contains(words, ")") {
			return "between braces a comma ends a value: put the whole of it between quotes, or on a line of its own"
		}
	}
	switch t.(type) {
	case *workload.Length:
		return lengthHint(words)
	}
	return advice(err)
}

var (
	objectiveParts = regexp.MustCompile(`^\s*([A-Za-z_0-9]+)\s*(\[[^\]]*\])?\s*([A-Za-z0-9.]*)\s*(=<|=>|==|=|<=|>=|<|>)?\s*([0-9.]+)?\s*([a-zA-Z%/]*)`)
	statTypo       = regexp.MustCompile(`^(?:P|p|perc|percentile|q)?([0-9]{2,3}(?:\.[0-9]+)?)(?:th)?$`)
)

// metricWords are what other tools call our metrics.
var metricWords = map[string]string{
	"time_to_first_token": "ttft", "inter_token_latency": "tpot", "inter_chunk_latency": "itl", "tbt": "itl",
	"e2e": "latency", "e2el": "latency", "request_latency": "latency", "throughput": "output_token_rate",
	"tps": "output_token_rate", "rps": "request_rate", "qps": "request_rate", "request_throughput": "request_rate",
	"errors": "error_rate", "failure_rate": "error_rate", "good": "good_fraction", "time_per_output_token": "tpot",
}

// objectiveHint repairs an objective word by word: metric, statistic,
// operator, unit. It says nothing unless the repaired one can be read.
func objectiveHint(words string) string {
	m := objectiveParts.FindStringSubmatch(words)
	if m == nil {
		return ""
	}
	metric, filter, stat, op, value, suffix := m[1], m[2], m[3], m[4], m[5], m[6]
	info, known := slo.Known(metric)
	if !known {
		metric = metricMeant(metric)
		if info, known = slo.Known(metric); !known {
			return ""
		}
	}
	if p := statTypo.FindStringSubmatch(stat); p != nil {
		stat = "p" + p[1]
	} else if alias, ok := map[string]string{"avg": "mean", "average": "mean", "median": "p50", "maximum": "max", "minimum": "min"}[strings.ToLower(stat)]; ok {
		stat = alias
	}
	switch {
	case info.Family != slo.Distribution:
		stat = ""
	case stat == "":
		stat = "p99"
	}
	op = strings.NewReplacer("=<", "<=", "=>", ">=", "==", "=").Replace(op)
	better := "<"
	if info.HigherIsBetter {
		better = ">"
	}
	if !strings.HasPrefix(op, better) {
		op = better
	}
	if value == "" {
		return ""
	}
	for _, unit := range []string{suffix, strings.ToLower(suffix), "ms", "%", "/s"} {
		for _, text := range []string{spaced(metric+filter, stat, op+" "+value+unit), spaced(metric+filter, "", op+" "+value+unit)} {
			if _, err := slo.Parse(text); err == nil {
				return "did you mean " + text + "?"
			}
		}
	}
	return ""
}

func metricMeant(word string) string {
	word = strings.ToLower(word)
	if m, ok := metricWords[word]; ok {
		return m
	}
	var names []string
	for _, info := range slo.Catalogue() {
		names = append(names, info.Name)
	}
	return nearest(word, names)
}

func spaced(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// lengthHint repairs the name of a law.
func lengthHint(words string) string {
	name, rest, ok := strings.Cut(words, "(")
	if !ok {
		return "write 550, uniform(100, 200), normal(550, 150), lognormal(550, 150) or zipf(1.1, 4000)"
	}
	name = strings.TrimSpace(name)
	if alias, ok := map[string]string{"gaussian": "normal", "gauss": "normal", "range": "uniform", "rand": "uniform"}[strings.ToLower(name)]; ok {
		name = alias
	} else if n := nearest(name, workload.Laws()); n != "" {
		name = n
	}
	text := name + "(" + rest
	if new(workload.Length).UnmarshalText([]byte(text)) == nil {
		return "did you mean " + text + "?"
	}
	return ""
}
