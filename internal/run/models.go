package run

// The model's name, where the contract leaves it to the server. net/http
// serves here: nothing of this is measured.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
)

// firstModel asks the server for its list of models and takes the first.
func firstModel(ctx context.Context, t contract.Target, base string, d dialect.Dialect, headers [][2]string) (string, error) {
	u, err := modelsURL(base, d)
	if err != nil {
		return "", err
	}
	tlsConfig, err := tlsFor(t)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", fmt.Errorf("ask for the models: %w", err)
	}
	for _, h := range headers {
		req.Header.Set(h[0], h[1])
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: tlsConfig, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	const hint = "say which model: --model NAME or target.model"
	if err != nil {
		return "", cannot(fmt.Errorf("ask the server for its models: %w", err), "is the server up? "+hint)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return "", cannot(fmt.Errorf("ask the server for its models: %w", err), hint)
	}
	if resp.StatusCode != http.StatusOK {
		next := hint
		if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
			next = keyHint
			if t.APIKeyEnv != "" {
				next = "the server refused the key in " + t.APIKeyEnv
			}
		}
		return "", cannot(fmt.Errorf("ask the server for its models: %s answered %s: %.200s", u.Redacted(), resp.Status, body), next)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil || len(list.Data) == 0 || list.Data[0].ID == "" {
		return "", cannot(fmt.Errorf("the server's list of models at %s names none: %.200s", u.Redacted(), body), hint)
	}
	return list.Data[0].ID, nil
}
