// One spec of each shape, for the tests that hold for all of them.

package arrival

import (
	"testing"
	"testing/fstest"
	"time"

	"assay/internal/unit"
)

func seconds(s float64) unit.Duration { return unit.Duration(s * float64(time.Second)) }

// examples returns a spec of each shape whose mean rate is near the given one.
func examples(t testing.TB, rate float64) map[string]Spec {
	t.Helper()
	r := unit.Rate(rate)
	all := map[string]Spec{
		Constant: {Shape: Constant, Rate: rate},
		Poisson:  {Shape: Poisson, Rate: rate},
		Gamma:    {Shape: Gamma, Rate: rate, CV: 3},
		Weibull:  {Shape: Weibull, Rate: rate, CV: 2},
		MMPP:     {Shape: MMPP, Rate: rate, Parameters: Parameters{Peak: Peak{Times: 3}, On: seconds(0.5), Off: seconds(1.5)}},
		Flash:    {Shape: Flash, Rate: rate, Parameters: Parameters{Peak: Peak{Times: 10}, Rise: seconds(0.1), Hold: seconds(0.3), Decay: seconds(0.2), At: []unit.Duration{seconds(1)}}},
		Ramp:     {Shape: Ramp, Parameters: Parameters{From: r / 2, To: r * 2, Over: seconds(3)}},
		Sine:     {Shape: Sine, Rate: rate, Parameters: Parameters{Period: seconds(2), Amplitude: 0.5}},
		Series:   {Shape: Series, Parameters: Parameters{File: "f"}, Recorded: &Recorded{Times: []int64{0, sec, 3 * sec}, Rates: []float64{rate, rate * 2, rate / 2}}},
	}
	times := &Recorded{}
	for due := range Schedule(all[Poisson], 5, "trace", 0, 0, 20_000) {
		times.Times = append(times.Times, due.At)
	}
	all[Trace] = Spec{Shape: Trace, Parameters: Parameters{File: "f"}, Recorded: times}
	for _, name := range Shapes() {
		if s, ok := all[name]; !ok || s.Check() != nil {
			t.Fatalf("%s has no example, or one that is refused: %v", name, s.Check())
		}
	}
	return all
}

func file(text string) fstest.MapFS { return fstest.MapFS{"f": {Data: []byte(text)}} }
