// One rate for all streams, of which each has a share.

package contract

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"assay/internal/arrival"
	"assay/internal/unit"
)

// dealt are the settings that streams with shares have in common: the rate, and
// the arrivals of each that says none of its own.
func dealt(path string) bool {
	switch path {
	case "traffic.rate", "traffic.arrivals", "traffic.cv", "traffic.shape":
		return true
	}
	return strings.HasPrefix(path, "traffic.shape.")
}

// hasShares tells whether some stream has a share of a common rate.
func (c *Contract) hasShares() bool {
	for i := range c.Streams {
		if c.Streams[i].Share != 0 {
			return true
		}
	}
	return false
}

// orShare is what else may be done with a setting that stands beside streams.
func orShare(path string) string {
	if dealt(path) {
		return ", or give each a share of the rate: share: 30%"
	}
	return ""
}

// wholeOff is by how much shares may miss the whole: what writing them in
// decimals costs, and nothing that anybody sees.
const wholeOff = 1e-9

// checkDeal refuses shares that are not those of a whole.
func (c *Contract) checkDeal() error {
	if !c.hasShares() {
		return nil
	}
	sum, last := 0.0, ""
	for i := range c.Streams {
		s, prefix := &c.Streams[i], fmt.Sprintf("streams[%d].", i)
		for _, own := range []string{"traffic.rate", "traffic.concurrency", "traffic.users"} {
			if c.isSet(prefix + own) {
				return c.fail(prefix+own, "stands beside shares of a common rate", "drop it and write share: 30%, or drop the shares")
			}
		}
		if s.Share == 0 {
			return c.fail(prefix+"share", "is missing, and other streams have one", "write share: 30%; all of them make 100%")
		}
		sum, last = sum+float64(s.Share), prefix+"share"
	}
	switch {
	case math.Abs(sum-1) > wholeOff:
		return c.fail(last, fmt.Sprintf("makes the shares %.6g%% of the rate, and not the whole of it", 100*sum), "write shares that make 100%")
	case hasOwnRate(c.Traffic.Arrivals):
		return c.fail("traffic.arrivals", c.Traffic.Arrivals+" says its rates itself, and they can't be dealt to streams", "write arrivals into each stream, and drop the shares")
	case c.Traffic.Rate == 0:
		return c.fail(last, "is a share of no rate", "write the rate of all streams: traffic: {rate: 40/s} at the top level")
	}
	return nil
}

// deal gives each stream its share of the common rate, and the common arrivals.
// What is left is a contract whose streams have rates of their own, so that the
// same traffic is the same contract however it was written.
func (c *Contract) deal() {
	if !c.hasShares() {
		return
	}
	common := &c.Traffic
	for i := range c.Streams {
		s, prefix := &c.Streams[i], fmt.Sprintf("streams[%d].", i)
		share := float64(s.Share)
		s.Traffic.Rate = portion(common.Rate, share)
		if c.written != nil {
			c.written[prefix+"traffic.rate"] = c.written[prefix+"share"]
			delete(c.written, prefix+"share")
		}
		s.Share = 0
		if c.isSet(prefix+"traffic.arrivals") || c.isSet(prefix+"traffic.cv") || c.isSet(prefix+"traffic.shape") {
			continue
		}
		s.Traffic.Arrivals, s.Traffic.CV, s.Traffic.Shape = common.Arrivals, common.CV, common.Shape
		s.Traffic.Shape.Peak.Rate = portion(common.Shape.Peak.Rate, share)
		for path, at := range maps.Clone(c.written) {
			if dealt(path) && path != "traffic.rate" {
				c.written[prefix+path] = at
			}
		}
	}
	common.Rate, common.Arrivals, common.CV, common.Shape = 0, "", 0, arrival.Parameters{}
	maps.DeleteFunc(c.written, func(path string, _ place) bool { return dealt(path) })
}

// portion is a part of a rate, without what binary fractions leave behind.
func portion(r unit.Rate, share float64) unit.Rate {
	const decimals = 1e9
	return unit.Rate(math.Round(float64(r)*share*decimals) / decimals)
}
