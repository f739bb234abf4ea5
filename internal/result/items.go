package result

import (
	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/measure"
)

// Items is what the answers of a stream are counted in where they are no text.
// The rate is of requests that ended inside the window.
type Items struct {
	Stream  string      `json:"stream"`
	Measure string      `json:"measure"` // "embeddings", "documents", "texts", …
	Count   int64       `json:"count"`   // of the requests of the window that succeeded
	Mean    *float64    `json:"mean"`    // of such a request
	Rate    *float64    `json:"rate"`    // per second
	RateCI  [2]*float64 `json:"rate_ci"`
}

func (b *builder) items() []Items {
	var list []Items
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		d := dialectOf(s)
		if !d.Textless() {
			continue
		}
		f := measure.Filter{Conditions: []measure.Condition{{Field: "stream", Op: "=", Text: s.Name}}}
		one := Items{Stream: s.Name, Measure: string(d.Measures), Count: b.s.Items(f)}
		if ok := b.s.Counts(f).OK; ok > 0 {
			one.Mean = number(float64(one.Count) / float64(ok))
		}
		if b.w.Seconds() > 0 {
			rate := b.s.Rate("item_rate", f)
			one.Rate, one.RateCI = number(rate.Point), interval(rate)
		}
		list = append(list, one)
	}
	return list
}

// textless tells whether no stream's answers are text.
func (b *builder) textless() bool {
	for i := range b.c.Streams {
		if d := dialectOf(&b.c.Streams[i]); !d.Textless() {
			return false
		}
	}
	return true
}

func dialectOf(s *contract.Stream) dialect.Dialect {
	d, _ := dialect.Find(s.Target.Endpoint)
	return d
}
