package record

import "testing"

func TestAnEventSharesItsReadWithWhatCameAfterItNotBefore(t *testing.T) {
	r := New("main", 0)
	r.Marks = []Mark{{Kind: Role, T: 100}, {Kind: Usage, T: 400}, {Kind: End, T: 450}}
	for _, at := range []int64{100, 200, 200, 300, 400} { // the second and third share a read
		r.Events = append(r.Events, NewEvent(at, at+5, Text, 1, true))
	}
	want := []bool{false, true, false, false, true} // the last shares one with the usage
	for i := range r.Events {
		if got := r.SharesRead(i); got != want[i] {
			t.Errorf("SharesRead(%d) = %v, want %v", i, got, want[i])
		}
	}
	if got := r.Coalesced(); got != 2 {
		t.Errorf("Coalesced() = %d, want 2", got)
	}
}
