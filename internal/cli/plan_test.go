package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/report"
)

func TestTheFirstVariableThatIsSetSaysWhatTheTerminalCanShow(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want report.Pen
	}{
		{map[string]string{"LANG": "de_DE.UTF-8"}, report.BlockPen},
		{map[string]string{"LC_CTYPE": "C.utf8", "LANG": "C"}, report.BlockPen},
		{map[string]string{"LC_ALL": "POSIX", "LC_CTYPE": "en_US.UTF-8", "LANG": "en_US.UTF-8"}, report.ASCIIPen},
		{map[string]string{"LANG": "en_US.ISO-8859-1"}, report.ASCIIPen},
	} {
		got := penOf(func(name string) string { return c.env[name] })
		if !cmp.Equal(got, c.want, cmp.AllowUnexported(report.Pen{})) {
			t.Errorf("%v: the pen is %v, want %v", c.env, got, c.want)
		}
	}
}
