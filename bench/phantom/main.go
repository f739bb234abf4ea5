// Command phantom is what `make demo-phantom-ceiling` runs: a ceiling that is
// the client's, beside the one that is the server's. One process of one thread
// meets a server that can do more. Assay refuses what it measured, doubles the
// processes until none of them is the limit, and both numbers are shown. All
// of them come from result.json files of runs made here and now; where this
// machine has no room for the difference, the command says so and exits 4.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
)

// options are the flags.
type options struct {
	assay    string
	keep     string
	perHour  float64
	currency string
}

// errNoRoom: nothing could be shown here and now.
var errNoRoom = errors.New("nothing to show")

func main() {
	var o options
	flag.StringVar(&o.assay, "assay", "bin/assay", "the client")
	flag.StringVar(&o.keep, "keep", "", "folder to keep the runs in, which must not exist; without it they are removed")
	flag.Float64Var(&o.perHour, "per-hour", 2.49, "price of a server for an hour; 0: none")
	flag.StringVar(&o.currency, "currency", "USD", "of the price")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := demonstrate(ctx, o)
	switch {
	case ctx.Err() != nil:
		os.Exit(130)
	case errors.Is(err, errNoRoom):
		fmt.Fprintln(os.Stderr, "phantom:", err)
		os.Exit(4)
	case err != nil:
		fmt.Fprintln(os.Stderr, "phantom: error:", err)
		os.Exit(5)
	}
}

// tries is how often a lower load is tried where others were in the way.
const tries = 3

func demonstrate(ctx context.Context, o options) error {
	if runtime.NumCPU() < 2 {
		return fmt.Errorf("%w: one core can't hold a client and a server that does more", errNoRoom)
	}
	dir, err := folder(o.keep)
	if err != nil {
		return err
	}
	if o.keep == "" {
		defer os.RemoveAll(dir)
	}
	s, err := serve(ctx, o.assay)
	if err != nil {
		return err
	}
	defer s.End()
	c := client{assay: o.assay, dir: dir, url: s.URL, price: price{o.perHour, o.currency}}
	say("How much one process of one thread can do here, at the most …")
	probe, err := c.run(ctx, "probe", saturating, false)
	if err != nil {
		return err
	}
	found, err := capacityOf(probe)
	if err != nil {
		return err
	}
	for try := range tries {
		users, err := choose(found, busy-float64(try)*step)
		if err != nil {
			return err
		}
		say("It does %.0f requests/s. Now a server that does up to %.0f: %d users at once, each answered after %s …",
			found.rate, float64(users)/ttft.Seconds(), users, ttft)
		last, err := c.run(ctx, fmt.Sprintf("run-%d", try+1), users, true)
		if err != nil {
			return err
		}
		story, err := storyOf(last)
		if err == nil {
			fmt.Print(story.text(c.price))
			if o.keep != "" {
				fmt.Printf("The runs, each with its result.json: %s\n", dir)
			}
			return nil
		}
		if !errors.Is(err, errNoRoom) {
			return err
		}
		say("%v", err)
	}
	return fmt.Errorf("%w: in %d runs the client was always the limit, because this machine is too small or too busy; stop what else runs here", errNoRoom, tries)
}

func folder(keep string) (string, error) {
	if keep == "" {
		return os.MkdirTemp("", "assay-phantom-")
	}
	if err := os.Mkdir(keep, 0o755); err != nil {
		return "", err
	}
	return filepath.Abs(keep)
}

func say(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }
