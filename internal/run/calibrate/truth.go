package calibrate

// What the embedded server knows of its own writes, asked for after a run.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// A Truth is what the server says of one request, in CLOCK_MONOTONIC ns.
type Truth struct {
	Accepted int64
	Writes   []Write // of content events, in order
}

// A Write is an event's: the clock just before and just after it.
type Write struct{ Before, After int64 }

// Truths asks the server at url, by request. Its log is bounded: what is not
// there it no longer knows, and Compare counts it.
func Truths(ctx context.Context, url string) (map[string]Truth, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/assay/truth", nil)
	if err != nil {
		return nil, fmt.Errorf("ask for the truth: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask for the truth: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for the truth: %s", resp.Status)
	}
	return readTruths(resp.Body)
}

func readTruths(from io.Reader) (map[string]Truth, error) {
	known := map[string]Truth{}
	for d := json.NewDecoder(from); ; {
		var line struct {
			RequestID string `json:"request_id"`
			Accepted  int64  `json:"accepted_ns"`
			Events    []struct {
				Kind   string `json:"kind"`
				Before int64  `json:"before_ns"`
				After  int64  `json:"after_ns"`
			} `json:"events"`
		}
		switch err := d.Decode(&line); {
		case errors.Is(err, io.EOF):
			return known, nil
		case err != nil:
			return nil, fmt.Errorf("read the truth: %w", err)
		}
		t := Truth{Accepted: line.Accepted}
		for _, e := range line.Events {
			if e.Kind == "text" {
				t.Writes = append(t.Writes, Write{e.Before, e.After})
			}
		}
		known[line.RequestID] = t
	}
}
