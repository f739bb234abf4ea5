// Lengths in pairs, what prompts begin with, and whether a server may know
// them from an earlier run.

package contract

import (
	"fmt"

	"github.com/invopop/jsonschema"

	"assay/internal/workload"
)

func (c *Contract) checkShares(at string, w *workload.Spec) error {
	if err := c.checkLengths(at+"lengths", w.Lengths); err != nil {
		return err
	}
	if err := c.checkPrefix(at+"prefix", w.Prefix); err != nil {
		return err
	}
	switch w.Cache {
	case "":
		return nil
	case workload.Natural:
		if w.Salt != "" {
			return c.fail(at+"cache", "is natural, and there is a salt", "drop cache or salt: natural is without")
		}
		return nil
	case workload.Salted:
		if w.Prompts != "" {
			return c.fail(at+"cache", "can't be salted: the prompts of a file are sent as they are", "drop cache; the report says how much of them a cache could know")
		}
		w.Cache = "" // the default is not written out
		return nil
	}
	return c.fail(at+"cache", fmt.Sprintf("%q is neither salted nor natural", w.Cache), "write natural, or leave it out")
}

func (c *Contract) checkLengths(at string, list []workload.Pair) error {
	if len(list) == 0 {
		if _, ok := c.written[at]; ok {
			return c.fail(at, "is an empty list", "write [{input: 100, output: 20}], or drop it")
		}
		return nil
	}
	for i := range list {
		path := fmt.Sprintf("%s[%d].weight", at, i)
		if _, ok := c.written[path]; ok && list[i].Weight == 0 {
			return c.fail(path, "is zero", "write more than zero, or drop the pair")
		}
	}
	if i, err := workload.CheckPairs(list); err != nil {
		return c.fail(fmt.Sprintf("%s[%d]", at, i), err.Error(), "write [{input: 100, output: 20, weight: 3}], or lengths: FILE.csv")
	}
	return nil
}

// checkPrefix refuses what can't be drawn. Whether the prompts hold it is for
// the workload to say, which knows their lengths.
func (c *Contract) checkPrefix(at string, p workload.Prefix) error {
	if p.Shared < 0 || p.Shared > workload.MaxTokens {
		return c.fail(at+".shared", fmt.Sprintf("%d tokens can't be sent", p.Shared), "write 1 or more")
	}
	for _, pool := range []struct {
		key string
		workload.Pool
	}{{"pool", p.Pool}, {"user", p.User}} {
		if key, err := pool.Check(); err != nil {
			return c.fail(at+"."+pool.key+"."+key, err.Error(), "write "+pool.key+": {count: 10, tokens: 1000}")
		}
	}
	if _, ok := c.written[at]; ok && p.IsZero() {
		return c.fail(at, "is empty", "write shared: 200, pool: or user:, or drop it")
	}
	return nil
}

// meanOutput is the mean output limit as far as the contract knows it; 0 where
// only a file does.
func meanOutput(w workload.Spec) float64 {
	if len(w.Lengths) == 0 {
		return w.OutputTokens.Mean()
	}
	sum, weights := 0.0, 0.0
	for _, p := range w.Lengths {
		weight := p.Weight
		if weight == 0 {
			weight = 1
		}
		sum += weight * float64(p.Output)
		weights += weight
	}
	return sum / weights
}

// longestOutput is the longest of the pairs; 0 where a file has them.
func longestOutput(list []workload.Pair) int {
	most := 0
	for _, p := range list {
		most = max(most, p.Output)
	}
	return most
}

func pairSchema() *jsonschema.Schema {
	s := (&jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, FieldNameTag: "yaml", Mapper: mapped}).Reflect(&workload.Pair{})
	s.Version = ""
	return s
}
