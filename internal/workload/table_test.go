// Lengths that come in pairs are drawn in pairs, as often as they weigh.
package workload

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func paired(t testing.TB, list []Pair, files fstest.MapFS) *Source {
	t.Helper()
	s, err := New(Spec{Lengths: list}, 7, "main", files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The wanted draws come from a separate program in another language.
func TestPairsOfLengthsAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	weighted := paired(t, []Pair{{Input: 1, Output: 10, Weight: 3}, {Input: 2, Output: 20, Weight: 0.5}, {Input: 3, Output: 30}, {Input: 4, Output: 40, Weight: 6}}, nil)
	even := paired(t, []Pair{{Input: 1, Output: 10}, {Input: 2, Output: 20}, {Input: 3, Output: 30}, {Input: 4, Output: 40}}, nil)
	for _, c := range []struct {
		name string
		s    *Source
		want []int
	}{
		{"weights 3, 0.5, 1, 6", weighted, []int{0, 2, 3, 0, 0, 3, 3, 3, 0, 3, 0, 3}},
		{"equal weights", even, []int{3, 3, 0, 3, 2, 3, 2, 2, 1, 0, 2, 2}},
	} {
		for n, i := range c.want {
			if in, out := c.s.Lengths(uint64(n)); in != i+1 || out != 10*in {
				t.Errorf("%s: request %d has %d tokens in and %d out, want %d and %d", c.name, n, in, out, i+1, 10*(i+1))
			}
		}
	}
}

// Counts of 100,000 draws, seed 7: chi-square with 3 degrees of freedom exceeds
// 31 with p < 1e-6.
func TestPairsComeAsOftenAsTheyWeigh(t *testing.T) {
	const n = 100_000
	for _, weights := range [][]float64{{3, 0.5, 1, 6}, {1, 1, 1, 1}, {1, 1, 2, 1}} {
		var list []Pair
		total := 0.0
		for i, w := range weights {
			list = append(list, Pair{Input: i + 1, Output: 100 - i, Weight: w})
			total += w
		}
		s := paired(t, list, nil)
		counts := make([]float64, len(weights))
		for i := range uint64(n) {
			in, out := s.Lengths(i)
			if out != 101-in {
				t.Fatalf("request %d: %d in with %d out: no pair of the list", i, in, out)
			}
			counts[in-1]++
		}
		chi := 0.0
		for i, w := range weights {
			want := n * w / total
			chi += (counts[i] - want) * (counts[i] - want) / want
		}
		if chi > 31 {
			t.Errorf("weights %v: counts %v, chi-square %.1f, want < 31", weights, counts, chi)
		}
		if got, want := s.table.below(3), (weights[0]+weights[1])/total; math.Abs(got-want) > 1e-12 {
			t.Errorf("weights %v: share below 3 tokens = %v, want %v", weights, got, want)
		}
	}
}

func TestAFileOfLengthsIsAListOfPairs(t *testing.T) {
	for name, text := range map[string]string{
		"plain":            "input_tokens,output_tokens,weight\n10,20,1\n30,40,2.5\n",
		"order and others": "when, output_tokens, weight, input_tokens\n9:00, 20, 1, 10\n9:01, 40, 2.5, 30\n",
		"from a PC":        "\ufeffinput_tokens,output_tokens,weight\r\n10,20,1\r\n30,40,2.5\r\n\r\n",
		"quoted":           "\"input_tokens\",\"output_tokens\",\"weight\"\n\"10\",\"20\",\"1\"\n30,40,2.5",
	} {
		got := paired(t, []Pair{{File: "l.csv"}}, fstest.MapFS{"l.csv": {Data: []byte(text)}}).table
		want := &table{in: []int32{10, 30}, out: []int32{20, 40}, sums: []float64{1, 3.5}}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(table{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	same := paired(t, []Pair{{File: "l.csv"}}, fstest.MapFS{"l.csv": {Data: []byte("input_tokens,output_tokens\n10,20\n30,40\n")}})
	if same.table.sums != nil {
		t.Error("lengths without weights keep sums of them")
	}
}

func TestLengthsThatCannotBeDrawnAreRefusedAndTheirPlaceIsTold(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "no lengths"},
		{"input_tokens,output_tokens\n", "no lengths"},
		{"input,output\n1,2\n", "no column input_tokens"},
		{"input_tokens\n1\n", "no column output_tokens"},
		{"input_tokens,output_tokens\n1,2\nx,2\n", `l.csv:3: "x"`},
		{"input_tokens,output_tokens\n1.5,2\n", `l.csv:2: "1.5"`},
		{"input_tokens,output_tokens\n0,2\n", "l.csv:2: input 0"},
		{"input_tokens,output_tokens\n1,99999999\n", "l.csv:2: output 99999999"},
		{"input_tokens,output_tokens\n1,2,3\n", "line 2"},
		{"input_tokens,output_tokens,weight\n1,2,0\n", `"0" is not a weight`},
		{"input_tokens,output_tokens,weight\n1,2,-1\n", `"-1" is not a weight`},
		{"input_tokens,output_tokens,weight\n1,2,Inf\n", "weight +Inf"},
		{"input_tokens,output_tokens,weight\n1,2,NaN\n", `"NaN" is not a weight`},
	} {
		_, err := New(Spec{Lengths: []Pair{{File: "l.csv"}}}, 1, "main", fstest.MapFS{"l.csv": {Data: []byte(c.text)}}, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want an error with %q", c.text, err, c.says)
		}
	}
	for _, c := range []struct {
		list []Pair
		at   int
	}{
		{nil, -1},
		{[]Pair{{Input: 1, Output: 1}, {Input: 0, Output: 1}}, 1},
		{[]Pair{{Input: 1, Output: 1, Weight: -1}}, 0},
		{[]Pair{{Input: 1, Output: 1, Weight: math.Inf(1)}}, 0},
		{[]Pair{{Input: 1, Output: MaxTokens + 1}}, 0},
		{[]Pair{{File: "l.csv", Weight: 1}}, 0},
		{[]Pair{{Input: 1, Output: 1}, {File: "l.csv"}}, 1},
	} {
		if at, err := CheckPairs(c.list); err == nil || at != c.at {
			t.Errorf("CheckPairs(%+v) = %d, %v, want an error of element %d", c.list, at, err, c.at)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add("input_tokens,output_tokens,weight\n10,20,1\n30,40,2.5\n")
	f.Add("\ufeffoutput_tokens,input_tokens\r\n\"1\",2\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := readTable(fstest.MapFS{"l.csv": {Data: []byte(text)}}, "l.csv")
		if err != nil {
			return
		}
		if len(table.in) == 0 || len(table.in) != len(table.out) || table.sums != nil && len(table.sums) != len(table.in) {
			t.Fatalf("%d inputs, %d outputs, %d sums", len(table.in), len(table.out), len(table.sums))
		}
		last := 0.0
		for i := range table.in {
			if table.in[i] < 1 || table.in[i] > MaxTokens || table.out[i] < 1 || table.out[i] > MaxTokens {
				t.Fatalf("pair %d: %d, %d", i, table.in[i], table.out[i])
			}
			if table.sums != nil {
				if !(table.sums[i] >= last) || math.IsInf(table.sums[i], 0) {
					t.Fatalf("sum %d is %v after %v", i, table.sums[i], last)
				}
				last = table.sums[i]
			}
		}
	})
}
