// Files of times: formats, parts, speed, and what is refused.

package arrival

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestATraceIsReadFromCSVAndJSONLines(t *testing.T) {
	want := []int64{0, 500 * ms, 1250 * ms}
	for name, c := range map[string]struct {
		text string
		p    Parameters
	}{
		"seconds":              {"timestamp,tokens\n10,5\n10.5,6\n11.25,7\n", Parameters{}},
		"milliseconds, a name": {"id,when\na,10000\nb,10500\nc,11250\n", Parameters{Time: "when", Unit: "ms"}},
		"since 1970":           {"Timestamp\n1700000000.000000000\n1700000000.5\n1700000001.250000000\n", Parameters{}},
		"dates":                {"TIMESTAMP,ContextTokens\n2023-11-16 18:15:46.0000000,374\n2023-11-16 18:15:46.5000000,396\n2023-11-16 18:15:47.25,879\n", Parameters{}},
		"dates with zones":     {"time\n2023-11-16T18:15:46Z\n2023-11-16T19:15:46.5+01:00\n2023-11-16T18:15:47.25Z\n", Parameters{}},
		"lines of JSON":        {"{\"timestamp\": 10000, \"input_length\": 5}\n\n{\"timestamp\": 10500}\r\n{\"x\": {\"time\": 1}, \"timestamp\": \"11250\"}", Parameters{Unit: "ms"}},
		"any order":            {"time\n11.25\n10\n10.5\n", Parameters{}},
		"a mark and CRLF":      {"\ufefftime,x\r\n10,1\r\n1.05e1,2\r\n11.25,3\r\n", Parameters{}},
		"twice as fast":        {"time\n10\n11\n12.5\n", Parameters{Speedup: 2}},
		"a part":               {"time\n0\n10\n10.5\n11.25\n12\n", Parameters{Start: seconds(10), End: seconds(12)}},
	} {
		c.p.File = "f"
		got, err := Read(file(c.text), Spec{Shape: Trace, Parameters: c.p})
		if err != nil || !cmp.Equal(want, got.Times) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
}

func TestASeriesIsReadWithItsRates(t *testing.T) {
	for _, text := range []string{"time,rate\n5,40\n6,0\n8,2.5\n", "{\"t\": 5, \"rate\": 40}\n{\"t\": 6, \"rate\": 0}\n{\"t\": 8, \"rate\": 2.5}\n"} {
		got, err := Read(file(text), Spec{Shape: Series, Parameters: Parameters{File: "f"}})
		if want := (&Recorded{[]int64{0, sec, 3 * sec}, []float64{40, 0, 2.5}}); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestWhatCannotBeReadIsRefusedWithItsLine(t *testing.T) {
	for name, c := range map[string]struct{ shape, text, says string }{
		"no field":          {Trace, "a,b\n1,2\n", "its fields are a, b"},
		"nothing":           {Trace, "", "empty"},
		"names alone":       {Trace, "time\n", "no time"},
		"a word":            {Trace, "time\n1\nsoon\n", `line 3: "soon" is no time`},
		"a huge number":     {Trace, "time\n1\n1e300\n", "line 3"},
		"not a number":      {Trace, "time\nNaN\n", "line 2"},
		"a row too short":   {Trace, "id,time\n1,2\n3\n", "line 3"},
		"half a line":       {Trace, "{\"time\": 1}\n{\"time\": \n", "line 2"},
		"no time on a line": {Trace, "{\"time\": 1}\n{\"x\": 1}\n", "line 2: which field"},
		"nothing there":     {Trace, "{\"time\": null}\n", "line 1"},
		"a negative rate":   {Series, "time,rate\n1,-2\n", "line 2"},
		"no rate":           {Series, "time\n1\n", "value:"},
		"time that stands":  {Series, "time,rate\n1,2\n1,3\n", "line 3: its time is not after"},
		"rates of nothing":  {Series, "time,rate\n1,0\n2,0\n", "all 0"},
		"centuries":         {Trace, "time\n-9e9\n9e9\n", "292 years"},
	} {
		r, err := Read(file(c.text), Spec{Shape: c.shape, Parameters: Parameters{File: "f"}})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "f: ") {
			t.Errorf("%s: got %v, %v, want an error that says %q", name, r, err, c.says)
		}
	}
	if _, err := Read(fstest.MapFS{}, Spec{Shape: Trace, Parameters: Parameters{File: "gone"}}); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(file("time\n1\n2\n"), Spec{Shape: Trace, Parameters: Parameters{File: "f", Start: seconds(5)}}); err == nil || !strings.Contains(err.Error(), "between start and end") {
		t.Errorf("a part with nothing in it: %v", err)
	}
}

// Decimals keep every digit: 1.7e9 seconds in a float64 are good to 0.2 µs.
func TestADecimalTimeKeepsItsNanoseconds(t *testing.T) {
	for text, want := range map[string]int64{
		"1700000000.123456789": 1700000000123456789, "-0.5": -500000000, ".25": 250000000, "3.": 3000000000,
		"0.0000000019": 1, "1e-3": 1000000, "12": 12000000000,
	} {
		if got, err := instant(text, "s"); got != want || err != nil {
			t.Errorf("instant(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "-", "1.2.3", "0x10", "1_0", "inf"} {
		if got, err := instant(text, "s"); err == nil {
			t.Errorf("instant(%q) = %d, want an error", text, got)
		}
	}
}

func TestWhatIsKeptOfAFileGivesTheSameSchedule(t *testing.T) {
	for shape, text := range map[string]string{
		Trace:  "time\n0\n10.3\n10.5\n11.25\n11.999999999\n",
		Series: "time,rate\n5,40\n6,0.1\n8,2.5\n",
	} {
		s := Spec{Shape: shape, Parameters: Parameters{File: "f"}}
		if shape == Trace {
			s.Start, s.Speedup = seconds(10), 3
		}
		var err error
		if s.Recorded, err = Read(file(text), s); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := s.Recorded.CSV(&b); err != nil {
			t.Fatal(err)
		}
		want := slices.Collect(Schedule(s, 1, "main", sec, 20*sec, 0))
		again := s
		if again.Recorded, err = Kept(fstest.MapFS{"kept.csv": {Data: b.Bytes()}}, "kept.csv", s); err != nil {
			t.Fatal(err)
		}
		if got := slices.Collect(Schedule(again, 1, "main", sec, 20*sec, 0)); !cmp.Equal(want, got) || len(want) < 4 {
			t.Errorf("%s: %v, want %v", shape, got, want)
		}
	}
}

// Before the window a trace has the rate of its first stretch as long.
func TestATraceBeginsUnderTheLoadThatItGoesOnWith(t *testing.T) {
	r := &Recorded{}
	for i := range 3000 { // 100/s for 20 s, then 10/s
		at := int64(i) * 10 * ms
		if i >= 2000 {
			at = 20*sec + int64(i-2000)*100*ms
		}
		r.Times = append(r.Times, at)
	}
	s := Spec{Shape: Trace, Parameters: Parameters{File: "f"}, Recorded: r}
	warm, last := 0, int64(-1)
	for due := range Schedule(s, 1, "main", 10*sec, 200*sec, 0) {
		if due.At < last {
			t.Fatalf("request %d is due at %d, after one at %d", due.Seq, due.At, last)
		}
		if last = due.At; !due.Measured {
			warm++
		} else if want := 10*sec + r.Times[int(due.Seq)-warm]; due.At != want {
			t.Fatalf("request %d is due at %d, want %d", due.Seq, due.At, want)
		}
	}
	if math.Abs(float64(warm)-1000) > z*math.Sqrt(1000) {
		t.Errorf("%d requests in the warm-up, want about 1000", warm)
	}
	if got := s.PeakRate(); got != 100 {
		t.Errorf("PeakRate() = %v, want 100", got)
	}
}
