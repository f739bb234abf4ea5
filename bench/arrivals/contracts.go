//go:build linux

package main

// What is sent: the examples, at rates that give a p99 in a few seconds.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// contracts are the examples and what is set anew in them. Those of a file
// come from quickstart and a file of our own.
var contracts = map[string]string{
	"constant": "quickstart.yaml --rate 80/s --arrivals constant",
	"poisson":  "quickstart.yaml --rate 80/s",
	"gamma":    "bursty.yaml --rate 80/s",
	"weibull":  "bursty.yaml --rate 80/s --arrivals weibull",
	"mmpp":     "on-off.yaml --rate 80/s --set traffic.shape.on=500ms --set traffic.shape.off=1500ms",
	"flash":    "flash-crowd.yaml --rate 40/s --set traffic.shape.rise=500ms --set traffic.shape.hold=1s --set traffic.shape.decay=500ms --set traffic.shape.at=2s",
	"ramp":     "ramp.yaml --set traffic.shape.from=20/s --set traffic.shape.to=200/s",
	"sine":     "day-and-night.yaml --rate 80/s --set traffic.shape.period=3s",
	"series":   "quickstart.yaml --arrivals series --set traffic.shape.file=FOLDER/rates.csv --set traffic.shape.form=linear",
	"trace":    "quickstart.yaml --arrivals trace --set traffic.shape.file=FOLDER/times.csv",
}

// always is set in all of them: six seconds, and objectives that do not matter.
const always = " --duration 5s --warmup 1s --set traffic.drain=5s --output-tokens normal(24,6) --model any"

// contract is the arguments of plan and run for a shape.
func (b *bench) contract(shape string) (args []string, ok bool) {
	text, ok := contracts[shape]
	if !ok {
		return nil, false
	}
	args = strings.Fields(strings.ReplaceAll(text+always, "FOLDER", b.tmp))
	args[0] = filepath.Join(b.examples, args[0])
	return args, true
}

// writeFiles writes the files of series and trace. The trace has pairs at the
// same instant and gaps of up to 60 ms, by a generator that is written out.
func (b *bench) writeFiles() error {
	rates := "time,rate\n0,30\n1,120\n3,20\n4,150\n"
	if err := os.WriteFile(filepath.Join(b.tmp, "rates.csv"), []byte(rates), 0o644); err != nil {
		return err
	}
	times := "time\n"
	at, state := 0.0, uint32(1)
	for at < 6 {
		times += fmt.Sprintf("%.6f\n", at)
		state = state*1664525 + 1013904223
		if state>>30 > 0 { // else the next one is due at the same time
			at += float64(state>>8) / (1 << 24) * 0.03
		}
	}
	return os.WriteFile(filepath.Join(b.tmp, "times.csv"), []byte(times), 0o644)
}
