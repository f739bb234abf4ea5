// The table of columns: one line a column says its name, its type, and which
// field of the record it holds. Both directions follow it.
package columnar

import (
	"slices"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// A column is one leaf of the file.
type column struct {
	name string
	node parquet.Node
	list bool
	put  func(b *builder, r *record.Record)
	take func(s *scanner, r *record.Record, v []parquet.Value) error // not of a list
	// absent is what a record has where the file, of an earlier program, lacks
	// the column; nil: every file has it.
	absent func(r *record.Record)
	// A list's row begins, and more of its elements come.
	begin func(s *scanner)
	more  func(s *scanner, l *lists, from, to int) error
}

// columns are the file, in the order of `assay records`. What is missing in a
// record is null; an empty text is missing. The five lists of content-bearing
// events run in parallel, and so do the two of the others.
func columns() []column {
	type rec = record.Record
	return []column{
		unsigned("seq", func(r *rec) *uint64 { return &r.Seq }),
		word("stream", func(r *rec) *string { return &r.Stream }),
		optionalWord("session", func(r *rec) *string { return &r.Session }),
		number("turn", func(r *rec) *int { return &r.Turn }),
		optionalWord("role", func(r *rec) *string { return &r.Role }),
		number("worker", func(r *rec) *int { return &r.Worker }),
		enum("phase", func(r *rec) *record.Phase { return &r.Phase }),
		enum("release", func(r *rec) *record.Release { return &r.Release }),
		word("url", func(r *rec) *string { return &r.URL }),
		word("endpoint", func(r *rec) *string { return &r.Endpoint }),
		flag("streamed", func(r *rec) *bool { return &r.Streamed }),
		stamp("due_ns", func(r *rec) *int64 { return &r.Due }),
		stamp("free_ns", func(r *rec) *int64 { return &r.Free }),
		stamp("released_ns", func(r *rec) *int64 { return &r.Released }),
		stamp("ready_ns", func(r *rec) *int64 { return &r.Ready }),
		stamp("sent_ns", func(r *rec) *int64 { return &r.Sent }),
		stamp("written_ns", func(r *rec) *int64 { return &r.Written }),
		stamp("first_ns", func(r *rec) *int64 { return &r.First }),
		stamp("first_output_ns", func(r *rec) *int64 { return &r.FirstOutput }),
		stamp("last_ns", func(r *rec) *int64 { return &r.Last }),
		stamp("ended_ns", func(r *rec) *int64 { return &r.Ended }),
		stamp("dns_ns", func(r *rec) *int64 { return &r.DNS }),
		stamp("connect_ns", func(r *rec) *int64 { return &r.Connect }),
		stamp("tls_ns", func(r *rec) *int64 { return &r.TLS }),
		stamp("ttfb_ns", func(r *rec) *int64 { return &r.TTFB }),
		stamp("rtt_ns", func(r *rec) *int64 { return &r.RTT }).missing(func(r *rec) { r.RTT = record.None }),
		stamp("handover_ns", func(r *rec) *int64 { return &r.Handover }).missing(func(r *rec) { r.Handover = record.None }),
		stamp("retry_after_ns", func(r *rec) *int64 { return &r.RetryAfter }).missing(func(r *rec) { r.RetryAfter = record.None }),
		flag("reused", func(r *rec) *bool { return &r.Reused }),
		enum("clock", func(r *rec) *record.Clock { return &r.Clock }),
		number("unstamped", func(r *rec) *int { return &r.Unstamped }),
		enum("status", func(r *rec) *record.Status { return &r.Status }),
		optionalWord("error_kind", func(r *rec) *string { return &r.ErrorKind }),
		optionalText("error_message", func(r *rec) *string { return &r.ErrorMessage }),
		optionalNumber("http_status", 0, func(r *rec) *int { return &r.HTTPStatus }),
		optionalNumber("want_input_tokens", record.NoCount, func(r *rec) *int { return &r.WantInput }),
		optionalNumber("want_output_tokens", record.NoCount, func(r *rec) *int { return &r.WantOutput }),
		optionalNumber("input_tokens", record.NoCount, func(r *rec) *int { return &r.Input }),
		optionalNumber("output_tokens", record.NoCount, func(r *rec) *int { return &r.Output }),
		enum("input_token_source", func(r *rec) *record.TokenSource { return &r.InputSource }),
		enum("token_source", func(r *rec) *record.TokenSource { return &r.TokenSource }),
		optionalNumber("cached_tokens", record.NoCount, func(r *rec) *int { return &r.Cached }),
		optionalNumber("reasoning_tokens", record.NoCount, func(r *rec) *int { return &r.ReasoningCount }),
		optionalWord("finish_reason", func(r *rec) *string { return &r.FinishReason }),
		optionalText("request_id", func(r *rec) *string { return &r.RequestID }),
		checksum("body_sha256"),
		arrivals("arrivals_ns"), reads("read_ns"), tokens("tokens"), kinds("kinds"), stamped("stamped"),
		otherTimes("other_ns"), otherKinds("other_kinds"),
		number("dropped", func(r *rec) *int { return &r.Dropped }),
		optionalNumber("turns", 0, func(r *rec) *int { return &r.Turns }).missing(func(r *rec) { r.Turns = 0 }),
		optionalNumber("images", 0, func(r *rec) *int { return &r.Images }).missing(func(r *rec) { r.Images = 0 }),
		optionalNumber("audio_ms", 0, func(r *rec) *int { return &r.AudioMS }).missing(func(r *rec) { r.AudioMS = 0 }),
		optionalNumber("media_bytes", 0, func(r *rec) *int { return &r.MediaBytes }).missing(func(r *rec) { r.MediaBytes = 0 }),
		optionalNumber("items", 0, func(r *rec) *int { return &r.Items }).missing(func(r *rec) { r.Items = 0 }),
	}
}

// missing has a column that came later, and need not be in a file.
func (c column) missing(absent func(r *record.Record)) column {
	c.absent = absent
	return c
}

// path is the column's leaf in the file.
func (c *column) path() []string {
	if c.list {
		return []string{c.name, "list", "element"}
	}
	return []string{c.name}
}

func schema() *parquet.Schema {
	root := ordered{Group: parquet.Group{}}
	for _, c := range columns() {
		root.names = append(root.names, c.name)
		root.Group[c.name] = c.node
		if c.list {
			root.Group[c.name] = parquet.List(c.node)
		}
	}
	return parquet.NewSchema("record", root)
}

// ordered is a group whose fields keep the order of the table; the library
// would sort them by name.
type ordered struct {
	parquet.Group
	names []string
}

// Fields returns the fields in the order of names.
func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(o.names, a.Name()) - slices.Index(o.names, b.Name())
	})
	return fields
}
