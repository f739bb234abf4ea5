package run

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/internal/contract"
)

// certificate makes one for a name, signed by itself, and writes it and its key.
func certificate(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{name},
		IsCA: true, BasicConstraintsValid: true, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	write := func(file, kind string, data []byte) string {
		file = filepath.Join(dir, file)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write(name+".pem", "CERTIFICATE", der), write(name+".key", "EC PRIVATE KEY", secret)
}

// shakes has a server that wants a certificate of its clients meet one.
func shakes(t *testing.T, server *tls.Config, client *tls.Config) error {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	served := make(chan error, 1)
	go func() {
		b, err := l.Accept()
		if err != nil {
			served <- err
			return
		}
		defer b.Close()
		_ = b.SetDeadline(time.Now().Add(time.Minute))
		s := tls.Server(b, server)
		err = s.Handshake()
		if err == nil {
			_, err = s.Write([]byte("x"))
		}
		served <- err
	}()
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_ = a.SetDeadline(time.Now().Add(time.Minute))
	c := tls.Client(a, client)
	err = c.Handshake()
	if err == nil {
		_, err = c.Read(make([]byte, 1)) // a refusal of ours comes after our part of the handshake
	}
	a.Close()
	if refused := <-served; err == nil {
		err = refused
	}
	return err
}

func TestAClientShowsItsCertificateToAServerOfAnotherName(t *testing.T) {
	dir := t.TempDir()
	serverCert, serverKey := certificate(t, dir, "inner.test")
	mine, myKey := certificate(t, dir, "me.test")
	pair, err := tls.LoadX509KeyPair(serverCert, serverKey)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	raw, err := os.ReadFile(mine)
	if err != nil || !known.AppendCertsFromPEM(raw) {
		t.Fatal(err)
	}
	server := &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: known}
	for _, c := range []struct {
		name   string
		target contract.Target
		says   string // "" is a handshake that stands
	}{
		{"all that is needed", contract.Target{CAFile: serverCert, ServerName: "inner.test", CertFile: mine, KeyFile: myKey}, ""},
		{"no certificate", contract.Target{CAFile: serverCert, ServerName: "inner.test"}, "certificate required"},
		{"another name", contract.Target{CAFile: serverCert, ServerName: "outer.test", CertFile: mine, KeyFile: myKey}, "not outer.test"},
		{"insecure", contract.Target{Insecure: true, ServerName: "outer.test", CertFile: mine, KeyFile: myKey}, ""},
	} {
		config, err := tlsFor(c.target)
		if err != nil {
			t.Fatal(err)
		}
		if err := shakes(t, server, config); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
	if _, err := tlsFor(contract.Target{CertFile: mine, KeyFile: serverKey}); err == nil || !strings.Contains(err.Error(), "target.key_file") {
		t.Errorf("a key of another certificate: %v", err)
	}
}
