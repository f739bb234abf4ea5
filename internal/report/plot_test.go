package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Four lines of eight parts: 1 of 8 is four parts, half a character; 8 fills all.
func TestAPlotShowsHeightsOnOneScaleAndMarksTheWindow(t *testing.T) {
	phases := []Phase{{"-3s", []float64{1, 1, 1, 1, 1, 1}}, {"0s", []float64{0, 8, 4, 0.01, 5, 0, 0, 2}}}
	want := []string{
		"8.00 │      ╎ █",
		"     │      ╎ █  ▄",
		"     │      ╎ ██ █",
		"     │▄▄▄▄▄▄╎ ██▁█  █",
		"   0 └──────┴────────",
		"      -3s    0s   20s",
	}
	if diff := cmp.Diff(want, BlockPen.Plot(phases, "20s")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want = []string{
		"8.00 |      : #",
		"     |      : #  :",
		"     |      : ## #",
		"     |::::::: ##.#  #",
		"   0 +------+--------",
		"      -3s    0s   20s",
	}
	if diff := cmp.Diff(want, ASCIIPen.Plot(phases, "20s")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMarksThatWouldTouchLeaveTheEarlierOut(t *testing.T) {
	phases := []Phase{{"-500ms", []float64{1, 1}}, {"0s", []float64{1, 1, 1, 1, 1, 1}}}
	lines := BlockPen.Plot(phases, "2s")
	if got, want := lines[len(lines)-1], "         0s  2s"; got != want {
		t.Errorf("marks %q, want %q", got, want)
	}
}

func TestAPlotOfNothingIsFlat(t *testing.T) {
	got := strings.Join(ASCIIPen.Plot([]Phase{{"0s", []float64{0, 0, 0, 0, 0}}}, "1s"), "\n")
	if want := "0 |\n  |\n  |\n  |\n0 +-----\n   0s 1s"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The bar of the fullest range is 16 long; a half of it 8; what is hardly there is seen.
func TestAHistogramGivesEachRangeItsShare(t *testing.T) {
	ranges := []Range{{1, 1, 1000}, {2, 3, 500}, {4, 1007, 1}}
	got := BlockPen.Histogram(ranges)
	if len(got) != len(ranges) {
		t.Fatalf("got %q, want a line a range", got)
	}
	for i, w := range []struct{ bar, share string }{{"████████████████", "66.6%"}, {"████████", "33.3%"}, {"▏", "0.07%"}} {
		fields := strings.Fields(got[i])
		if n := len(fields); fields[n-2] != w.bar || fields[n-1] != w.share {
			t.Errorf("line %d is %q, want the bar %q and the share %s", i, got[i], w.bar, w.share)
		}
	}
	if got := ASCIIPen.Histogram(ranges[:2]); !strings.Contains(got[0], strings.Repeat("#", 16)) || !strings.Contains(got[1], " ######## ") {
		t.Errorf("got %q", got)
	}
}

func TestBlocksStandBesideEachOtherWhateverTheirLengths(t *testing.T) {
	got := Beside([]string{"█a", "b"}, []string{"1", "2", "3"}, 2)
	if diff := cmp.Diff([]string{"█a  1", "b   2", "    3"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
