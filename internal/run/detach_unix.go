//go:build unix

package run

import (
	"os/exec"
	"syscall"
)

// detach keeps a child out of the terminal's process group: Ctrl-C is ours to
// hand on.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
