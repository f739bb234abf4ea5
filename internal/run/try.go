package run

// `assay try`: one request in full view, for the first contact with a server.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/record"
	"assay/internal/wire"
)

// Try sends one request of the contract's first stream and shows it: the
// request with its secrets masked, the answer's head, and each event with its
// time and kind.
func Try(ctx context.Context, c *contract.Contract, w io.Writer) error {
	exe, err := os.Executable()
	if err != nil {
		return cannot(fmt.Errorf("find this binary: %w", err), "")
	}
	s, err := startServers(ctx, exe, c)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := findModels(ctx, c, s); err != nil {
		return err
	}
	if _, err := askTokenizers(ctx, c, s, func(Event) {}); err != nil {
		return err
	}
	stream := &c.Streams[0]
	l, err := newLine(stream, c.Seed, s.urls[stream.Name][:1], "try", OSFiles{}, os.Getenv)
	if err != nil {
		return err
	}
	return l.try(ctx, w)
}

func (l *line) try(ctx context.Context, w io.Writer) error {
	p, err := l.prepare(preflightSeq)
	if err != nil {
		return cannot(err, "")
	}
	l.showRequest(w, p.Bytes)
	clock := host.NewClock(host.Monotonic())
	stamps, err := wire.EnableKernelStamps()
	if err == nil {
		defer stamps.Close()
	}
	targets, err := l.targets(clock.Now, &wire.Dialer{Now: clock.Now, FromWall: clock.FromWall, Kernel: err == nil})
	if err != nil {
		return err
	}
	pool := targets[0].Pool
	defer pool.Close()
	defer context.AfterFunc(ctx, pool.Abort)()
	x, err := pool.Open(ctx, p.Bytes, wire.Terms{
		Idle: time.Duration(l.stream.Target.IdleLimit), Until: clock.Now() + int64(l.stream.Target.RequestLimit),
	})
	if err != nil {
		return l.gone(err)
	}
	head, err := x.Head()
	if err != nil {
		return l.gone(err)
	}
	l.showHead(w, head, x.Times())
	t := &trial{w: w, line: l, x: x, sent: x.Times().Sent, decoder: l.dialect.NewDecoder()}
	if head.Status/100 != 2 {
		t.fault = record.HTTPError(head.Status)
	}
	if l.options.Stream && dispatch.IsStream(&l.dialect, head.ContentType) {
		err = t.events()
	} else {
		err = t.body()
	}
	if err != nil {
		return l.gone(err)
	}
	t.sum()
	if head.Status/100 != 2 {
		r := record.New(l.stream.Name, 0)
		r.ErrorKind = record.HTTPError(head.Status)
		return cannot(fmt.Errorf("the server answered %d %s", head.Status, http.StatusText(head.Status)), refusalHint(l, &r))
	}
	return nil
}

// gone is an exchange that broke, with the hint that the preflight would give.
func (l *line) gone(err error) error {
	r := record.New(l.stream.Name, 0)
	r.URL, r.ErrorMessage = l.ways[0].shown(), l.mask(err.Error())
	var we *wire.Error
	if errors.As(err, &we) {
		r.ErrorKind = we.Kind
	}
	return cannot(fmt.Errorf("%s: %s: %s", r.URL, r.ErrorKind, r.ErrorMessage), refusalHint(l, &r))
}

func (l *line) mask(text string) string { return l.access.mask(text) }

// maxShown is how many content events are printed.
const maxShown = 100

// clip keeps a line readable; what is cut is counted.
func clip(text string) string {
	const most = 600
	text = record.Printable(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes more)", strings.ToValidUTF8(text[:most], ""), len(text)-most)
}

func (l *line) showRequest(w io.Writer, raw []byte) {
	head, body, _ := strings.Cut(l.mask(l.ways[0].readable(raw)), "\r\n\r\n")
	for line := range strings.SplitSeq(head, "\r\n") {
		fmt.Fprintf(w, "> %s\n", line)
	}
	fmt.Fprintf(w, ">\n> %s\n\n", clip(body))
}

func (l *line) showHead(w io.Writer, head *wire.Head, t wire.Times) {
	fmt.Fprintf(w, "< %d %s  (first byte %s after the request", head.Status, http.StatusText(head.Status), ms(t.FirstByte-t.Sent))
	if t.Connect != record.None {
		fmt.Fprintf(w, ", connecting took %s", ms(t.Connect))
	}
	fmt.Fprintf(w, ")\n")
	names := make([]string, 0, len(head.Header))
	for name := range head.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := strings.Join(head.Header[name], ", ")
		if name == "Set-Cookie" {
			value = "***"
		}
		fmt.Fprintf(w, "< %s: %s\n", record.Printable(name), clip(l.mask(value)))
	}
	fmt.Fprintln(w, "<")
}

func ms(ns int64) string { return fmt.Sprintf("%.3f ms", float64(ns)/1e6) }

// A trial is one answer being shown.
type trial struct {
	w       io.Writer
	line    *line
	x       wire.Exchange
	sent    int64
	decoder dialect.Decoder
	content []int64 // arrivals of content-bearing events
	fault   string
}

func (t *trial) events() error {
	scanner := dispatch.NewSplitter(t.line.dialect.Framing)
	for {
		piece, err := t.x.Read(scanner.Buffer())
		if piece.N > 0 {
			scanner.Advance(piece)
			for {
				ev, ok := scanner.Next()
				if !ok {
					break
				}
				t.event(ev)
			}
		}
		if errors.Is(err, io.EOF) {
			if ev, ok := scanner.Flush(); ok {
				t.event(ev)
			}
			return nil
		}
		if err = errors.Join(err, scanner.Err()); err != nil {
			return err
		}
	}
}

func (t *trial) event(ev wire.Event) {
	at := t.x.ArrivedAt(ev.End)
	delta := t.decoder.Event(ev.Name, ev.Data)
	tokens := ""
	if delta.Kind.Content() {
		t.content = append(t.content, at.Arrived)
		tokens = fmt.Sprintf(" %d tok", max(1, delta.Tokens))
	}
	if delta.ErrorKind != "" {
		t.fault = delta.ErrorKind + ": " + delta.ErrorText
	}
	if delta.Kind.Content() && len(t.content) > maxShown {
		return // counted, and told at the end
	}
	fmt.Fprintf(t.w, "%12s  %-9s%6s  %s\n", ms(at.Arrived-t.sent), delta.Kind, tokens, clip(t.line.mask(string(ev.Data))))
}

func (t *trial) body() error {
	buf := make([]byte, 64<<10)
	n := 0
	var end uint64
	for n < len(buf) {
		piece, err := t.x.Read(buf[n:])
		if piece.N > 0 {
			n, end = n+piece.N, piece.End
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(t.w, clip(t.line.mask(string(buf[:n]))))
	delta := t.decoder.Whole(buf[:n])
	if delta.ErrorKind != "" && t.fault == "" {
		t.fault = delta.ErrorKind + ": " + delta.ErrorText
	}
	if n > 0 {
		fmt.Fprintf(t.w, "\nlatency %s\n", ms(t.x.ArrivedAt(end).Arrived-t.sent))
	}
	return nil
}

// sum is what a record would hold of this answer.
func (t *trial) sum() {
	r := t.decoder.Reply()
	if more := len(t.content) - maxShown; more > 0 {
		fmt.Fprintf(t.w, "\n%d more content events are not shown\n", more)
	}
	if m := len(t.content); m > 0 {
		fmt.Fprintf(t.w, "\nTTFT %s, latency %s, %d content events", ms(t.content[0]-t.sent), ms(t.content[m-1]-t.sent), m)
		if m > 1 {
			fmt.Fprintf(t.w, ", mean gap %s", ms((t.content[m-1]-t.content[0])/int64(m-1)))
		}
		fmt.Fprintln(t.w)
	}
	if d := t.line.dialect; d.Textless() {
		fmt.Fprintf(t.w, "%d %s\n", r.Items, d.Measures)
		if r.InputTokens != record.NoCount {
			fmt.Fprintf(t.w, "the server's usage: %d tokens in\n", r.InputTokens)
		}
	} else if r.InputTokens != record.NoCount || r.OutputTokens != record.NoCount {
		fmt.Fprintf(t.w, "the server's usage: %d tokens in, %d out\n", max(0, r.InputTokens), max(0, r.OutputTokens))
	} else {
		fmt.Fprintln(t.w, "the server gave no usage: tokens would be counted as events")
	}
	if r.FinishReason != "" {
		fmt.Fprintf(t.w, "finish reason: %s\n", clip(r.FinishReason))
	}
	if t.fault != "" {
		fmt.Fprintf(t.w, "this would be counted as a failure: %s\n", clip(t.line.mask(t.fault)))
	}
}
