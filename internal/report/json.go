package report

import (
	"io"

	"assay/internal/result"
)

// JSON is the form for programs: the bytes of result.json.
func JSON(w io.Writer, r *result.Result, _ Options) error {
	b, err := result.Encode(r)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
