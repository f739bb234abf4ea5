// What must hold of every record, whatever the server did. A record that
// breaks it is a bug of the client.
package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Check returns what is wrong with r, or nil. It compares stamps of user
// space with one another, and events among themselves only by their kinds:
// stamps of the kernel come from another clock.
func (r *Record) Check() error {
	return errors.Join(r.checkOrder(), r.checkOutcome(), r.checkCounts(), r.checkEvents(), r.checkText())
}

// checkOrder: due ≤ free ≤ released ≤ ready ≤ sent ≤ written and sent ≤ ended,
// where known. A server may answer, and end, before the request is all written.
func (r *Record) checkOrder() error {
	names := [...]string{"due", "free", "released", "ready", "sent", "written"}
	stamps := r.stamps()
	before := -1
	for i, name := range names {
		at := *stamps[i]
		if at == None {
			continue
		}
		if before >= 0 && at < *stamps[before] {
			return fmt.Errorf("%s %d before %s %d", name, at, names[before], *stamps[before])
		}
		before = i
	}
	for i, name := range [...]string{"dns", "connect", "tls", "ttfb", "rtt", "handover", "retry after"} {
		if d := *stamps[10+i]; d != None && d < 0 {
			return fmt.Errorf("%s lasted %d", name, d)
		}
	}
	switch {
	case r.Ended != None && r.Sent != None && r.Ended < r.Sent:
		return fmt.Errorf("ended %d before sent %d", r.Ended, r.Sent)
	case r.Release == AtDue && r.Free != r.Due:
		return fmt.Errorf("released at due, but free %d is not due %d", r.Free, r.Due)
	}
	return nil
}

// checkOutcome: an ok request has content and no error, a failed one says why.
func (r *Record) checkOutcome() error {
	switch {
	case int(r.Status) >= len(statusNames), int(r.Phase) >= len(phaseNames), int(r.Release) >= len(releaseNames),
		int(r.Clock) >= len(clockNames), int(r.InputSource) >= len(sourceNames), int(r.TokenSource) >= len(sourceNames):
		return errors.New("an enumeration is out of range")
	case r.Status == OK && r.ErrorKind != "":
		return fmt.Errorf("ok with error %q", r.ErrorKind)
	case r.Status == OK && len(r.Events) == 0:
		return errors.New("ok without a content-bearing event")
	case r.Status == OK && (r.Sent == None || r.Ended == None):
		return errors.New("ok but not sent or not ended")
	case (r.Status == Failed || r.Status == Local) && r.ErrorKind == "":
		return fmt.Errorf("%s without an error kind", r.Status)
	}
	return nil
}

func (r *Record) checkCounts() error {
	for i, p := range r.counts() {
		if *p < NoCount {
			return fmt.Errorf("count %d is %d", i, *p)
		}
	}
	switch {
	case r.Turn < 1:
		return fmt.Errorf("turn %d", r.Turn)
	case r.Turns < 0 || r.Turns > MaxTurns || (r.Turns == 0) != (r.Session == ""):
		return fmt.Errorf("session %q of %d turns", r.Session, r.Turns)
	case r.Turns > 0 && r.Turn > r.Turns:
		return fmt.Errorf("turn %d of %d", r.Turn, r.Turns)
	case r.Worker < 0:
		return fmt.Errorf("worker %d", r.Worker)
	case r.Images < 0 || r.AudioMS < 0 || r.MediaBytes < 0:
		return fmt.Errorf("%d images, %d ms of audio, %d bytes of both", r.Images, r.AudioMS, r.MediaBytes)
	case r.Items < 0:
		return fmt.Errorf("%d items", r.Items)
	case r.Unstamped < 0 || r.Dropped < 0:
		return fmt.Errorf("unstamped %d, dropped %d", r.Unstamped, r.Dropped)
	case (r.Output == NoCount) != (r.TokenSource == NoSource):
		return fmt.Errorf("output of %d tokens from source %s", r.Output, r.TokenSource)
	case (r.Input == NoCount) != (r.InputSource == NoSource):
		return fmt.Errorf("input of %d tokens from source %s", r.Input, r.InputSource)
	}
	return nil
}

// checkEvents: first and last are those of the events, and what bears
// content is kept apart from what does not.
func (r *Record) checkEvents() error {
	first, last, output := None, None, None
	for i, e := range r.Events {
		if !e.Kind().Content() {
			return fmt.Errorf("event %d of kind %s", i, e.Kind())
		}
		if e.Arrived == None {
			return fmt.Errorf("event %d without a stamp", i)
		}
		if output == None && e.Kind() != Reasoning {
			output = e.Arrived
		}
		last = e.Arrived
	}
	if len(r.Events) > 0 {
		first = r.Events[0].Arrived
	}
	if r.First != first || r.Last != last || r.FirstOutput != output {
		return fmt.Errorf("first, first output, last are %d, %d, %d; the events say %d, %d, %d",
			r.First, r.FirstOutput, r.Last, first, output, last)
	}
	if len(r.Marks) > MaxMarks {
		return fmt.Errorf("%d marks kept, at most %d", len(r.Marks), MaxMarks)
	}
	for i, m := range r.Marks {
		if m.Kind.Content() {
			return fmt.Errorf("mark %d of kind %s", i, m.Kind)
		}
	}
	return nil
}

func (r *Record) checkText() error {
	for _, s := range []string{r.Stream, r.Session, r.Role, r.URL, r.Endpoint, r.ErrorKind, r.ErrorMessage, r.FinishReason, r.RequestID} {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%q is not UTF-8", s)
		}
		if len(s) > MaxMessage {
			return fmt.Errorf("a text of %d bytes, at most %d", len(s), MaxMessage)
		}
	}
	return nil
}

// MaxMessage bounds the texts of a record: a server may answer an error with
// a page, and each of a million requests would keep it.
const MaxMessage = 2048

// Message makes a text from a stranger fit for a record: valid UTF-8, and cut
// to MaxMessage with "…" where it was longer.
func Message(s string) string {
	const ellipsis = "…"
	cut := len(s) > MaxMessage
	if cut {
		s = s[:MaxMessage]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !cut && len(s) <= MaxMessage {
		return s
	}
	for len(s) > MaxMessage-len(ellipsis) {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s + ellipsis
}
