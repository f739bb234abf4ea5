//go:build unix

package fleet

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alive tells whether a process is there and not merely unburied.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(after, []byte("Z"))
}

func TestWorkersEndWhenTheCoordinatorIsKilled(t *testing.T) {
	roles := []string{"echo"} // notices the end of its input
	if runtime.GOOS == "linux" {
		roles = append(roles, "stubborn", "spin") // notice nothing: the kernel ends them
	}
	for _, name := range roles {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), role+"=coordinator", children+"="+name)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		cmd.Process.Kill()
		cmd.Wait()
		if err != nil {
			t.Fatalf("%s: the coordinator did not say its workers: %v", name, err)
		}
		for _, field := range strings.Fields(line) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			for limit := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(time.Millisecond) {
				if time.Now().After(limit) {
					t.Errorf("%s: worker %d outlived its coordinator", name, pid)
					syscall.Kill(pid, syscall.SIGKILL)
					break
				}
			}
		}
	}
}
