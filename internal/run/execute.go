package run

// The steps of one run, in order. Everything up to the folder's creation may
// fail and leave nothing behind; everything after it keeps what was measured.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/result"
	"assay/internal/rundir"
)

// Execute carries out a contract and writes its folder: one attempt, or as
// many as it takes until the client is not the limit. A verdict, whatever it
// is, is no error; an error is a run that could not be carried out.
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
	unpacked, remove, err := Unpack(o.Contract)
	if err != nil {
		return nil, err
	}
	defer remove()
	began := time.Now()
	if !o.Anyway {
		if err := checkSettles(o.Contract, unpacked); err != nil {
			return nil, err
		}
	}
	s := &series{o: o, c: o.Contract, said: said, salts: saltless(o.Contract), unpacked: unpacked}
	if err := s.drawSalts(s.c); err != nil {
		return nil, err
	}
	if err := readFiles(s.c, s.unpacked, os.Getenv); err != nil {
		return nil, err
	}
	s.read = time.Since(began)
	if s.files, err = fileObservations(s.c); err != nil {
		return nil, err
	}
	leftOut(s.files, o.OnEvent)
	if s.servers, err = startServers(ctx, o.Exe, s.c); err != nil {
		return nil, err
	}
	defer s.servers.stop()
	if err := awaitServers(ctx, o, s.c, s.servers); err != nil {
		return nil, err
	}
	if err := findModels(ctx, s.c, s.servers); err != nil {
		return nil, err
	}
	if err := awaitTokens(ctx, o, s.c, s.servers); err != nil {
		return nil, err
	}
	if s.counted, err = askTokenizers(ctx, s.c, s.servers, o.OnEvent); err != nil {
		return nil, err
	}
	if s.flights, err = preflight(ctx, o, s.c, s.servers); err != nil {
		return nil, err
	}
	return s.carryOut(ctx)
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
	return nil
}

// checkSettles refuses a contract whose objectives can't be settled by the
// requests that it sends.
func checkSettles(c *contract.Contract, files fs.FS) error {
	plan, err := MakePlan(c, files)
	if err != nil {
		return err
	}
	if short := plan.TooShort(); len(short) > 0 {
		return usage(fmt.Errorf("%s", strings.Join(short, "; ")), "run longer, or with --anyway to see what can be said")
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
		if t.Model != "" || d.Modelless {
			continue
		}
		access, err := accessFor(*t, d, os.Getenv)
		if err != nil {
			return err
		}
		if t.Simulate != "" {
			d.Models = "/v1/models" // the embedded server has one list for all
		}
		if t.Model, err = firstModel(ctx, *t, servers.bases(&c.Streams[i])[0], d, access); err != nil {
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
