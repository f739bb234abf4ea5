// This file finds the end of an answer's head and has net/http understand it.

package http1

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"assay/internal/record"
	"assay/internal/wire"
)

// maxHead bounds the heads of one answer, interim ones included.
const maxHead = 64 << 10

// readers parse heads; a head is there in full before one is asked.
var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// blankLine returns the length of the head in b, its blank line included, or 0
// if it has not ended. The first seen bytes were searched before.
func blankLine(b []byte, seen int) int {
	// A line end may have been the last byte seen, with or without its CR.
	at := max(0, seen-2)
	for {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return 0
		}
		at += i + 1
		rest := b[at:]
		if len(rest) > 0 && rest[0] == '\n' {
			return at + 1
		}
		if len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n' {
			return at + 2
		}
	}
}

// plausible tells whether a head may begin like this. What speaks another
// protocol may wait for an answer of its own: it must not be waited for.
func plausible(b []byte) bool {
	const start = "HTTP/"
	n := min(len(b), len(start))
	return string(b[:n]) == start[:n]
}

// parseHead understands one complete head of an answer to method.
func parseHead(b []byte, method string) (*http.Response, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(bytes.NewReader(b))
	resp, err := http.ReadResponse(br, &http.Request{Method: method})
	br.Reset(nil)
	readers.Put(br)
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the answer's head breaks off")
		}
		return nil, protocolError("%v", err)
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, protocolError("the server switched to %q unasked", resp.Header.Get("Upgrade"))
	}
	return resp, nil
}

func protocolError(format string, args ...any) error {
	return &wire.Error{Kind: record.ErrProtocol, Err: fmt.Errorf(format, args...)}
}
