//go:build linux

package main

// What a function costs is measured by its own benchmark, in its own package.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// rounds is how often each benchmark runs.
const rounds = 5

// goBenchmark runs the benchmarks of a package that match, rounds times each,
// and returns what they printed, by unit.
func (b *bench) goBenchmark(ctx context.Context, pkg, pattern string) (map[string][]float64, error) {
	out, err := exec.CommandContext(ctx, b.goTool, "test", "-run", "^$", "-bench", pattern, "-count", fmt.Sprint(rounds), "-benchtime", "300ms", pkg).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	values := map[string][]float64{}
	for line := range strings.SplitSeq(string(out), "\n") {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 { // after the name and the number of rounds
			var v float64
			if _, err := fmt.Sscan(fields[i], &v); err == nil {
				values[fields[i+1]] = append(values[fields[i+1]], v)
			}
		}
	}
	if len(values) == 0 {
		return nil, errors.New("the benchmark printed nothing")
	}
	return values, nil
}
