package dispatch

import (
	"strings"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
)

func TestAnAnswerWithAnotherNumberOfVectorsIsAnError(t *testing.T) {
	const vector = `{"object":"embedding","embedding":[0.5]}`
	for _, c := range []struct {
		vectors, answers int
		kind, words      string
	}{
		{2, 2, "", ""},
		{1, 2, record.ErrItems, `want 2 embeddings, got 1: {"data":[` + vector},
		{3, 2, record.ErrItems, "want 2 embeddings, got 3"},
		{0, 2, record.ErrEmpty, "no content"},
	} {
		body := `{"data":[` + strings.TrimSuffix(strings.Repeat(vector+",", c.vectors), ",") + `],"usage":{"prompt_tokens":7,"total_tokens":7}}`
		r := one(t, says(whole("200 OK", "application/json", body)), func(s *Stream) {
			s.Dialect, _ = dialect.Find("embeddings")
			s.Streamed = false
			prepare := s.Prepare
			s.Prepare = func(seq uint64) (Prepared, error) {
				p, err := prepare(seq)
				p.Items, p.Answers, p.WantOutput = 2, c.answers, record.NoCount
				return p, err
			}
		})
		if r.ErrorKind != c.kind || !strings.Contains(r.ErrorMessage, c.words) || (r.Status == record.OK) != (c.kind == "") {
			t.Errorf("%d vectors: %s, %q, %q, want %q", c.vectors, r.Status, r.ErrorKind, r.ErrorMessage, c.kind)
		}
		if r.Items != 2 || r.Output != record.NoCount || r.TokenSource != record.NoSource || r.Input != 7 {
			t.Errorf("%d vectors: %d items, %d tokens in, %d out from %s", c.vectors, r.Items, r.Input, r.Output, r.TokenSource)
		}
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
}
