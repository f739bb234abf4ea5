//go:build linux

// Command floor is what reading streams costs at the least: one thread, epoll,
// recvmsg with the kernel's receive stamps, and a search for "data:" in what
// came. It keeps each event's stamp and does nothing else a benchmark must do.
// `make bench` holds the client's CPU an event against it, on the same streams
// in the same run.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// options say which streams to read and what part of it to account for.
type options struct {
	port    int
	request string // file with the request as it goes over the wire
	streams int
	seed    uint64
	over    time.Duration // streams are opened at random instants within
	from    time.Duration // the account begins
	span    time.Duration // and is this long
}

// account is what the floor prints.
type account struct {
	Events int   `json:"events"`
	CPU    int64 `json:"cpu_ns"`
	Wakes  int   `json:"wakes"` // returns of epoll
	Reads  int   `json:"reads"`
	Bare   int   `json:"bare"` // reads without a stamp
}

func main() {
	var o options
	flag.IntVar(&o.port, "port", 0, "of the server on 127.0.0.1")
	flag.StringVar(&o.request, "request", "", "file with the request")
	flag.IntVar(&o.streams, "streams", 1000, "")
	flag.Uint64Var(&o.seed, "seed", 1, "of the instants at which streams are opened")
	flag.DurationVar(&o.over, "over", 5*time.Second, "the streams are opened within")
	flag.DurationVar(&o.from, "from", 6*time.Second, "the account begins after")
	flag.DurationVar(&o.span, "span", 8*time.Second, "and is this long")
	flag.Parse()
	got, err := run(o)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(got)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// reader is the loop's state.
type reader struct {
	epoll   int
	request []byte
	stamps  map[int32]*[]int64 // by descriptor: those of each event
	buf     [64 << 10]byte
	vector  unix.Iovec
	message unix.Msghdr
	control [8]uint64
	ready   [1024]unix.EpollEvent
	total   account // since the start
}

func run(o options) (account, error) {
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // a collection could not stop a thread that waits in a raw system call
	request, err := os.ReadFile(o.request)
	if err != nil {
		return account{}, err
	}
	r := &reader{request: request, stamps: map[int32]*[]int64{}}
	r.vector.Base = &r.buf[0]
	r.vector.SetLen(len(r.buf))
	if r.epoll, err = unix.EpollCreate1(0); err != nil {
		return account{}, err
	}
	opens := make([]time.Duration, o.streams)
	random := rand.New(rand.NewPCG(o.seed, 1))
	for i := range opens {
		opens[i] = time.Duration(random.Int64N(int64(o.over)))
	}
	slices.Sort(opens)

	start := time.Now()
	var before account
	begun := false
	for {
		now := time.Since(start)
		for len(opens) > 0 && opens[0] <= now {
			if err := r.open(o.port); err != nil {
				return account{}, err
			}
			opens = opens[1:]
		}
		if !begun && now >= o.from {
			before, begun = r.total, true
			before.CPU = spent()
		}
		if begun && now >= o.from+o.span {
			after := r.total
			after.CPU = spent()
			return after.since(before), nil
		}
		// With all streams open events come all the time: no wait needs an end,
		// and a timer for each would be a cost that a bare loop does not have.
		limit := -1
		if len(opens) > 0 {
			limit = int((opens[0]-now)/time.Millisecond) + 1
		}
		if err := r.read(limit); err != nil {
			return account{}, err
		}
	}
}

func (a account) since(b account) account {
	return account{a.Events - b.Events, a.CPU - b.CPU, a.Wakes - b.Wakes, a.Reads - b.Reads, a.Bare - b.Bare}
}

// spent is this process's CPU time so far, in ns.
func spent() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// open connects one stream and asks for it.
func (r *reader) open(port int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return errors.Join(
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}),
		unix.SetNonblock(fd, true),
		unix.EpollCtl(r.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}),
		func() error { r.stamps[int32(fd)] = new([]int64); return nil }(),
		func() error { _, err := unix.Write(fd, r.request); return err }(),
	)
}

// read waits for what comes, at most limit milliseconds, and reads it.
func (r *reader) read(limit int) error {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(r.epoll), uintptr(unsafe.Pointer(&r.ready)), uintptr(len(r.ready)), uintptr(limit), 0, 0)
	switch errno {
	case 0:
	case unix.EINTR:
		return nil
	default:
		return errno
	}
	r.total.Wakes++
	for i := range n {
		if err := r.receive(r.ready[i].Fd); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) receive(fd int32) error {
	r.message = unix.Msghdr{Iov: &r.vector, Control: (*byte)(unsafe.Pointer(&r.control))}
	r.message.SetIovlen(1)
	r.message.SetControllen(len(r.control) * 8)
	n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&r.message)), 0)
	switch {
	case errno == unix.EAGAIN:
		return nil
	case errno != 0:
		return errno
	case n == 0:
		return errors.New("the server closed a stream before the account was over")
	}
	r.total.Reads++
	stamp := int64(0)
	if h := (*unix.Cmsghdr)(unsafe.Pointer(&r.control)); r.message.Controllen > 0 && h.Type == unix.SCM_TIMESTAMPNS {
		stamp = (*unix.Timespec)(unsafe.Add(unsafe.Pointer(h), unix.CmsgLen(0))).Nano()
	} else {
		r.total.Bare++
		stamp = time.Now().UnixNano()
	}
	kept := r.stamps[fd]
	for held := r.buf[:n]; ; r.total.Events++ {
		at := bytes.Index(held, []byte("data:"))
		if at < 0 {
			return nil
		}
		*kept = append(*kept, stamp)
		held = held[at+len("data:"):]
	}
}
