//go:build linux

package main

// Processes: how they are started, found, and held back.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// spawn starts a command on some CPUs (nil: all) and, if it may, ahead of all
// ordinary processes. It takes a thread of its own for that, which hands its
// settings to the child and then ends.
func spawn(cmd *exec.Cmd, cpus []int, ahead bool) (first bool, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocks: the thread ends with the goroutine
		if err = pin(0, cpus); err != nil {
			return
		}
		if ahead {
			first = goFirst() == nil
		}
		err = cmd.Start()
	}()
	<-done
	return first, err
}

// goFirst puts the calling thread, and what it starts, before every ordinary one.
func goFirst() error {
	priority := int32(1)
	_, _, errno := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_FIFO, uintptr(unsafe.Pointer(&priority)))
	if errno != 0 {
		return errno
	}
	return nil
}

// pin keeps a thread (0: the calling one) on CPUs; nil changes nothing.
func pin(tid int, cpus []int) error {
	if cpus == nil {
		return nil
	}
	var set unix.CPUSet
	for _, c := range cpus {
		set.Set(c)
	}
	if err := unix.SchedSetaffinity(tid, &set); err != nil {
		return fmt.Errorf("pin to CPUs %v: %w", cpus, err)
	}
	return nil
}

// threads are those of a process; none when it is gone.
func threads(pid int) []int {
	return numbers(filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid)))
}

func numbers(names []string, _ error) []int {
	var list []int
	for _, name := range names {
		if n, err := strconv.Atoi(filepath.Base(name)); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// children are the processes that pid's threads have started.
func children(pid int) []int {
	var list []int
	for _, tid := range threads(pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, tid))
		if err != nil {
			continue // a thread that has ended
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}

// spent is the CPU time of a process, in ns; 0 when it is gone.
func spent(pid int) int64 {
	const scheduler = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|scheduler), &t) != nil {
		return 0
	}
	return t.Nano()
}

// hog is a busy loop of the shell, with a niceness, on some CPUs. It looks
// now and then whether this program still lives.
func hog(nice int, cpus []int) (stop func(), err error) {
	cmd := exec.Command("sh", "-c", "while [ -d /proc/$1 ]; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done",
		"sh", strconv.Itoa(os.Getpid()))
	if _, err := spawn(cmd, cpus, false); err != nil {
		return nil, err
	}
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	if err := unix.Setpriority(unix.PRIO_PROCESS, cmd.Process.Pid, nice); err != nil {
		stop()
		return nil, fmt.Errorf("%w: niceness %d: %w", errImpossible, nice, err)
	}
	return stop, nil
}

// hogs are so many.
func hogs(n, nice int, cpus []int) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	for range n {
		s, err := hog(nice, cpus)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, s)
	}
	return stop, nil
}

// workersOf waits until the coordinator has all its workers.
func workersOf(done <-chan struct{}, coordinator, n int) []int {
	for {
		if list := children(coordinator); len(list) >= n {
			return list
		}
		if !rest(done, 5*time.Millisecond) {
			return nil
		}
	}
}

// rest sleeps, and tells whether there is any reason to go on.
func rest(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return false
	case <-time.After(d):
		return true
	}
}
