//go:build unix

package main

// What a server counts of itself, in the text format of Prometheus.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// unit is what a counter counts.
type unit int

const (
	nothing unit = iota
	outputTokens
	requests
)

// A counter is a number that a server keeps.
type counter struct {
	beside int // its port, counted from the server's
	path   string
	name   string
	of     unit
}

// read asks for the counter; 0 where there is none.
func (r *running) read(ctx context.Context) (float64, error) {
	if r.counts.name == "" {
		return 0, nil
	}
	url := fmt.Sprintf("http://127.0.0.1:%d%s", r.port+r.counts.beside, r.counts.path)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, fmt.Errorf("read the server's counter: %w", err)
	}
	defer answer.Body.Close()
	value, found, err := sum(answer.Body, r.counts.name)
	switch {
	case err != nil:
		return 0, fmt.Errorf("read the server's counter: %w", err)
	case !found:
		return 0, fmt.Errorf("%s has no counter %s", url, r.counts.name)
	}
	return value, nil
}

// sum adds up the samples of a name, whatever their labels.
func sum(text io.Reader, name string) (total float64, found bool, err error) {
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name)
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '{' {
			continue
		}
		if i := strings.LastIndexByte(rest, '}'); i >= 0 {
			rest = rest[i+1:]
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			return 0, false, fmt.Errorf("%s has no value", name)
		}
		value, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return 0, false, err
		}
		total, found = total+value, true
	}
	return total, found, lines.Err()
}
