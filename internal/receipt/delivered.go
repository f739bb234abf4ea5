package receipt

// delivered: requests released ÷ due. A client that did not send what the
// schedule says has measured another load.

import "fmt"

func delivered(e *Evidence, l Limits) Receipt {
	r := blank("delivered", "fraction")
	r.bound(l.Delivered)
	due := e.due()
	if due == 0 {
		r.Note = "no request was due"
		return r
	}
	r.Value = float64(e.released) / float64(due)
	if r.Status = Broken; r.Value > l.Delivered.Value || e.released == due {
		r.Status = Holds
	}
	if e.released < due {
		r.Note = fmt.Sprintf("%d of %d were never released", due-e.released, due)
	}
	return r
}
