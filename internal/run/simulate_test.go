package run

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// simulate starts Simulate and returns its first line. closeIn ends its
// standard input, done is its error.
func simulate(t *testing.T, ctx context.Context, o SimulateOptions) (line string, closeIn func(), done chan error) {
	t.Helper()
	in, inWriter := io.Pipe()
	out, outWriter := io.Pipe()
	o.Listen, o.Stdin, o.Stdout = "127.0.0.1:0", in, outWriter
	done = make(chan error, 1)
	go func() {
		done <- Simulate(ctx, o)
		outWriter.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no ready line: %v", <-done)
	}
	return line, func() { inWriter.Close() }, done
}

func TestSimulateSaysWhereItIsAndEndsWithItsParent(t *testing.T) {
	line, closeIn, done := simulate(t, t.Context(), SimulateOptions{Preset: "null", DieWithParent: true})
	url, ok := strings.CutPrefix(line, "assay: simulating null at ")
	if !ok {
		t.Fatalf("it says %q", line)
	}
	resp, err := http.Get(strings.TrimSpace(url) + "/health")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	closeIn()
	if err := <-done; err != nil {
		t.Errorf("Simulate = %v, want nil when its standard input ends", err)
	}
}

func TestSimulateServesHTTPSWithACertificateForTheClient(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	file := filepath.Join(t.TempDir(), "ca.pem")
	line, closeIn, done := simulate(t, ctx, SimulateOptions{JSON: true, TLSSelfSigned: file, APIKeyEnv: "KEY", Env: func(string) string { return "sesame" }})
	defer closeIn()
	var ready struct{ URL, Preset string }
	if err := json.Unmarshal([]byte(line), &ready); err != nil || ready.Preset != "fixed" || !strings.HasPrefix(ready.URL, "https://") {
		t.Fatalf("it says %s (%v)", line, err)
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get(ready.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the key /v1/models answers %d, want 401", resp.StatusCode)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Simulate = %v, want nil when it is interrupted", err)
	}
}

func TestSimulateDescribesAndServesNothing(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		err := Simulate(t.Context(), SimulateOptions{Preset: "fixed", Set: []string{"ttft = 5ms"}, Faults: []string{"cut=2%"}, Describe: true, JSON: asJSON, Stdout: &out})
		if err != nil || !strings.Contains(out.String(), "5ms") || !strings.Contains(out.String(), "2%") || json.Valid(out.Bytes()) != asJSON {
			t.Errorf("the description is %s, %v", out.String(), err)
		}
	}
}

func TestSimulateRefusesWhatItCannotHonour(t *testing.T) {
	for _, c := range []struct {
		o    SimulateOptions
		code int
		want string
	}{
		{SimulateOptions{Preset: "h100"}, ExitUsage, `there is no preset "h100"`},
		{SimulateOptions{Set: []string{"ttft"}}, ExitUsage, `--set "ttft" is not name=value`},
		{SimulateOptions{Set: []string{"ttft=5"}}, ExitUsage, "parameter ttft"},
		{SimulateOptions{Faults: []string{"error"}}, ExitUsage, `--fault "error" is not name=value`},
		{SimulateOptions{Faults: []string{"thunder=1%"}}, ExitUsage, `has no parameter "fault_thunder"`},
		{SimulateOptions{TLSCert: "c.pem"}, ExitUsage, "a certificate and its key"},
		{SimulateOptions{APIKeyEnv: "KEY", Env: func(string) string { return "" }}, ExitUsage, "KEY (--api-key-env) is not set"},
		{SimulateOptions{Listen: "127.0.0.1:99999"}, ExitCannot, "99999"},
	} {
		err := Simulate(t.Context(), c.o)
		var hint *HintError
		if !errors.As(err, &hint) || hint.Code != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Simulate(%+v) = %v, want %q and exit status %d", c.o, err, c.want, c.code)
		}
	}
}
