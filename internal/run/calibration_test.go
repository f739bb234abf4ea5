package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/observation"

	"github.com/google/go-cmp/cmp"
)

// someCalibration is a calibration of that machine.
func someCalibration(m CalibratedMachine) *Calibration {
	return &Calibration{
		Schema: CalibrationSchema, Machine: m, Taken: "2026-01-02T03:04:05Z",
		Ceilings: []CalibratedCeiling{{Processes: 1, Requests: 1200, Events: 9000}, {Processes: 8, Requests: 3100, Events: 15000, EventsLimitedBy: "machine_cpu"}},
		Errors:   []CalibratedAccuracy{},
	}
}

func TestASavedCalibrationIsFoundByTheNextRun(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(CalibrationEnv, "")
	file, err := CalibrationFile(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveCalibration(file, someCalibration(ThisMachine())); err != nil {
		t.Fatal(err)
	}
	want := observation.Calibration{
		Taken: "2026-01-02T03:04:05Z", Version: Version(),
		Ceilings: []observation.Ceiling{{Processes: 1, Requests: 1200, Events: 9000}, {Processes: 8, Requests: 3100, Events: 15000}},
	}
	if diff := cmp.Diff(want, LoadCalibration()); diff != "" {
		t.Errorf("LoadCalibration() (-want +got):\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
		t.Errorf("saving left %v behind", left)
	}
}

func TestTheEnvironmentNamesTheCalibrationOrSwitchesItOff(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "not-made-yet", "mine.json")
	t.Setenv(CalibrationEnv, file)
	if err := SaveCalibration(file, someCalibration(ThisMachine())); err != nil {
		t.Fatal(err)
	}
	if got := LoadCalibration(); got.Unavailable != "" || len(got.Ceilings) != 2 {
		t.Errorf("LoadCalibration() = %+v, want the two ceilings of %s", got, file)
	}
	t.Setenv(CalibrationEnv, "off")
	if got := LoadCalibration(); !strings.Contains(got.Unavailable, "ASSAY_CALIBRATION") || got.Ceilings != nil {
		t.Errorf("LoadCalibration() = %+v, want it switched off", got)
	}
}

func TestACalibrationThatIsNotOfThisMachineIsUnavailableAndSaysWhy(t *testing.T) {
	here := CalibratedMachine{CPU: "Some CPU", Kernel: "6.1", Cores: 4, Version: "1.0"}
	written := func(change func(*Calibration)) string {
		c := someCalibration(here)
		change(c)
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole := written(func(*Calibration) {})
	for _, c := range []struct{ name, text, says string }{
		{"none", "", "no calibration of this machine: `assay calibrate` makes one"},
		{"torn", whole[:len(whole)/2], "damaged"},
		{"another schema", written(func(c *Calibration) { c.Schema = "assay/calibration/v0" }), `schema "assay/calibration/v0"`},
		{"another version", written(func(c *Calibration) { c.Machine.Version = "0.9" }), `version "0.9" of assay`},
		{"another CPU", written(func(c *Calibration) { c.Machine.CPU = "Another" }), "another CPU"},
		{"another kernel", written(func(c *Calibration) { c.Machine.Kernel = "6.2" }), "another kernel"},
		{"fewer cores", written(func(c *Calibration) { c.Machine.Cores = 3.5 }), "3.5 cores, this one has 4"},
		{"no ceiling", written(func(c *Calibration) { c.Ceilings = nil }), "no ceiling"},
		{"an impossible ceiling", written(func(c *Calibration) { c.Ceilings[0].Events = -1 }), "damaged"},
	} {
		file := filepath.Join(t.TempDir(), "c.json")
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := ReadCalibration(file, here)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error that says %q", c.name, err, c.says)
		}
	}
	file := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCalibration(file, here); err != nil {
		t.Errorf("its own: %v, want it read", err)
	}
}

func TestEveryDifferenceOfTheMachineIsAnotherFile(t *testing.T) {
	base := CalibratedMachine{CPU: "a", Kernel: "b", Cores: 2, Version: "c"}
	seen := map[string]CalibratedMachine{}
	for _, m := range []CalibratedMachine{
		base, {CPU: "x", Kernel: "b", Cores: 2, Version: "c"}, {CPU: "a", Kernel: "x", Cores: 2, Version: "c"},
		{CPU: "a", Kernel: "b", Cores: 2.5, Version: "c"}, {CPU: "a", Kernel: "b", Cores: 2, Version: "x"},
		{CPU: "ab", Kernel: "", Cores: 2, Version: "c"},
	} {
		if other, taken := seen[m.key()]; taken {
			t.Errorf("%+v and %+v have one file", m, other)
		}
		seen[m.key()] = m
	}
}
