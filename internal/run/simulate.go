package run

// The body of `assay simulate`: the embedded server as a process of its own.

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"assay/internal/sim"
	"assay/internal/simserver"
)

// SimulateOptions are the flags of `assay simulate`.
type SimulateOptions struct {
	Listen        string   // host:port, where port 0 takes a free one, or unix:SOCKET
	Preset        string   // "" for "fixed"
	Set           []string // parameters of the preset, "name=value"
	Faults        []string // likewise, of parameters whose names begin with "fault_", without it
	Tokenizer     string   // whose tokens are counted: a path or a name, as in workload.tokenizer; "" counts words
	Models        []string // to answer to; none: to any
	APIKeyEnv     string   // name of the environment variable with the key to ask for; "" lets everybody in
	TLSCert       string   // PEM file; with TLSKey
	TLSKey        string   // PEM file
	TLSSelfSigned string   // make a certificate, and write it to this file for `target.ca_file`
	Describe      bool     // tell what would be simulated, and serve nothing
	JSON          bool     // the ready line and the description as JSON
	DieWithParent bool     // end when Stdin ends
	Env           func(string) string
	Stdin         io.Reader
	Stdout        io.Writer
}

// Simulate serves until ctx ends or, with DieWithParent, until Stdin does.
// When it listens it writes one line with its address to Stdout.
func Simulate(ctx context.Context, o SimulateOptions) error {
	config, err := o.config()
	if err != nil {
		return err
	}
	if o.Describe {
		return o.describe(config)
	}
	l, err := listen(o.Listen)
	if err != nil {
		return cannot(fmt.Errorf("simulate: %w", err), "--listen 127.0.0.1:0 takes a free port")
	}
	address := reachable(l.Addr())
	if config.TLS, err = o.tls(address); err != nil {
		l.Close()
		return err
	}
	server, err := simserver.New(config)
	if err != nil {
		l.Close()
		return cannot(fmt.Errorf("simulate: %w", err), "")
	}
	if err := o.ready(config, address); err != nil {
		l.Close()
		return cannot(fmt.Errorf("simulate: %w", err), "")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.DieWithParent && o.Stdin != nil {
		// It can't be waited for: nothing ends a read of a standard input
		// that stays open. The process ends soon after in any case.
		go func() {
			_, _ = io.Copy(io.Discard, o.Stdin)
			cancel()
		}()
	}
	if err := server.Serve(ctx, l); err != nil {
		return cannot(fmt.Errorf("simulate: %w", err), "")
	}
	return nil
}

// config checks everything that can be checked before listening.
func (o SimulateOptions) config() (simserver.Config, error) {
	c := simserver.Config{Preset: o.Preset, Set: map[string]string{}, Models: o.Models}
	if c.Preset == "" {
		c.Preset = "fixed"
	}
	for _, pair := range o.Set {
		if err := assign(c.Set, "", pair); err != nil {
			return c, usage(fmt.Errorf("--set %w", err), "for example --set ttft=200ms")
		}
	}
	for _, pair := range o.Faults {
		if err := assign(c.Set, "fault_", pair); err != nil {
			return c, usage(fmt.Errorf("--fault %w", err), "for example --fault error=1% --fault cut=0.5% --fault cut_after=20")
		}
	}
	if _, err := sim.Configure(c.Preset, c.Set); err != nil {
		return c, usage(fmt.Errorf("simulate: %w", err), "`assay simulate --preset NAME --describe` lists the parameters")
	}
	if o.Tokenizer != "" {
		var err error
		if c.Tokenizer, err = openTokenizer("--tokenizer", o.Tokenizer, "; without --tokenizer words are counted", OSFiles{}, o.Env); err != nil {
			return c, err
		}
	}
	if o.APIKeyEnv != "" {
		if c.APIKey = o.Env(o.APIKeyEnv); c.APIKey == "" {
			return c, usage(fmt.Errorf("the environment variable %s (--api-key-env) is not set", o.APIKeyEnv), "export it, or put it into .env in the working folder")
		}
	}
	if (o.TLSCert == "") != (o.TLSKey == "") || o.TLSCert != "" && o.TLSSelfSigned != "" {
		return c, usage(errors.New("TLS needs a certificate and its key, or --tls-self-signed alone"), "")
	}
	return c, nil
}

// assign sets the parameter of a name=value pair.
func assign(set map[string]string, prefix, pair string) error {
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		return fmt.Errorf("%q is not name=value", pair)
	}
	set[prefix+strings.TrimSpace(name)] = strings.TrimSpace(value)
	return nil
}

func (o SimulateOptions) describe(c simserver.Config) error {
	settings, err := sim.Configure(c.Preset, c.Set)
	if err != nil {
		return usage(err, "")
	}
	d := settings.Describe()
	if o.JSON {
		return json.NewEncoder(o.Stdout).Encode(d)
	}
	text := d.String() + "presets (--preset NAME):\n"
	for _, p := range sim.Presets() {
		text += fmt.Sprintf("  %-18s %s\n", p.Name, p.About)
	}
	_, err = io.WriteString(o.Stdout, text)
	return err
}

func (o SimulateOptions) tls(address string) (*tls.Config, error) {
	switch {
	case o.TLSCert != "":
		pair, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey)
		if err != nil {
			return nil, usage(fmt.Errorf("simulate: %w", err), "")
		}
		return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
	case o.TLSSelfSigned != "":
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, cannot(fmt.Errorf("simulate: %w", err), "")
		}
		pair, pem, err := simserver.SelfSigned(host, "localhost", "127.0.0.1", "::1")
		if err != nil {
			return nil, cannot(fmt.Errorf("simulate: %w", err), "")
		}
		if err := os.WriteFile(o.TLSSelfSigned, pem, 0o644); err != nil {
			return nil, cannot(fmt.Errorf("simulate: %w", err), "")
		}
		return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
	}
	return nil, nil
}

// listen takes host:port or unix:SOCKET.
func listen(address string) (net.Listener, error) {
	if _, socket := cutSocket(address); socket != "" {
		return net.Listen("unix", socket)
	}
	return net.Listen("tcp", address)
}

// ready says where the server is.
func (o SimulateOptions) ready(c simserver.Config, address string) error {
	url := "http://" + address
	switch {
	case strings.HasPrefix(o.Listen, "unix:"):
		url = o.Listen
	case c.TLS != nil:
		url = "https://" + address
	}
	if o.JSON {
		return json.NewEncoder(o.Stdout).Encode(struct {
			URL    string `json:"url"`
			Preset string `json:"preset"`
		}{url, c.Preset})
	}
	_, err := fmt.Fprintf(o.Stdout, "assay: simulating %s at %s\n", c.Preset, url)
	return err
}

// reachable is a listener's address as a client on this machine writes it.
func reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
}
