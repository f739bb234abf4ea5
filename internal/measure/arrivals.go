package measure

// What was really sent: the instants at which requests left the client.

import "assay/internal/record"

// A Departure is one request of the population on its way out.
type Departure struct {
	Seq uint64 // by the schedule: of a session its number
	Due int64  // by its record; in closed loop when it could leave
	// Left is when the last of it that only the client decides was done: sent,
	// less the opening of a connection, which is the network's and the
	// server's; released where no connection came to be.
	Left int64
}

// left is None when the request was never released.
func left(r *record.Record) int64 {
	if r.Released == record.None || r.Sent == record.None || r.Ready == record.None {
		return r.Released
	}
	return r.Released + (r.Sent - r.Ready)
}

// Departures lists the requests of one stream that left, or of all where the
// name is "", in the order in which they could leave. Later turns of sessions
// are not among them: replies decide when they go.
func (s *Summary) Departures(stream string) []Departure {
	list := make([]Departure, 0, len(s.rows))
	for i := range s.rows {
		w := &s.rows[i]
		if w.turn > 1 || w.left == record.None || stream != "" && w.stream != stream {
			continue
		}
		d := Departure{w.seq, w.t, w.left}
		if w.turn == 1 {
			d.Seq = record.SessionOf(w.seq)
		}
		list = append(list, d)
	}
	return list
}
