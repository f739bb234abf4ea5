package cli

import (
	"os"

	"golang.org/x/term"
)

// isTerminal tells whether a person is at this end of a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// wantsColor follows NO_COLOR (no-color.org) and dumb terminals.
func wantsColor(stream any) bool {
	return isTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// widthOf is the number of columns of a terminal, 80 where it does not say.
func widthOf(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
