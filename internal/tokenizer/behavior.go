// What becomes of the matches at which a piece is split.

package tokenizer

// A behavior appends the pieces that the spans of a piece make.
type behavior func(dst []string, piece string, spans []span) []string

var behaviors = map[string]behavior{
	"Removed": removed, "Isolated": isolated, "Contiguous": contiguous,
	"MergedWithPrevious": mergedWithPrevious, "MergedWithNext": mergedWithNext,
}

// removed leaves the matches out. One at the beginning leaves an empty piece:
// what follows it does not begin the text.
func removed(dst []string, piece string, spans []span) []string {
	start := 0
	if len(spans) > 0 && spans[0].match {
		dst = append(dst, "")
	}
	for _, s := range spans {
		if !s.match {
			dst = append(dst, piece[start:s.end])
		}
		start = s.end
	}
	return dst
}

// isolated makes a piece of each match.
func isolated(dst []string, piece string, spans []span) []string {
	start := 0
	for _, s := range spans {
		dst = append(dst, piece[start:s.end])
		start = s.end
	}
	return dst
}

// contiguous makes one piece of matches that follow one another.
func contiguous(dst []string, piece string, spans []span) []string {
	start := 0
	for i, s := range spans {
		if i+1 == len(spans) || spans[i+1].match != s.match {
			dst = append(dst, piece[start:s.end])
			start = s.end
		}
	}
	return dst
}

// mergedWithPrevious adds a match to what stands before it; of several in a
// row only the first.
func mergedWithPrevious(dst []string, piece string, spans []span) []string {
	start := 0
	for i, s := range spans {
		follows := i+1 < len(spans) && spans[i+1].match && !s.match
		if !follows {
			dst = append(dst, piece[start:s.end])
			start = s.end
		}
	}
	return dst
}

// mergedWithNext adds a match to what stands after it; of several in a row
// only the last.
func mergedWithNext(dst []string, piece string, spans []span) []string {
	start := 0
	for i, s := range spans {
		leads := s.match && i+1 < len(spans) && !spans[i+1].match
		if !leads {
			dst = append(dst, piece[start:s.end])
			start = s.end
		}
	}
	return dst
}
