package sdks

// Hugging Face's client is one for Python: a process asks for each request.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
)

var python = flag.String("python", "../bin/sdks-venv/bin/python", "a Python with what requirements.txt names")

// The client knows the errors of this API by their types, as classes.
var huggingGenerate = speaker{
	client: client{
		endpoint: "tgi_generate", modelless: true, failure: huggingFailure,
		cannot: refusal{func(a *ask) { a.said = nil }, "cannot be empty"},
		kinds:  map[int]string{400: "ValidationError", 429: "OverloadedError", 500: "GenerationError"},
	},
	stop: "eos_token", length: "length", unread: true,
	ask: func(ctx context.Context, s site, a ask) (reply, error) {
		return askHugging(ctx, s, a, "/generate", false)
	},
	stream: func(ctx context.Context, s site, a ask) (reply, error) {
		return askHugging(ctx, s, a, "/generate_stream", true)
	},
}

var huggingEmbed = valuer{
	client: client{endpoint: "tei_embed", modelless: true, cannot: silent, failure: huggingFailure}, gives: "vectors",
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		got, err := hugging(ctx, s, a, "embed", "/embed", false)
		return values{vectors: got.Vectors}, err
	},
}

// A huggingReply is what the process tells.
type huggingReply struct {
	Text, Reason  string
	Events        int
	Input, Output int64
	Vectors       [][]float64
	Error, Kind   string
	Status        int
	RetryAfter    string `json:"retry_after"`
}

// A huggingError is an error of the client.
type huggingError struct{ huggingReply }

func (e huggingError) Error() string { return e.huggingReply.Error }

func huggingFailure(err error) failure {
	var e huggingError
	if !errors.As(err, &e) {
		return failure{}
	}
	return failure{status: e.Status, kind: e.Kind, message: e.Error(), retryAfter: e.RetryAfter}
}

func askHugging(ctx context.Context, s site, a ask, path string, stream bool) (reply, error) {
	got, err := hugging(ctx, s, a, "generate", path, stream)
	return reply{text: got.Text, events: got.Events, reason: got.Reason, input: got.Input, output: got.Output}, err
}

func hugging(ctx context.Context, s site, a ask, what, path string, stream bool) (huggingReply, error) {
	asked, err := json.Marshal(map[string]any{
		"url": s.url + path, "key": s.key, "fault": s.wire.next(),
		"what": what, "said": append([]string{}, a.said...), "limit": a.limit, "stream": stream,
	})
	if err != nil {
		return huggingReply{}, err
	}
	var said bytes.Buffer
	process := exec.CommandContext(ctx, *python, "hugging.py")
	process.Env = append(os.Environ(), "NO_PROXY=127.0.0.1")
	process.Stdin, process.Stderr = bytes.NewReader(asked), &said
	out, err := process.Output()
	if err != nil {
		return huggingReply{}, fmt.Errorf("%w: %s (`make sdks` installs the client)", err, said.String())
	}
	var got huggingReply
	if err := json.Unmarshal(out, &got); err != nil {
		return got, err
	}
	if got.Error != "" {
		return got, huggingError{got}
	}
	return got, nil
}
