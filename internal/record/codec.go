// The codec is a record in few bytes and little time: the worker encodes one
// a request, the coordinator decodes it, the journal keeps it.
package record

import "encoding/binary"

// codecVersion is the first byte of an encoded record. The fields below are
// positional, so any change of them is a new version. Version 1 had no RTT,
// version 2 no Turns, version 3 no Handover, version 4 no media, version 5 no
// RetryAfter, version 6 no Items; they are still read, since a journal may be recovered by a later program.
const (
	codecVersion  = 7
	oldestVersion = 1
	stampsBefore2 = 14
	countsBefore3 = 7
	stampsBefore4 = 15
	countsBefore5 = 8
	stampsBefore6 = 16
	countsBefore7 = 11
)

// Append appends the encoding of r to dst.
func Append(dst []byte, r *Record) []byte {
	dst = append(dst, codecVersion)
	dst = appendString(dst, r.Stream)
	dst = binary.AppendUvarint(dst, r.Seq)
	dst = appendString(dst, r.Session)
	dst = binary.AppendVarint(dst, int64(r.Turn))
	dst = appendString(dst, r.Role)
	dst = binary.AppendVarint(dst, int64(r.Worker))
	dst = append(dst, byte(r.Phase), byte(r.Release))
	dst = appendString(dst, r.URL)
	dst = appendString(dst, r.Endpoint)
	for _, p := range r.stamps() {
		dst = appendStamp(dst, *p)
	}
	dst = append(dst, boolByte(r.Streamed), boolByte(r.Reused), byte(r.Clock))
	dst = binary.AppendVarint(dst, int64(r.Unstamped))
	dst = append(dst, byte(r.Status))
	dst = appendString(dst, r.ErrorKind)
	dst = appendString(dst, r.ErrorMessage)
	for _, p := range r.counts() {
		dst = binary.AppendVarint(dst, int64(*p))
	}
	dst = append(dst, byte(r.InputSource), byte(r.TokenSource))
	dst = appendString(dst, r.FinishReason)
	dst = appendString(dst, r.RequestID)
	dst = append(dst, r.BodySHA256[:]...)
	return appendEvents(dst, r)
}

// appendEvents writes times as differences: a gap takes four bytes, a stamp eight.
func appendEvents(dst []byte, r *Record) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(r.Events)))
	var last int64
	for _, e := range r.Events {
		dst = binary.AppendVarint(dst, e.Arrived-last)
		dst = binary.AppendUvarint(dst, uint64(e.ReadLag))
		dst = binary.AppendUvarint(dst, uint64(e.packed))
		last = e.Arrived
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.Marks)))
	last = 0
	for _, m := range r.Marks {
		dst = append(dst, byte(m.Kind))
		dst = binary.AppendVarint(dst, m.T-last)
		last = m.T
	}
	return binary.AppendVarint(dst, int64(r.Dropped))
}

// stamps are the fields that may be None, in the order of the codec.
func (r *Record) stamps() [17]*int64 {
	return [...]*int64{
		&r.Due, &r.Free, &r.Released, &r.Ready, &r.Sent, &r.Written,
		&r.First, &r.FirstOutput, &r.Last, &r.Ended,
		&r.DNS, &r.Connect, &r.TLS, &r.TTFB,
		&r.RTT,
		&r.Handover,
		&r.RetryAfter,
	}
}

// counts are the numbers that are small and may be NoCount, in the order of
// the codec.
func (r *Record) counts() [12]*int {
	return [...]*int{
		&r.HTTPStatus, &r.WantInput, &r.WantOutput, &r.Input, &r.Output,
		&r.Cached, &r.ReasoningCount,
		&r.Turns,
		&r.Images, &r.AudioMS, &r.MediaBytes,
		&r.Items,
	}
}

// appendStamp writes None as one byte: one more than the zigzag of None, the
// least of all values, is zero.
func appendStamp(dst []byte, v int64) []byte {
	zigzag := uint64(v)<<1 ^ uint64(v>>63)
	return binary.AppendUvarint(dst, zigzag+1)
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
