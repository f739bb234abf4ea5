package contract

import (
	"fmt"
	"strings"
	"testing"
)

func mediaFile(target, workload string) string {
	return fmt.Sprintf("target: {simulate: fixed%s}\ntraffic: {rate: 1/s}\nworkload:\n  %s\n", target, workload)
}

func TestMediaHaveDefaultsOfTheirOwn(t *testing.T) {
	for workload, want := range map[string]string{
		"images: {}":                                "  images:\n    count: 1\n    width: 512\n    height: 512\n    format: png\n",
		"images: {format: jpeg, width: 256}":        "  images:\n    count: 1\n    width: 256\n    height: 512\n    format: jpeg\n",
		`images: {count: "uniform(1, 3)", pool: 9}`: "  images:\n    count: uniform(1, 3)\n    width: 512\n    height: 512\n    format: png\n    pool: 9\n",
		"audio: {}":                                 "  audio:\n    count: 1\n    length: 5s\n    sample_rate: 16000\n    format: wav\n",
		`audio: {length: "normal(10s, 2s)"}`:        "  audio:\n    count: 1\n    length: normal(10s, 2s)\n    sample_rate: 16000\n    format: wav\n",
	} {
		canonical := string(canonicalOf(t, resolved(t, mediaFile("", workload))))
		if !strings.Contains(canonical, want) {
			t.Errorf("%s: want\n%sin\n%s", workload, want, canonical)
		}
		again := string(canonicalOf(t, resolved(t, canonical)))
		if again != canonical {
			t.Errorf("%s: resolved again it is\n%s", workload, again)
		}
	}
	if canonical := string(canonicalOf(t, resolved(t, mediaFile("", "input_tokens: 5")))); strings.Contains(canonical, "images") || strings.Contains(canonical, "audio") {
		t.Errorf("media that nobody asked for:\n%s", canonical)
	}
}

func TestMediaThatCannotBeSentAreRefusedAtTheirLine(t *testing.T) {
	for _, c := range []struct{ target, workload, want string }{
		{", endpoint: completions", "images: {count: 1}", "c.yaml:4:11: workload.images: can't be sent: completions takes no pictures"},
		{", endpoint: completions", "audio: {}", "c.yaml:4:10: workload.audio: can't be sent: completions takes no recordings"},
		{"", "images: {width: 16}", "c.yaml:4:19: workload.images.width: 16 is not between 32 and 4096 pixels"},
		{"", "images: {count: 65}", "c.yaml:4:19: workload.images.count: 65 is not between 1 and 64 in a request"},
		{"", "images: {format: gif}", `c.yaml:4:20: workload.images.format: unknown format "gif": known are png, jpeg`},
		{"", "images: {pool: 0}", "c.yaml:4:18: workload.images.pool: is zero"},
		{"", "audio: {length: 1h}", "c.yaml:4:19: workload.audio.length: a recording of 1h is not between 100ms and 10m"},
		{"", "audio: {sample_rate: 44}", "c.yaml:4:24: workload.audio.sample_rate: 44 samples a second is not between 8000 and 48000"},
		{"", "audio: {format: mp3}", `c.yaml:4:19: workload.audio.format: unknown format "mp3": known is wav`},
		{"", "prompts: p.jsonl\n  images: {count: 1}", "c.yaml:5:11: workload.images: excludes workload.prompts, which is set too (the prompts of a file are sent as they are)"},
	} {
		k, err := Load("c.yaml", []byte(mediaFile(c.target, c.workload)))
		if err == nil {
			err = k.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.workload, err, c.want)
		}
	}
}
