package run

// `tokenizer: server`: the server counts the texts that prompts are made of, a
// bounded number of them, once. net/http serves here: nothing of this is
// measured.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/observation"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

const (
	askingPath  = "/tokenize"
	askingAt    = 8 // texts at a time
	askingLimit = 2 * time.Minute
	askingHint  = "not every server counts on request: name the model's tokenizer instead (--tokenizer FILE or model), or count words (--tokenizer words)"
)

// newCounted is the source of a stream whose server counts. A plan is made
// without asking: only the lengths are drawn, and words stand for the texts.
func newCounted(s *contract.Stream, seed uint64, files fs.FS) (*workload.Source, error) {
	var source *workload.Source
	var err error
	if counts := s.Counts(); counts != nil {
		source, err = workload.NewCounted(s.Workload, seed, s.Name, files, counts)
	} else {
		bare := s.Workload
		bare.Tokenizer = ""
		source, err = workload.New(bare, seed, s.Name, files, nil)
	}
	if err != nil {
		return nil, usage(fmt.Errorf("stream %s: workload: %w", s.Name, err), "")
	}
	return source, nil
}

// countsOf are the counts of all streams that have some, for the workers.
func countsOf(c *contract.Contract) map[string]*workload.Counts {
	all := map[string]*workload.Counts{}
	for i := range c.Streams {
		if counts := c.Streams[i].Counts(); counts != nil {
			all[c.Streams[i].Name] = counts
		}
	}
	return all
}

// askTokenizers has every stream whose server counts learn what it says. Of a
// target's addresses the first is asked.
func askTokenizers(ctx context.Context, c *contract.Contract, s *servers, say func(Event)) ([]observation.Observation, error) {
	var list []observation.Observation
	for i := range c.Streams {
		stream := &c.Streams[i]
		if stream.Workload.Tokenizer != contract.ServerTokenizer {
			continue
		}
		a, err := newAsker(stream, s.bases(stream)[0])
		if err != nil {
			return nil, err
		}
		counts, err := a.measure(ctx)
		if err != nil {
			return nil, err
		}
		stream.Learn(counts)
		t := observation.Tokenizer{Stream: stream.Name, URL: a.shown, Asked: int(a.sent.Load()), SHA256: digestOfCounts(counts)}
		say(Event{Message: fmt.Sprintf("stream %s: the server counted %d texts of which prompts are made", t.Stream, t.Asked)})
		list = append(list, observation.Observation{Kind: observation.KindTokenizer, Tokenizer: &t})
	}
	return list, nil
}

// digestOfCounts tells two tokenizers apart that no file tells apart.
func digestOfCounts(counts *workload.Counts) string {
	data, err := json.Marshal(counts)
	if err != nil {
		panic("internal error: counts: " + err.Error()) // numbers only
	}
	return tokenizer.Digest(data)
}

// An asker has texts counted by the server of a stream.
type asker struct {
	stream *contract.Stream
	client *http.Client
	url    string
	shown  string
	access access
	form   askForm // nil until one is found that the server understands
	sent   atomic.Int64
}

// An askForm is the body that asks for the tokens of a text and of nothing
// around it.
type askForm func(model, text string) any

var askForms = []askForm{
	func(model, text string) any { // vLLM, SGLang
		return struct {
			Model   string `json:"model"`
			Prompt  string `json:"prompt"`
			Special bool   `json:"add_special_tokens"`
		}{model, text, false}
	},
	func(_, text string) any { // llama.cpp
		return struct {
			Content string `json:"content"`
			Special bool   `json:"add_special"`
		}{text, false}
	},
}

// An askError is why the server could not be asked.
type askError struct{ error }

func newAsker(s *contract.Stream, base string) (*asker, error) {
	d, ok := dialect.Find(s.Target.Endpoint)
	if !ok {
		return nil, usage(fmt.Errorf("unknown endpoint %q", s.Target.Endpoint), "`assay endpoints` lists them")
	}
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	u.Path = d.Base(u.Path) + askingPath
	tlsConfig, err := tlsFor(s.Target)
	if err != nil {
		return nil, err
	}
	a := &asker{stream: s, shown: shown(u)}
	if a.access, err = accessFor(s.Target, d, os.Getenv); err != nil {
		return nil, err
	}
	a.url = a.access.address(u, s.Target.Model).String()
	a.client = &http.Client{Transport: &http.Transport{TLSClientConfig: tlsConfig, MaxIdleConnsPerHost: askingAt}}
	return a, nil
}

// measure has the server count what prompts are made of.
func (a *asker) measure(ctx context.Context) (*workload.Counts, error) {
	defer a.client.CloseIdleConnections()
	limited, cancel := context.WithTimeout(ctx, askingLimit)
	defer cancel()
	counts, err := workload.Measure(func(texts []string) ([]int, error) { return a.countAll(limited, texts) })
	var unasked askError
	switch {
	case err == nil:
		return counts, nil
	case ctx.Err() != nil:
		return nil, errInterrupted
	case errors.As(err, &unasked):
		return nil, cannot(fmt.Errorf("stream %s: ask the server to count tokens (workload.tokenizer: server): %s", a.stream.Name, a.access.mask(err.Error())), askingHint)
	}
	return nil, usage(fmt.Errorf("stream %s: workload: tokenizer server: %w", a.stream.Name, err), askingHint)
}

// countAll counts the texts, some at a time; the first that fails ends it.
func (a *asker) countAll(ctx context.Context, texts []string) ([]int, error) {
	if err := a.findForm(ctx, texts[0]); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	counts := make([]int, len(texts))
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(askingAt, len(texts)) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(texts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				n, err := a.ask(ctx, a.form, texts[i])
				if err != nil {
					cancel(err)
				}
				counts[i] = n
			}
		})
	}
	working.Wait()
	if ctx.Err() != nil {
		return nil, askError{context.Cause(ctx)}
	}
	return counts, nil
}

// findForm takes the first form in which the server counts the text. A server
// that knows another may refuse it, or find no text in it.
func (a *asker) findForm(ctx context.Context, text string) error {
	if a.form != nil {
		return nil
	}
	var first error
	for _, form := range askForms {
		n, err := a.ask(ctx, form, text)
		if err == nil && n > 0 {
			a.form = form
			return nil
		}
		if err == nil {
			err = fmt.Errorf("POST %s counts %d tokens in %q", a.shown, n, text)
		}
		if first == nil {
			first = err
		}
	}
	return askError{first}
}

// ask has one text counted.
func (a *asker) ask(ctx context.Context, form askForm, text string) (int, error) {
	body, err := json.Marshal(form(a.stream.Target.Model, text))
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range a.access.headers {
		req.Header.Set(h[0], h[1])
	}
	a.sent.Add(1)
	resp, err := a.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return 0, fmt.Errorf("POST %s: %w", a.shown, err)
	}
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("POST %s answered %s: %.200s", a.shown, resp.Status, said)
	}
	var answer struct {
		Count  *int              `json:"count"`
		Tokens []json.RawMessage `json:"tokens"`
	}
	if err := json.Unmarshal(said, &answer); err != nil || answer.Count == nil && answer.Tokens == nil {
		return 0, fmt.Errorf("POST %s answered without tokens: %.200s", a.shown, said)
	}
	if answer.Count != nil {
		return *answer.Count, nil
	}
	return len(answer.Tokens), nil
}
