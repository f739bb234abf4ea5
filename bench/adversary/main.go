//go:build linux

// Command adversary puts the client's honesty to the test: runs that something
// disturbs, each with a strength drawn from a seed, and runs that nothing
// does. What the client reports is held against the embedded server's own
// account of what it wrote and when, which shares nothing with the receipts.
// A disturbed run may be refused or may be right; it may not rule and be
// wrong. A healthy run may not be refused. It reads only what a user could:
// exit statuses, result.json, `assay records` and /assay/truth.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"time"
)

// options are the flags.
type options struct {
	assay                string
	adversarial, healthy int
	seed                 uint64
	only                 string
	json                 bool
}

func main() {
	var o options
	flag.StringVar(&o.assay, "assay", "bin/assay", "the client")
	flag.IntVar(&o.adversarial, "adversarial", 100, "how many runs to disturb, all kinds in turn")
	flag.IntVar(&o.healthy, "healthy", 100, "how many runs to leave alone")
	flag.Uint64Var(&o.seed, "seed", 1, "of the first run of each sort; the next has the next number")
	flag.StringVar(&o.only, "only", "", "one kind of adversity instead of all")
	flag.BoolVar(&o.json, "json", false, "print every run as JSON lines instead of the table")
	flag.Parse()
	if os.Getenv(insideMark) == "" {
		os.Exit(enterRoom())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	good, err := all(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "adversary:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// all carries out every trial and prints the table.
func all(ctx context.Context, o options) (good bool, err error) {
	r, err := furnish(o.assay)
	if err != nil {
		return false, err
	}
	defer r.leave()
	kinds := adversities
	if o.only != "" {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(a adversity) bool { return a.kind != o.only })
		if len(kinds) == 0 {
			return false, fmt.Errorf("no kind is called %q", o.only)
		}
	}
	var t table
	for i := range o.healthy {
		if err := quiet(ctx, r, &t, o.seed+uint64(i)); err != nil {
			return false, err
		}
	}
	for i := range o.adversarial {
		a := kinds[i%len(kinds)]
		if err := t.add(r.try(ctx, a, o.seed+uint64(i))); err != nil {
			return false, err
		}
	}
	if o.json {
		encode := json.NewEncoder(os.Stdout)
		for _, one := range t.trials {
			if err := encode.Encode(one); err != nil {
				return false, err
			}
		}
	} else {
		fmt.Print(r.says(), t.String())
	}
	return t.good(), nil
}

// again is how often a healthy run is repeated because of others.
const again = 10

// quiet carries out one healthy run. Whether the machine was busy with others
// is asked before the verdict is looked at: such a run is not a healthy one,
// whatever it says, so it is counted apart and repeated.
func quiet(ctx context.Context, r *room, t *table, seed uint64) error {
	for range again {
		one, err := r.try(ctx, adversity{kind: healthyKind, draw: undisturbed}, seed)
		if err != nil {
			return err
		}
		if one.Others >= busyOthers {
			one.Kind = disturbedKind
		}
		if err := t.add(one, nil); err != nil {
			return err
		}
		if one.Kind == healthyKind {
			return nil
		}
		time.Sleep(time.Second) // whatever it is may pass
	}
	return fmt.Errorf("the machine was busy with others in %d runs on end: no healthy run can be made here now", again)
}

// enterRoom runs this program again with mounts and a network of its own, so
// that a small disk and a short range of ports are nobody else's; where that
// is not allowed, without.
func enterRoom() int {
	runtime.LockOSThread() // the signal of a parent's death is tied to the thread
	self := func(flags uintptr, mark string) (int, error) {
		cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.Env = append(os.Environ(), insideMark+"="+mark)
		cmd.SysProcAttr = ownRoom(flags)
		err := cmd.Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode(), nil
		}
		return 0, err
	}
	signal.Ignore(os.Interrupt) // the one inside has it too, and ends first
	code, err := self(roomFlags, ownMark)
	if err != nil {
		code, err = self(0, sharedMark)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "adversary:", err)
		return 2
	}
	return code
}
