// SI text: large numbers for people to read, never to be read back.

package unit

import (
	"math"
	"strconv"
)

// SI returns x with three significant digits and a prefix: 12.3k, 1.5M, 999.
// Below a thousand there is no prefix: 0.0123 stays as it is. A value that
// is not finite is "-".
func SI(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	const prefixes = "kMGTPE"
	p := -1
	y := threeDigits(x)
	for math.Abs(y) >= 1000 && p+1 < len(prefixes) {
		// Divided before rounding again, so that 999,950 becomes 1M, not 1000k.
		p++
		y = threeDigits(x / math.Pow10(3*(p+1)))
	}
	text := strconv.FormatFloat(y, 'f', -1, 64)
	if p >= 0 {
		text += prefixes[p : p+1]
	}
	return text
}

// threeDigits rounds to three significant digits; whole numbers below a
// thousand keep all of theirs.
func threeDigits(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return y
}
