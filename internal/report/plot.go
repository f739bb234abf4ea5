package report

// Small drawings of characters, for numbers over time and for distributions:
// what a shape looks like is seen at once, and read in numbers beside it.

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A Pen is the characters that a terminal can show.
type Pen struct {
	up, right   []string // from nothing to a whole character, in equal parts
	axis, floor string
	edge, foot  string // between two phases, and where that line meets the floor
	corner      string
	to          string // of a range
}

// Pens for terminals of UTF-8 and of ASCII.
var (
	BlockPen = Pen{
		up:    strings.Split(" ▁▂▃▄▅▆▇█", ""),
		right: strings.Split(" ▏▎▍▌▋▊▉█", ""),
		axis:  "│", floor: "─", edge: "╎", foot: "┴", corner: "└", to: "–",
	}
	ASCIIPen = Pen{
		up:    strings.Split(" .:#", ""),
		right: strings.Split(" #", ""),
		axis:  "|", floor: "-", edge: ":", foot: "+", corner: "+", to: "-",
	}
)

const (
	plotHeight = 4 // lines
	barWidth   = 16
)

// A Phase is a part of a plot: a column for each height, none below 0.
type Phase struct {
	From    string // what stands below its first column
	Heights []float64
}

// Plot draws phases beside one another on one scale from 0 to the highest; end
// stands below the last column. What is not 0 is seen.
func (p Pen) Plot(phases []Phase, end string) []string {
	highest := 0.0
	for _, phase := range phases {
		for _, h := range phase.Heights {
			highest = max(highest, h)
		}
	}
	top := digits(highest)
	label := utf8.RuneCountInString(top)
	var lines []string
	for row := plotHeight - 1; row >= 0; row-- {
		left := strings.Repeat(" ", label)
		if row == plotHeight-1 {
			left = top
		}
		line := left + " " + p.axis
		for i, phase := range phases {
			if i > 0 {
				line += p.edge
			}
			for _, h := range phase.Heights {
				line += p.up[p.filled(h, highest, row)]
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	floor := strings.Repeat(" ", label-1) + "0 " + p.corner
	for i, phase := range phases {
		if i > 0 {
			floor += p.foot
		}
		floor += strings.Repeat(p.floor, len(phase.Heights))
	}
	return append(lines, floor, marks(phases, label+2, end))
}

// filled is how many parts of its character a column fills in a row.
func (p Pen) filled(h, highest float64, row int) int {
	parts := len(p.up) - 1
	if h <= 0 {
		return 0
	}
	whole := max(1, int(math.Round(h/highest*float64(plotHeight*parts))))
	return min(max(whole-row*parts, 0), parts)
}

// marks are the times below the axis, from the end back: where two would touch,
// the window's start says more than the warm-up's.
func marks(phases []Phase, indent int, end string) string {
	var starts []int
	at := indent
	for _, phase := range phases {
		starts = append(starts, at)
		at += len(phase.Heights) + 1
	}
	line := []rune(strings.Repeat(" ", at+1))
	put := func(at int, text string) {
		word := []rune(text)
		around := line[max(0, at-1):min(len(line), at+len(word)+1)]
		if strings.TrimSpace(string(around)) == "" && at+len(word) <= len(line) {
			copy(line[at:], word)
		}
	}
	put(max(indent, at-1-utf8.RuneCountInString(end)), end)
	for i := len(phases) - 1; i >= 0; i-- {
		put(starts[i], phases[i].From)
	}
	return strings.TrimRight(string(line), " ")
}

// A Range is one line of a histogram: whole numbers from From to To.
type Range struct {
	From, To int
	Count    int64
}

// Histogram draws a line for each range, its bar as long as its share of the
// fullest; the share of all stands behind.
func (p Pen) Histogram(ranges []Range) []string {
	var all, most int64
	for _, r := range ranges {
		all += r.Count
		most = max(most, r.Count)
	}
	var t table
	t.align = "rlr"
	for _, r := range ranges {
		name := count(int64(r.From))
		if r.From != r.To {
			name += p.to + count(int64(r.To))
		}
		t.text(name, p.bar(float64(r.Count)/float64(max(most, 1))), percent(float64(r.Count)/float64(max(all, 1))))
	}
	page := &page{}
	t.write(page, "")
	return strings.Split(strings.TrimSuffix(page.b.String(), "\n"), "\n")
}

// bar fills a share of a line; what is not 0 is seen.
func (p Pen) bar(share float64) string {
	parts := len(p.right) - 1
	whole := int(math.Round(share * float64(barWidth*parts)))
	if share > 0 {
		whole = max(whole, 1)
	}
	text := strings.Repeat(p.right[parts], whole/parts)
	if rest := whole % parts; rest > 0 {
		text += p.right[rest]
	}
	return text + strings.Repeat(" ", barWidth-utf8.RuneCountInString(text))
}

// Beside puts two blocks of lines next to each other.
func Beside(left, right []string, gap int) []string {
	width := 0
	for _, l := range left {
		width = max(width, utf8.RuneCountInString(l))
	}
	var lines []string
	for i := range max(len(left), len(right)) {
		var a, b string
		if i < len(left) {
			a = left[i]
		}
		if i < len(right) {
			b = right[i]
		}
		lines = append(lines, strings.TrimRight(a+strings.Repeat(" ", width-utf8.RuneCountInString(a)+gap)+b, " "))
	}
	return lines
}
