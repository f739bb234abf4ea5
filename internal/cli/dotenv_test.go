package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDotEnvReadsWhatShellsRead(t *testing.T) {
	text := lines(
		"# keys", "", "A=1", "export B = two ", "C='$x # \\n'", `D="a\"b\\c\nd \$x"  # note`, "E=plain # note", "F=", "G=a#b", "H=\"#\"\r",
	)
	want := [][2]string{{"A", "1"}, {"B", "two"}, {"C", `$x # \n`}, {"D", "a\"b\\c\nd $x"}, {"E", "plain"}, {"F", ""}, {"G", "a#b"}, {"H", "#"}}
	got, err := parseDotEnv(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("parseDotEnv (-want +got):\n%s", d)
	}
}

func TestDotEnvNamesTheLineAndNeverTheValue(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A=1\nsecret-without-name", "2: not NAME=VALUE"},
		{"1A=hunter2", "1: not NAME=VALUE"},
		{"A='hunter2", "1: A: the quote is not closed"},
		{"A=\"x\" hunter2", "1: A: something follows the closing quote"},
	} {
		_, err := parseDotEnv(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("parseDotEnv(%q) = %v, want %q", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("parseDotEnv(%q) shows the value", c.text)
		}
	}
}

func TestTheEnvironmentWinsOverDotEnv(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(path, []byte("ASSAY_TEST_SET=file\nASSAY_TEST_UNSET=file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_TEST_SET", "environment")
	t.Setenv("ASSAY_TEST_UNSET", "") // so that it is put back after the test
	os.Unsetenv("ASSAY_TEST_UNSET")
	if err := loadDotEnv(path); err != nil {
		t.Fatal(err)
	}
	if got := os.Getenv("ASSAY_TEST_SET"); got != "environment" {
		t.Errorf("a variable that was set is %q, want %q", got, "environment")
	}
	if got := os.Getenv("ASSAY_TEST_UNSET"); got != "file" {
		t.Errorf("a variable that was not set is %q, want %q", got, "file")
	}
	if err := loadDotEnv(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Errorf("loadDotEnv without a file = %v, want nil", err)
	}
}
