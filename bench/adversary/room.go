//go:build linux

package main

// Where the trials take place: mounts, a network and control groups of this
// program's own. What can't be had here makes its kinds of adversity
// impossible, and the table says so.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	insideMark = "ASSAY_ADVERSARY_ROOM"
	ownMark    = "own"
	sharedMark = "shared"
	roomFlags  = unix.CLONE_NEWNS | unix.CLONE_NEWNET
)

func ownRoom(flags uintptr) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Cloneflags: flags, Pdeathsig: syscall.SIGTERM}
}

// errImpossible is what an adversity says that this machine does not allow.
var errImpossible = errors.New("not possible here")

// A room is what every trial needs.
type room struct {
	assay string
	tmp   string
	own   bool // mounts and network are ours
	cpus  []int
	notes []string
}

// furnish prepares the room.
func furnish(assay string) (*room, error) {
	r := &room{own: os.Getenv(insideMark) == ownMark}
	var err error
	if r.assay, err = filepath.Abs(assay); err != nil {
		return nil, err
	}
	if _, err := os.Stat(r.assay); err != nil {
		return nil, fmt.Errorf("%w: `make build` makes it", err)
	}
	if r.own {
		if err := settleIn(); err != nil {
			return nil, err
		}
	}
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("read the affinity mask: %w", err)
	}
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			r.cpus = append(r.cpus, cpu)
		}
	}
	r.tmp, err = os.MkdirTemp("", "assay-adversary-")
	return r, err
}

// settleIn keeps mounts from spreading and brings the loopback up.
func settleIn() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("bring the loopback up: %w", err)
	}
	return nil
}

func (r *room) leave() { os.RemoveAll(r.tmp) }

// note keeps what limits all trials, once.
func (r *room) note(text string) {
	for _, n := range r.notes {
		if n == text {
			return
		}
	}
	r.notes = append(r.notes, text)
}

// says is the machine, and what limits the trials on it.
func (r *room) says() string {
	text := fmt.Sprintf("%d cores, %s/%s\n", len(r.cpus), runtime.GOOS, runtime.GOARCH)
	for _, n := range r.notes {
		text += n + "\n"
	}
	return text
}

// group makes a control group of a controller of version 1, below this
// process's own, and writes its settings.
func group(controller string, settings map[string]string) (path string, remove func(), err error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", errImpossible, err)
	}
	for line := range strings.Lines(string(own)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || parts[1] != controller {
			continue
		}
		path, err = os.MkdirTemp(filepath.Join("/sys/fs/cgroup", controller, parts[2]), "assay-adversary-")
		if err != nil {
			return "", nil, fmt.Errorf("%w: %w", errImpossible, err)
		}
		remove = func() { empty(path) }
		for name, value := range settings {
			if err := os.WriteFile(filepath.Join(path, name), []byte(value), 0); err != nil {
				remove()
				return "", nil, fmt.Errorf("%w: %w", errImpossible, err)
			}
		}
		return path, remove, nil
	}
	return "", nil, fmt.Errorf("%w: no control groups (version 1) for %s", errImpossible, controller)
}

// empty ends what is still in a group (a killed client's workers have a moment
// to live), and removes it.
func empty(path string) {
	for range 50 {
		if os.Remove(path) == nil {
			return
		}
		pids, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		for field := range strings.FieldsSeq(string(pids)) {
			if pid, err := strconv.Atoi(field); err == nil {
				_ = unix.Kill(pid, unix.SIGKILL) // it may have ended
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// join moves a process into a group.
func join(path string, pid int) error {
	return os.WriteFile(filepath.Join(path, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
}
