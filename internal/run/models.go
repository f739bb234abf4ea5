package run

// The model's name, where the contract leaves it to the server. net/http
// serves here: nothing of this is measured.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
)

const modelHint = "say which model: --model NAME or target.model"

// firstModel asks the server for its list of models and takes the first.
func firstModel(ctx context.Context, t contract.Target, base string, d dialect.Dialect, a access) (string, error) {
	if d.Models == "" {
		return "", usage(fmt.Errorf("a server of %s does not list its models", d.Name), modelHint)
	}
	u, err := modelsURL(base, d)
	if err != nil {
		return "", err
	}
	client, err := clientFor(t, base, a)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.address(u, "").String(), nil)
	if err != nil {
		return "", fmt.Errorf("ask for the models: %w", err)
	}
	for _, h := range a.headers {
		req.Header.Set(h[0], h[1])
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", cannot(fmt.Errorf("ask the server for its models: %s", a.mask(err.Error())), "is the server up? "+modelHint)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return "", cannot(fmt.Errorf("ask the server for its models: %w", err), modelHint)
	}
	if resp.StatusCode != http.StatusOK {
		next := modelHint
		fault := fmt.Errorf("ask the server for its models: %s answered %s: %.200s", u.Redacted(), resp.Status, body)
		if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
			next, fault = keyHint, hopeless{fault}
			if t.APIKeyEnv != "" {
				next = "the server refused the key in " + t.APIKeyEnv
			}
		}
		return "", cannot(fault, next)
	}
	name := firstOf(body)
	if name == "" {
		return "", cannot(fmt.Errorf("the server's list of models at %s names none: %.200s", u.Redacted(), body), modelHint)
	}
	return name, nil
}

// firstOf is the first model of a list, in the forms that servers have: OpenAI
// and Anthropic, Ollama, Google and Cohere.
func firstOf(body []byte) string {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	switch err := json.Unmarshal(body, &list); {
	case err != nil:
		return ""
	case len(list.Data) > 0:
		return list.Data[0].ID
	case len(list.Models) > 0:
		return strings.TrimPrefix(list.Models[0].Name, "models/")
	}
	return ""
}
