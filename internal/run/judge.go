package run

// A result is a function of files: what `run` writes, `judge` remakes.

import (
	"fmt"
	"os"

	"assay/internal/contract"
	"assay/internal/result"
	"assay/internal/rundir"
)

// Judge remakes the result of a run's folder from its contract, records and
// observations, and returns it with its bytes as result.json has them.
func Judge(path string) (*result.Result, []byte, error) {
	r, encoded, err := remake(path)
	if err != nil {
		return nil, nil, usage(err, "judge wants the folder of a run: contract.yaml, records.parquet, observations.jsonl")
	}
	return r, encoded, nil
}

func remake(path string) (*result.Result, []byte, error) {
	dir, err := rundir.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	text, err := dir.ContractYAML()
	if err != nil {
		return nil, nil, err
	}
	c, err := contract.Reload("contract.yaml", text)
	if err != nil {
		return nil, nil, err
	}
	if err := c.Resolve(); err != nil {
		return nil, nil, err
	}
	if err := c.ReadKeptArrivals(os.DirFS(path)); err != nil {
		return nil, nil, err
	}
	observations, err := dir.Observations()
	if err != nil {
		return nil, nil, err
	}
	r, err := result.Build(c, dir.Records(), observations)
	if err != nil {
		return nil, nil, fmt.Errorf("judge %s: %w", path, err)
	}
	encoded, err := result.Encode(r)
	if err != nil {
		return nil, nil, fmt.Errorf("judge %s: %w", path, err)
	}
	return r, encoded, nil
}
