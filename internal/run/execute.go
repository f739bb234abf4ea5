package run

// The steps of one run, in order. Everything up to the folder's creation may
// fail and leave nothing behind; everything after it keeps what was measured.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/result"
	"assay/internal/rundir"
)

// Execute carries out one attempt and writes its folder. A verdict, whatever
// it is, is no error; an error is a run that could not be carried out.
func Execute(ctx context.Context, o Options) (*result.Result, error) {
	said := newDiary(o.OnEvent)
	o.OnEvent = said.event
	if o.Exe == "" {
		var err error
		if o.Exe, err = os.Executable(); err != nil {
			return nil, cannot(fmt.Errorf("find this binary: %w", err), "")
		}
	}
	if err := checkAsked(ctx, &o); err != nil {
		return nil, err
	}
	c := o.Contract
	if err := drawSalts(c); err != nil {
		return nil, err
	}
	servers, err := startServers(ctx, o.Exe, c)
	if err != nil {
		return nil, err
	}
	defer servers.stop()
	if err := findModels(ctx, c, servers); err != nil {
		return nil, err
	}
	flights, err := preflight(ctx, o, c, servers)
	if err != nil {
		return nil, err
	}
	if err := checkLimits(c, servers, flights); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	canonical, err := c.Canonical()
	if err != nil {
		return nil, cannot(fmt.Errorf("write the contract: %w", err), "")
	}
	dir, err := rundir.Create(o.Dir)
	if err != nil {
		return nil, cannot(err, "choose another folder with --out")
	}
	said.keepIn(dir)
	a := newAttempt(o, c, dir, servers, string(canonical), flights)
	if err := dir.WriteFile(rundir.ContractFile, canonical); err != nil {
		return nil, a.keep(err)
	}
	if err := a.carryOut(ctx); err != nil {
		return nil, a.keep(err)
	}
	defer dir.Release() // its files are closed: there is no error to tell
	return conclude(o.Dir)
}

// checkAsked refuses, before anything is started, what should not be begun.
func checkAsked(ctx context.Context, o *Options) error {
	if _, err := os.Lstat(o.Dir); err == nil {
		return usage(fmt.Errorf("%s exists: a run's folder is never overwritten", o.Dir), "choose another with --out")
	}
	if !o.Yes {
		if hosts := Strangers(ctx, o.Contract); len(hosts) > 0 {
			return usage(fmt.Errorf("%s is neither loopback nor private: a load is sent to a stranger only on request", strings.Join(hosts, ", ")),
				"--yes, if the server is yours to load")
		}
	}
	if !o.Anyway {
		if err := checkSettles(o.Contract); err != nil {
			return err
		}
	}
	return nil
}

// checkSettles refuses a contract whose objectives can't be settled by the
// requests that it sends.
func checkSettles(c *contract.Contract) error {
	plan, err := MakePlan(c, OSFiles{})
	if err != nil {
		return err
	}
	if short := plan.TooShort(); len(short) > 0 {
		return usage(fmt.Errorf("%s", strings.Join(short, "; ")), "run longer, or with --anyway to see what can be said")
	}
	return nil
}

// drawSalts gives every stream its own words for this run, unless the
// contract sets them.
func drawSalts(c *contract.Contract) error {
	for i := range c.Streams {
		if c.Streams[i].Workload.Salt != "" {
			continue
		}
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return cannot(fmt.Errorf("draw a salt: %w", err), "")
		}
		c.Streams[i].Workload.Salt = hex.EncodeToString(b[:])
	}
	return nil
}

// findModels fills in the models that the contract leaves to the server.
func findModels(ctx context.Context, c *contract.Contract, servers *servers) error {
	for i := range c.Streams {
		t := &c.Streams[i].Target
		d, ok := dialect.Find(t.Endpoint)
		if !ok {
			return usage(fmt.Errorf("unknown endpoint %q", t.Endpoint), "`assay endpoints` lists them")
		}
		if t.Model != "" {
			continue
		}
		headers, _, err := headersFor(*t, os.Getenv)
		if err != nil {
			return err
		}
		if t.Model, err = firstModel(ctx, *t, servers.bases(t)[0], d, headers); err != nil {
			return err
		}
	}
	return nil
}

// conclude makes the result of the files, as judge would.
func conclude(path string) (*result.Result, error) {
	r, encoded, err := remake(path)
	if err != nil {
		return nil, cannot(err, "the records are in "+path+": `assay judge "+path+"` makes the result of them")
	}
	if err := rundir.WriteFile(path, rundir.ResultFile, encoded); err != nil {
		return nil, cannot(err, "the records are in "+path+": make room, then `assay judge "+path+"`")
	}
	return r, nil
}

// longest is how long the run will take at the most, drain excluded; 0 when
// only the requests end it.
func longest(c *contract.Contract) time.Duration {
	var most time.Duration
	for i := range c.Streams {
		t := c.Streams[i].Traffic
		if t.Requests > 0 {
			return 0
		}
		most = max(most, time.Duration(*t.Warmup)+time.Duration(t.Duration))
	}
	return most
}
