// Frozen: a contract of today has this plan for ever. The wanted values come
// from a separate program in another language, written from the definitions:
// the streams of package seed, the ziggurat with tables of its own, the polar
// method, Marsaglia and Tsang, and the curves inverted by bisection.

package arrival

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/unit"
)

func TestEveryShapeIsTheOneOfEveryEarlierRelease(t *testing.T) {
	ramp := func(form string, steps int) Spec {
		return Spec{Shape: Ramp, Parameters: Parameters{From: 10, To: 40, Over: seconds(3), Form: form, Steps: steps}}
	}
	sine := func(base string, cv float64) Spec {
		return Spec{Shape: Sine, Rate: 40, CV: cv, Parameters: Parameters{Period: seconds(2), Amplitude: 0.5, Base: base}}
	}
	series := func(form string) Spec {
		return Spec{Shape: Series, Parameters: Parameters{File: "f", Form: form}, Recorded: &Recorded{Times: []int64{0, sec, 3 * sec}, Rates: []float64{40, 80, 20}}}
	}
	for _, c := range []struct {
		name string
		spec Spec
		n    int // the last six of so many; of the trace all
		want []int64
	}{
		{"gamma, clustered", Spec{Shape: Gamma, Rate: 40, CV: 3}, 6, []int64{29870045, 57567549, 60762090, 60762133, 60867883, 141132386}},
		{"gamma, even", Spec{Shape: Gamma, Rate: 40, Parameters: Parameters{Burstiness: 4}}, 6, []int64{4952835, 26961329, 45113506, 63275466, 102448888, 129036522}},
		{"weibull by cv", Spec{Shape: Weibull, Rate: 40, CV: 2}, 6, []int64{13376580, 13595609, 26355230, 27213784, 29211806, 35999821}},
		{"weibull by k", Spec{Shape: Weibull, Rate: 40, Parameters: Parameters{K: 0.7}}, 6, []int64{9686848, 10457153, 28457659, 30678962, 34954632, 45989971}},
		{"flash", Spec{Shape: Flash, Rate: 40, Parameters: Parameters{Peak: Peak{Rate: 400}, Rise: seconds(0.1), Hold: seconds(0.3), Decay: seconds(0.2), At: []unit.Duration{seconds(0.5)}}}, 100, []int64{1640219255, 1643871208, 1648353154, 1649455063, 1653846656, 1656506804}},
		{"ramp, linear", ramp("", 0), 50, []int64{2924542449, 2941424104, 2953987181, 2984938898, 3013747291, 3095097942}},
		{"ramp, exponential", ramp(Exponential, 0), 50, []int64{3185289367, 3203251692, 3216589298, 3249340874, 3279685655, 3364649509}},
		{"ramp, steps", ramp(Steps, 4), 50, []int64{3008824756, 3025329293, 3037673378, 3068310037, 3097112122, 3179938546}},
		{"sine", sine("", 0), 100, []int64{2151592854, 2201131406, 2268602371, 2286453401, 2362829506, 2412908744}},
		{"sine of a metronome", sine(Constant, 0), 100, []int64{2032519989, 2059458696, 2087691577, 2117391355, 2148755569, 2182006265}},
		{"sine of clusters", sine(Gamma, 3), 100, []int64{1801711155, 1941893839, 2265846447, 2271590188, 2271649923, 2271649923}},
		{"series, step", series(""), 100, []int64{2226096273, 2244356039, 2266765769, 2272275314, 2294233280, 2307534021}},
		{"series, linear", series(Linear), 100, []int64{1975951692, 1994348053, 2016818808, 2022369135, 2044606354, 2058168440}},
		{"mmpp", Spec{Shape: MMPP, Rate: 40, Parameters: Parameters{Peak: Peak{Times: 3}, On: seconds(0.5), Off: seconds(1.5)}}, 100, []int64{1736601679, 1748774857, 1763714677, 1767387707, 1782026351, 1790893512}},
		{"trace", Spec{Shape: Trace, Parameters: Parameters{File: "f"}, Recorded: &Recorded{Times: []int64{100 * ms, 200 * ms, 250 * ms, 900 * ms, 1500 * ms}}}, 8, []int64{189031202, 486038725, 744962123, 1100000000, 1200000000, 1250000000, 1900000000, 2500000000}},
	} {
		var got []int64
		for due := range Schedule(c.spec, 1, "main", sec, 100*sec, 0) {
			if got = append(got, due.At); len(got) == c.n {
				break
			}
		}
		if got = got[max(0, len(got)-len(c.want)):]; !cmp.Equal(c.want, got) {
			t.Errorf("%s (-want +got):\n%s", c.name, cmp.Diff(c.want, got))
		}
	}
}
