package main

// Runs of the client, and what is read of their results.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

type client struct {
	assay, dir, url string
	price           price
}

// contract is one process of one thread against the server. Prompts are long,
// because those cost the client, which makes them, more than the server, which
// reads them.
const contract = `version: 1
name: phantom-ceiling
target: {url: %q, model: sim, stream: false}
slo: ["latency p50 < 400ms", "error_rate < 1%%"]
traffic: {concurrency: %d, duration: %s, warmup: 2s}
workload: {input_tokens: 64000, output_tokens: 1}
client: {processes: 1, threads: 1, max_processes: 16}
`

// run carries out the contract with so many users and returns the folder. A
// run that the client limited is a result like any other here.
func (c *client) run(ctx context.Context, name string, users int, grow bool) (folder string, err error) {
	window := "8s"
	args := []string{"--quiet", "--json"}
	if !grow {
		window = "4s"
		args = append(args, "--no-grow")
	}
	text := fmt.Sprintf(contract, c.url, users, window)
	if c.price.perHour > 0 {
		text += fmt.Sprintf("cost: {per_hour: %s, currency: %q}\n", strconv.FormatFloat(c.price.perHour, 'f', -1, 64), c.price.currency)
	}
	file := filepath.Join(c.dir, name+".yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	folder = filepath.Join(c.dir, name)
	cmd := exec.CommandContext(ctx, c.assay, append([]string{"run", file, "--out", folder}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3 || exit.ExitCode() == 4) {
		return folder, nil // a verdict
	}
	if err != nil {
		return "", fmt.Errorf("assay run: %w", err)
	}
	return folder, nil
}

// A result is what is read of result.json.
type result struct {
	Verdict struct {
		Status  string
		Reasons []struct{ Code, Text string }
	}
	Attempts []struct {
		Processes   int
		RequestRate *float64 `json:"request_rate"`
	}
	Rates  struct{ Request *float64 }
	Client struct {
		Processes int
		Receipts  []struct {
			Name  string
			Value *float64
		}
	}
	Environment struct{ Cores float64 }
}

func read(folder string) (result, error) {
	var r result
	text, err := os.ReadFile(filepath.Join(folder, "result.json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, fmt.Errorf("read the result: %w", err)
	}
	return r, nil
}

// receipt is the value of one; nil where it could not be had.
func (r *result) receipt(name string) *float64 {
	for _, x := range r.Client.Receipts {
		if x.Name == name {
			return x.Value
		}
	}
	return nil
}

// capacityOf is what a run by one process at its limit tells.
func capacityOf(folder string) (capacity, error) {
	r, err := read(folder)
	if err != nil {
		return capacity{}, err
	}
	machine := r.receipt("machine_cpu")
	if machine == nil || r.Rates.Request == nil || *r.Rates.Request <= 0 || r.Environment.Cores <= 0 {
		return capacity{}, fmt.Errorf("%w: how busy this machine is can't be read here", errNoRoom)
	}
	return capacity{rate: *r.Rates.Request, used: *machine * r.Environment.Cores, cores: r.Environment.Cores}, nil
}
