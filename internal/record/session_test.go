package record_test

import (
	"math"
	"testing"

	"assay/internal/record"
)

func TestEveryRequestOfASessionHasANumberOfItsOwn(t *testing.T) {
	if got := record.SeqOf(42, 3); got != 42003 {
		t.Errorf("request 3 of session 42 has number %d, want 42003", got)
	}
	seen := map[uint64]bool{}
	for n := range uint64(3) {
		for turn := range record.MaxTurns {
			seq := record.SeqOf(n, turn)
			if seen[seq] || record.SessionOf(seq) != n {
				t.Fatalf("request %d of session %d has number %d of session %d", turn, n, seq, record.SessionOf(seq))
			}
			seen[seq] = true
		}
	}
}

func TestARecordOfASessionSaysHowManyItWasToHave(t *testing.T) {
	for _, c := range []struct {
		session     string
		turn, turns int
		ok          bool
	}{
		{"", 1, 0, true}, {"7", 1, 1, true}, {"7", 3, 3, true}, {"7", 1, record.MaxTurns, true},
		{"7", 1, 0, false}, {"", 1, 1, false}, {"7", 4, 3, false}, {"7", 1, record.MaxTurns + 1, false}, {"7", 1, math.MinInt, false},
	} {
		r := record.New("main", 0)
		r.Session, r.Turn, r.Turns = c.session, c.turn, c.turns
		if err := r.Check(); (err == nil) != c.ok {
			t.Errorf("session %q, turn %d of %d: %v", c.session, c.turn, c.turns, err)
		}
	}
}
