package result

import (
	"testing"

	"assay/internal/contract"
	"assay/internal/observation"

	"github.com/google/go-cmp/cmp"
)

func TestWhatWasLeftOutOfAFileIsToldOfEachStream(t *testing.T) {
	b := &builder{
		c: &contract.Contract{Files: map[string]string{"a.csv": "sha256:aa"}},
		log: readLog([]observation.Observation{
			{Kind: observation.KindFile, File: &observation.File{Stream: "one", Name: "a.csv", Format: "azure_trace", Requests: 7, Units: 7, Unusable: 2, Reasons: []string{"a.csv:3: no", "a.csv:5: no"}}},
			{Kind: observation.KindFile, File: &observation.File{Stream: "two", Name: "old.jsonl", Format: "sharegpt", Requests: 5, Units: 2}},
		}),
	}
	want := []File{
		{Stream: "one", Name: "a.csv", Format: "azure_trace", Digest: "sha256:aa", Requests: 7, Units: 7, Unusable: 2, Reasons: []string{"a.csv:3: no", "a.csv:5: no"}},
		{Stream: "two", Name: "old.jsonl", Format: "sharegpt", Requests: 5, Units: 2, Reasons: []string{}},
	}
	if d := cmp.Diff(want, b.files()); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}
