package record

import "testing"

func TestATerminalObeysNothingThatAStrangerWrote(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é and 漢字\nnext\tline": "plain, é and 漢字\nnext\tline",
		"a\x1b[2Jb":                   `a\x1b[2Jb`,
		"\x1b]0;title\x07":            `\x1b]0;title\x07`,
		"a\rb":                        `a\x0db`,
		"\u009b31m":                   `\x9b31m`,
		"a\u202eb\u2066c":             `a\u202eb\u2066c`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}
