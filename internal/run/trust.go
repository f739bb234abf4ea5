package run

// Whom a target's connections trust, and what they show of this client.

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"assay/internal/contract"
)

// tlsFor is how a target is trusted.
func tlsFor(t contract.Target) (*tls.Config, error) {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12, ServerName: t.ServerName,
		InsecureSkipVerify: t.Insecure, // insecure is said in every report
	}
	if t.CAFile != "" {
		pem, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, usage(fmt.Errorf("target.ca_file: %w", err), "")
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usage(fmt.Errorf("target.ca_file %s holds no PEM certificate", t.CAFile), "")
		}
	}
	if t.CertFile != "" {
		own, err := tls.LoadX509KeyPair(t.CertFile, t.KeyFile)
		if err != nil {
			return nil, usage(fmt.Errorf("target.cert_file %s with target.key_file %s: %w", t.CertFile, t.KeyFile, err), "")
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}

// dialSocket connects to a socket of this machine, whatever the address.
func dialSocket(path string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}
}
