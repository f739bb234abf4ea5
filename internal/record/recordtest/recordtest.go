// Package recordtest makes records for tests: any record that the codecs
// must carry unchanged, and one sample that could come from a run. It is for
// tests only.
package recordtest

import (
	"math"

	"pgregory.net/rapid"

	"assay/internal/record"
)

// Any draws records of every shape, with extreme values among them. They
// need not be plausible: a codec is not a judge.
func Any() *rapid.Generator[record.Record] {
	return rapid.Custom(func(t *rapid.T) record.Record {
		r := record.New(text(t, "stream"), rapid.Uint64().Draw(t, "seq"))
		r.Session, r.Role = text(t, "session"), text(t, "role")
		r.Turn, r.Worker = count(t, "turn"), count(t, "worker")
		r.Phase = record.Phase(rapid.IntRange(0, 1).Draw(t, "phase"))
		r.Release = record.Release(rapid.IntRange(0, 3).Draw(t, "release"))
		r.URL, r.Endpoint = text(t, "url"), text(t, "endpoint")
		for _, p := range []*int64{
			&r.Due, &r.Free, &r.Released, &r.Ready, &r.Sent, &r.Written, &r.First,
			&r.FirstOutput, &r.Last, &r.Ended, &r.DNS, &r.Connect, &r.TLS, &r.TTFB, &r.RTT, &r.Handover, &r.RetryAfter,
		} {
			*p = stamp(t, "stamp")
		}
		r.Streamed = rapid.Bool().Draw(t, "streamed")
		r.Reused = rapid.Bool().Draw(t, "reused")
		r.Clock = record.Clock(rapid.IntRange(0, 4).Draw(t, "clock"))
		r.Status = record.Status(rapid.IntRange(0, 4).Draw(t, "status"))
		r.ErrorKind, r.ErrorMessage = text(t, "kind"), text(t, "message")
		for _, p := range []*int{
			&r.HTTPStatus, &r.WantInput, &r.WantOutput, &r.Input, &r.Output,
			&r.Cached, &r.ReasoningCount, &r.Turns, &r.Images, &r.AudioMS, &r.MediaBytes, &r.Items, &r.Unstamped, &r.Dropped,
		} {
			*p = count(t, "count")
		}
		r.InputSource = record.TokenSource(rapid.IntRange(0, 5).Draw(t, "input source"))
		r.TokenSource = record.TokenSource(rapid.IntRange(0, 5).Draw(t, "token source"))
		r.FinishReason, r.RequestID = text(t, "finish"), text(t, "id")
		copy(r.BodySHA256[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sha"))
		r.Events = rapid.SliceOfN(rapid.Custom(event), 0, 30).Draw(t, "events")
		r.Marks = rapid.SliceOfN(rapid.Custom(mark), 0, 10).Draw(t, "marks")
		return r
	})
}

func event(t *rapid.T) record.Event {
	at := stamp(t, "arrived")
	return record.NewEvent(at, at+rapid.Int64Range(-1000, math.MaxUint32).Draw(t, "lag"),
		record.Kind(rapid.IntRange(0, 9).Draw(t, "kind")),
		rapid.IntRange(0, 1<<25).Draw(t, "tokens"), rapid.Bool().Draw(t, "stamped"))
}

func mark(t *rapid.T) record.Mark {
	return record.Mark{Kind: record.Kind(rapid.IntRange(0, 8).Draw(t, "kind")), T: stamp(t, "t")}
}

func stamp(t *rapid.T, label string) int64 {
	return rapid.OneOf(
		rapid.Just(record.None),
		rapid.Int64Range(0, 600e9),
		rapid.SampledFrom([]int64{0, -1, math.MaxInt64, math.MinInt64 + 1}),
		rapid.Int64(),
	).Draw(t, label)
}

func count(t *rapid.T, label string) int {
	return int(rapid.OneOf(
		rapid.Just(int32(record.NoCount)), rapid.Int32Range(0, 5000), rapid.Int32(),
	).Draw(t, label))
}

func text(t *rapid.T, label string) string {
	return rapid.OneOf(rapid.Just(""), rapid.String()).Draw(t, label)
}

// Sample is a record of a streamed chat request that went well: sent at 1 s,
// a role at 1.2 s, 20 tokens from 1.25 s in gaps of 10 ms, and an end marker.
func Sample() record.Record {
	const ms = 1_000_000
	r := record.New("main", 41)
	r.Worker, r.Phase, r.Release = 3, record.Measured, record.AtDue
	r.URL, r.Endpoint, r.Streamed = "http://127.0.0.1:8000/v1/chat/completions", "chat", true
	r.Due, r.Free, r.Released = 1000*ms, 1000*ms, 1000*ms+40_000
	r.Ready, r.Sent, r.Written = r.Released+1000, r.Released+2000, r.Released+9000
	r.Reused, r.Clock, r.Status = true, record.Kernel, record.OK
	r.TTFB, r.RTT, r.Handover, r.HTTPStatus = 199*ms, 80_000, 6500, 200
	r.WantInput, r.WantOutput, r.Input, r.Output = 550, 20, 550, 20
	r.InputSource, r.TokenSource = record.FromUsage, record.FromUsage
	r.FinishReason, r.RequestID = "length", "assay-main-41"
	for i := range r.BodySHA256 {
		r.BodySHA256[i] = byte(i)
	}
	r.Marks = append(r.Marks, record.Mark{Kind: record.Role, T: 1200 * ms})
	for i := range int64(20) {
		at := (1250 + 10*i) * ms
		r.Events = append(r.Events, record.NewEvent(at, at+30_000, record.Text, 1, true))
	}
	r.First, r.FirstOutput, r.Last = r.Events[0].Arrived, r.Events[0].Arrived, r.Events[19].Arrived
	r.Ended = r.Last + 2*ms
	r.Marks = append(r.Marks, record.Mark{Kind: record.Finish, T: r.Last + ms}, record.Mark{Kind: record.End, T: r.Last + ms})
	return r
}
