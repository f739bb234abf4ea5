// What traffic says beside its rate: ceilings, users and their pauses, and
// clients that hang up.

package contract

import (
	"fmt"

	"assay/internal/unit"
)

// A Cancel is the part of the requests whose client hangs up in the middle,
// and when: After the release, or when so many tokens are there.
type Cancel struct {
	Fraction    unit.Fraction `yaml:"fraction"`
	After       unit.Duration `yaml:"after,omitempty"`
	AfterTokens int           `yaml:"after_tokens,omitempty"`
}

// Slots is how many requests a closed loop has under way at most: one a slot,
// one a user. 0 in open loop.
func (t *Traffic) Slots() int { return t.Concurrency + t.Users }

// Places is what requests are dealt to: slots, users, or the places under the
// tighter ceiling. Workers beyond have no work. 0: any number has.
func (t *Traffic) Places() int {
	switch {
	case t.Slots() > 0:
		return t.Slots()
	case t.MaxInFlight == 0 || t.MaxPrefill == 0:
		return t.MaxInFlight + t.MaxPrefill
	}
	return min(t.MaxInFlight, t.MaxPrefill)
}

// mostSlots is beyond what a client can keep in memory.
const mostSlots = 1_000_000

// checkLoop refuses numbers that can't be kept.
func (c *Contract) checkLoop(at string, t *Traffic) error {
	for _, n := range []struct {
		key   string
		value int
		what  string
	}{
		{"concurrency", t.Concurrency, "slots"}, {"users", t.Users, "users"},
		{"max_in_flight", t.MaxInFlight, "requests in flight"}, {"max_prefill", t.MaxPrefill, "requests in prefill"},
	} {
		if n.value < 0 || n.value > mostSlots {
			return c.fail(at+"."+n.key, fmt.Sprintf("%d %s can't be kept", n.value, n.what), "write 1 to 1000000")
		}
	}
	if t.MaxInFlight > 0 && t.MaxPrefill > t.MaxInFlight {
		return c.fail(at+".max_prefill", fmt.Sprintf("is never reached: no more than %d requests are in flight", t.MaxInFlight), "write less than max_in_flight, or drop it")
	}
	return c.checkCancel(at+".cancel", t)
}

func (c *Contract) checkCancel(at string, t *Traffic) error {
	const hint = "write cancel: {fraction: 5%, after: 2s}, or after_tokens: 20"
	k := t.Cancel
	switch {
	case k == Cancel{}:
		return nil
	case k.Fraction == 0:
		return c.fail(at+".fraction", "is missing", hint)
	case k.Fraction > 1:
		return c.fail(at+".fraction", fmt.Sprintf("%s of the requests can't be cancelled", k.Fraction), "write 100% at most")
	case k.AfterTokens < 0:
		return c.fail(at+".after_tokens", "is negative", hint)
	case k.After == 0 && k.AfterTokens == 0:
		return c.fail(at+".after", "is missing", hint)
	}
	return nil
}

// resolveLoop makes the checks that need the whole stream.
func (c *Contract) resolveLoop(at string, s *Stream) error {
	t := &s.Traffic
	switch {
	case t.Users > 0 && t.Think.IsZero():
		return c.fail(at+".think", "is missing", "write think: normal(5s, 2s), or concurrency for users who never pause")
	case s.OpenLoop() && !t.Think.IsZero():
		return c.fail(at+".think", "is of a closed loop: in open loop nobody waits for a reply", "write users or concurrency instead of a rate, or drop think")
	case s.OpenLoop() && t.Ramp > 0:
		return c.fail(at+".ramp", "is of the slots of a closed loop", "write arrivals: ramp for a rate that rises")
	case !*s.Target.Stream && t.MaxPrefill > 0:
		return c.fail(at+".max_prefill", "ends with the first token, and the answers are not streamed", "write max_in_flight, or drop stream: false")
	case !*s.Target.Stream && t.Cancel.AfterTokens > 0:
		return c.fail(at+".cancel.after_tokens", "counts tokens as they come, and the answers are not streamed", "write after: 2s, or drop stream: false")
	case t.Cancel.After > 0 && t.Cancel.After >= s.Target.RequestLimit:
		return c.fail(at+".cancel.after", fmt.Sprintf("comes after the request limit of %s, which ends the request as a failure", s.Target.RequestLimit), "write less, or raise target.request_limit")
	}
	return nil
}
