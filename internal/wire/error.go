// This file says what went wrong on the wire in the record's vocabulary, so
// that an error is counted by its cause and shown in few, stable words.

package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"assay/internal/record"
)

// An Error is a failure of moving bytes. Kind is one of the record's error
// kinds; it is "" when the caller itself ended the exchange (ErrAborted).
type Error struct {
	Kind string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ErrAborted is inside the error of an exchange that this side gave up: its
// context was cancelled, or its connection or pool was told to end.
var ErrAborted = errors.New("given up by the client")

// ErrWouldBlock is what TryRead answers when nothing has arrived and the
// connection is open. It is temporary, so crypto/tls lets the reader go on.
var ErrWouldBlock error = wouldBlock{}

type wouldBlock struct{}

func (wouldBlock) Error() string   { return "nothing has arrived" }
func (wouldBlock) Timeout() bool   { return true }
func (wouldBlock) Temporary() bool { return true }

// KindOf is the record's error kind of err: that of the Error inside it, else
// "protocol", for what is not from the wire is a reply that breaks the rules.
// It is "" for nil and for an exchange that this side gave up.
func KindOf(err error) string {
	var e *Error
	switch {
	case err == nil, errors.Is(err, ErrAborted):
		return ""
	case errors.As(err, &e):
		return e.Kind
	}
	return record.ErrProtocol
}

// DialError names the cause of a connection that could not be made. Running
// out of the time allowed for it is the server's: it did not accept.
func DialError(err error) error {
	var wired *Error
	if errors.As(err, &wired) {
		return err
	}
	kind := record.ErrConnect
	var dns *net.DNSError
	switch {
	case errors.Is(err, context.Canceled):
		return aborted(err)
	case lacksResources(err):
		kind = record.ErrLocal
	case errors.As(err, &dns):
		kind = record.ErrDNS
	}
	return &Error{Kind: kind, Err: plain(err)}
}

// TLSError names the cause of a handshake that failed.
func TLSError(err error) error {
	kind := record.ErrTLS
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, net.ErrClosed):
		return aborted(err)
	case lacksResources(err):
		kind = record.ErrLocal
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("the handshake took too long")
	case errors.Is(err, io.EOF):
		err = errors.New("connection closed in the handshake")
	}
	return &Error{Kind: kind, Err: prefixed("tls: ", plain(err))}
}

// StreamError names the cause of a read or write that failed on a connection
// that stood. A deadline is not its business: only the owner of the limits
// knows which of them passed.
func StreamError(err error) error {
	var wired *Error
	if errors.As(err, &wired) {
		return err
	}
	var header tls.RecordHeaderError
	var alert tls.AlertError
	kind := record.ErrReset
	switch {
	case errors.Is(err, net.ErrClosed), errors.Is(err, context.Canceled):
		return aborted(err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		kind = record.ErrTimeout
	case lacksResources(err):
		kind = record.ErrLocal
	case errors.As(err, &header), errors.As(err, &alert):
		kind = record.ErrProtocol
	}
	return &Error{Kind: kind, Err: plain(err)}
}

func aborted(cause error) error {
	return &Error{Err: &abort{cause: cause}}
}

// An abort keeps the cause for errors.Is and shows only what matters.
type abort struct{ cause error }

func (a *abort) Error() string   { return ErrAborted.Error() }
func (a *abort) Unwrap() []error { return []error{ErrAborted, a.cause} }

// lacksResources tells whether this machine, and not the server, was short of
// something. The resolver keeps only the text of what its sockets met.
func lacksResources(err error) bool {
	for _, errno := range localFaults {
		if errors.Is(err, errno) {
			return true
		}
	}
	var dns *net.DNSError
	return errors.As(err, &dns) &&
		(strings.Contains(dns.Err, syscall.EMFILE.Error()) || strings.Contains(dns.Err, syscall.ENFILE.Error()))
}

// plain cuts ephemeral ports and wrappings from a system error: the same
// cause must read the same in every record.
func plain(err error) error {
	var op *net.OpError
	if !errors.As(err, &op) || op.Err == nil {
		return err
	}
	var dns *net.DNSError
	if errors.As(op.Err, &dns) {
		return &net.DNSError{Err: dns.Err, Name: dns.Name, IsNotFound: dns.IsNotFound, IsTimeout: dns.IsTimeout}
	}
	var inner error = op.Err
	var call *os.SyscallError
	if errors.As(op.Err, &call) {
		inner = call.Err
	}
	if op.Op == "dial" && op.Addr != nil {
		return prefixed("connect "+op.Addr.String()+": ", inner)
	}
	return prefixed(strings.TrimPrefix(op.Op, "raw-")+": ", inner)
}

type prefixedError struct {
	prefix string
	err    error
}

func prefixed(prefix string, err error) error {
	if strings.HasPrefix(err.Error(), prefix) {
		return err
	}
	return &prefixedError{prefix, err}
}

func (p *prefixedError) Error() string { return p.prefix + p.err.Error() }
func (p *prefixedError) Unwrap() error { return p.err }
