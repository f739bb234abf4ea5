package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func countWords(s string) int { return len(strings.Fields(s)) }

func TestASurveyCountsWhatAPrefixCacheWouldKnow(t *testing.T) {
	// Blocks of 10: the second prompt finds 1 and 2 (20 tokens), the third only
	// its first block, the fourth all but its last token.
	s, err := Inspect(holding(`{"timestamp": 0, "input_length": 25, "output_length": 1, "hash_ids": [1, 2, 3]}
{"timestamp": 500, "input_length": 28, "output_length": 3, "hash_ids": [1, 2, 4]}
{"timestamp": 1000, "input_length": 12, "hash_ids": [1, 3]}
{"timestamp": 2000, "input_length": 25, "output_length": 5, "hash_ids": [1, 2, 3]}
{"timestamp": 2000, "input_length": -1}
`), "f", Options{Block: 10}, countWords)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&Sharing{Requests: 4, Blocks: 11, Distinct: 4, Tokens: 20 + 10 + 24, Share: 54.0 / 90}, s.Shared, cmpopts.IgnoreUnexported(Sharing{})); d != "" {
		t.Errorf("shared (-want +got):\n%s", d)
	}
	if *s.Duration != 2 || *s.Rate != 1.5 || s.Unusable != 1 || s.Sessions != 0 || s.MostTurns != 1 {
		t.Errorf("duration %v, rate %v, unusable %d, sessions %d, turns %d", *s.Duration, *s.Rate, s.Unusable, s.Sessions, s.MostTurns)
	}
	want := &Lengths{Count: 3, Mean: 3, Min: 1, P50: 3, P90: 5, P99: 5, Max: 5, Steps: []Step{{1, 1}, {2, 0}, {4, 1}, {8, 1}}}
	if d := cmp.Diff(want, s.Output); d != "" {
		t.Errorf("output (-want +got):\n%s", d)
	}
	if len(s.First) != 3 || s.First[2].Line != 3 {
		t.Errorf("first lines %v", s.First)
	}
}

func TestPercentilesAreNearestRanks(t *testing.T) {
	var c counted
	for i := 200; i >= 1; i-- {
		c.add(i)
	}
	if l := c.lengths(); l.P50 != 100 || l.P90 != 180 || l.P99 != 198 || l.Min != 1 || l.Max != 200 {
		t.Errorf("of 1 to 200: p50 %d, p90 %d, p99 %d, %d to %d", l.P50, l.P90, l.P99, l.Min, l.Max)
	}
}

func TestALongFirstLineIsCutBetweenCharacters(t *testing.T) {
	got := beginning([]byte(strings.Repeat("é", 300)[1:]))
	if want := strings.Repeat("é", 79); !strings.Contains(got, want) || strings.Count(got, "é") != 79 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
}

func TestACompressedFileIsSurveyedAsItsContentAndNotHeld(t *testing.T) {
	content := []byte(clocked(1000, 2000, 2500, 3000) + "no JSON\n")
	want, err := Inspect(holding(string(content)), "f", Options{}, countWords)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Inspect(holding(string(packed(content))), "f", Options{}, countWords)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" || got.Unusable != 1 {
		t.Errorf("(-plain +compressed):\n%s", d)
	}
	for name, broken := range map[string][]byte{
		"f: gzip: the file breaks off after ": half(packed(bytes.Repeat(content, 1000))),
		"f: gzip: gzip: invalid checksum":     flipped(packed(content)),
	} {
		if _, err := Inspect(holding(string(broken)), "f", Options{}, countWords); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

func half(b []byte) []byte { return b[:len(b)/2] }

// flipped has another checksum.
func flipped(packed []byte) []byte {
	packed[len(packed)-8] ^= 1
	return packed
}
