//go:build unix

package rundir

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// alone runs a test again in a process of its own, and tells whether this is
// that process. What `go test` notes of a test, in a file, would meet the limit.
func alone(t *testing.T) bool {
	t.Helper()
	const mark = "ASSAY_TEST_ALONE"
	if os.Getenv(mark) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), mark+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// withoutRoom lets no file of this process become larger than size bytes
// while do runs. Nothing else may run meanwhile.
func withoutRoom(t *testing.T, size uint64, do func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Fatal(err)
		}
	}()
	do()
}
