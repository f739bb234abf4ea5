//go:build unix

// Command real proves the client against servers that nobody here wrote. It
// installs each from a package registry, starts it with a model of random
// weights (or with canned answers), sends it a request and a short load in
// every API that both speak, and holds what Assay says against the server's
// usage and the server's own counters. It is what `make real-servers` runs:
// docs/real-server.md. A registry that is out of reach is an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	assay, folder, cache string
	only                 string
	all, keep            bool
}

// A bench is the programs, and where they are kept and write.
type bench struct {
	options
	tmp string
}

func main() {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = "bin" // which git ignores
	}
	var o options
	flag.StringVar(&o.assay, "assay", "bin/assay", "the client")
	flag.StringVar(&o.folder, "folder", "real", "the folder of this command, with what its servers need")
	flag.StringVar(&o.cache, "cache", filepath.Join(cache, "assay-real-servers"), "folder that keeps installed servers")
	flag.StringVar(&o.only, "only", "", "one server instead of all")
	flag.BoolVar(&o.all, "all", false, "also servers that take long to install")
	flag.BoolVar(&o.keep, "keep", false, "keep the runs and the logs of the servers, and say where")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, failed, err := (&bench{options: o}).prove(ctx)
	if ctx.Err() != nil {
		os.Exit(130)
	}
	if passed+failed > 0 {
		fmt.Printf("\n%d passed, %d failed\n", passed, failed)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "real: error:", err)
		os.Exit(5)
	case failed > 0:
		os.Exit(1)
	}
}

// prove goes through the servers, and says how many rows hold.
func (b *bench) prove(ctx context.Context) (passed, failed int, err error) {
	for _, path := range []*string{&b.assay, &b.folder, &b.cache} {
		if *path, err = filepath.Abs(*path); err != nil {
			return 0, 0, err
		}
	}
	if b.tmp, err = os.MkdirTemp("", "assay-real-"); err != nil {
		return 0, 0, err
	}
	if b.keep {
		fmt.Fprintln(os.Stderr, "kept:", b.tmp)
	} else {
		defer os.RemoveAll(b.tmp)
	}
	var wanted []server
	for _, s := range servers {
		if b.only == s.name || b.only == "" && (b.all || !s.onDemand) {
			wanted = append(wanted, s)
		}
	}
	if wanted == nil {
		return 0, 0, fmt.Errorf("no server is called %q", b.only)
	}
	if err := b.installAll(ctx, wanted); err != nil {
		return 0, 0, err
	}
	fmt.Println("| server | endpoint | requests | tokens or items | held against | |")
	fmt.Println("|---|---|--:|--:|---|---|")
	var errs []error
	for _, s := range wanted {
		p, f, err := b.proveServer(ctx, s)
		passed, failed = passed+p, failed+f
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return passed, failed, errors.Join(errs...)
}

// installAll brings every server here that is not: with those that they stand before.
func (b *bench) installAll(ctx context.Context, wanted []server) error {
	for _, s := range wanted {
		if s.behind != "" {
			if err := b.install(ctx, find(s.behind)); err != nil {
				return err
			}
		}
		if err := b.install(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// proveServer starts one, with what it stands before, and goes through its rows.
func (b *bench) proveServer(ctx context.Context, s server) (passed, failed int, err error) {
	upstream := ""
	if s.behind != "" {
		behind, err := b.start(ctx, find(s.behind), "")
		if err != nil {
			return 0, 0, err
		}
		defer behind.stop()
		upstream = behind.url
	}
	r, err := b.start(ctx, s, upstream)
	if err != nil {
		return 0, 0, err
	}
	defer r.stop()
	for _, w := range rows {
		if w.server != s.name {
			continue
		}
		began := time.Now()
		found, err := b.proveRow(ctx, w, r)
		if ctx.Err() != nil {
			return passed, failed, ctx.Err()
		}
		verdict := "holds"
		if err != nil {
			failed++
			verdict = "FAILS: " + strings.ReplaceAll(err.Error(), "\n", " · ")
		} else {
			passed++
		}
		fmt.Printf("| %s | %s | %d | %d | %s | %s |\n", s.name, w.endpoint, found.requests, found.counted, w.against(s), verdict)
		fmt.Fprintf(os.Stderr, "%s %s: %.1f s\n", s.name, w.endpoint, time.Since(began).Seconds())
	}
	return passed, failed, nil
}
