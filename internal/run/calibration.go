package run

// What `assay calibrate` found out about this machine as a client: the file
// that it saves, and how a run finds it again. A run copies what it found into
// its observations, so that nothing is judged by a file that may change.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/rundir"
)

// CalibrationSchema names this version of the file.
const CalibrationSchema = "assay/calibration/v1"

// CalibrationEnv is the environment variable that names the file to use, or
// says "off".
const CalibrationEnv = "ASSAY_CALIBRATION"

const noCalibration = "no calibration of this machine: `assay calibrate` makes one"

// A Calibration is the file. Shares of CPU are of all cores of the machine;
// what is missing is null.
type Calibration struct {
	Schema   string               `json:"schema"`
	Machine  CalibratedMachine    `json:"machine"`
	Taken    string               `json:"taken"` // RFC 3339
	Ceilings []CalibratedCeiling  `json:"ceilings"`
	Errors   []CalibratedAccuracy `json:"errors"`
	Seconds  float64              `json:"seconds"` // that it took
	Thorough bool                 `json:"thorough"`
}

// A CalibratedMachine is what a calibration holds for. Another kernel or
// another version of this program is another instrument.
type CalibratedMachine struct {
	CPU     string  `json:"cpu"`
	Kernel  string  `json:"kernel"`
	Cores   float64 `json:"cores"`
	Version string  `json:"version"` // of assay
}

// A CalibratedCeiling is the highest load at which every receipt held, and
// what broke above it: short requests that are not streamed, and events of
// streamed replies. The shares of CPU are of the run at that load. A bound is
// what the client would have reached at the least with the server elsewhere,
// if its CPU an event stayed the same: reckoned, not measured, and only where
// the machine was the limit.
type CalibratedCeiling struct {
	Processes int `json:"processes"`

	Requests          float64  `json:"requests_per_s"` // 0: not even the lowest rate was carried
	RequestsLimitedBy string   `json:"requests_limited_by"`
	RequestsServerCPU *float64 `json:"requests_server_cpu"`
	RequestsClientCPU *float64 `json:"requests_client_cpu"`
	RequestsMachine   *float64 `json:"requests_machine_cpu"`
	RequestsBound     *float64 `json:"requests_bound_per_s"`

	Events          float64  `json:"events_per_s"`
	EventsLimitedBy string   `json:"events_limited_by"`
	ServerCPU       *float64 `json:"server_cpu"`
	ClientCPU       *float64 `json:"client_cpu"`
	MachineCPU      *float64 `json:"machine_cpu"`
	EventsBound     *float64 `json:"events_bound_per_s"`
}

// A CalibratedAccuracy is how far the client's times lay from the server's
// truth in one run, by both clocks.
type CalibratedAccuracy struct {
	Load     float64      `json:"load"` // as a fraction of the ceiling in events/s of the most processes
	Events   float64      `json:"events_per_s"`
	Valid    bool         `json:"valid"`     // every receipt held
	BrokenBy string       `json:"broken_by"` // the receipts that did not
	TTFT     ClockErrors  `json:"ttft_ms"`
	ITL      ClockErrors  `json:"itl_ms"`
	Sending  *ErrorSpread `json:"sending_ms"` // from `sent` until the server had read the request
	Looks    *ErrorSpread `json:"looks_ms"`   // how precisely the server knows its own writes
	Count    int          `json:"count"`      // events that were compared
	Requests int          `json:"requests"`   // that were measured
	Compared int          `json:"compared"`   // of them, those whose truth the server still had
}

// ClockErrors are the errors of one latency by each clock; null where the
// clock stamped nothing.
type ClockErrors struct {
	Kernel *ErrorSpread `json:"kernel"`
	User   *ErrorSpread `json:"user"`
}

// An ErrorSpread is a distribution of sizes, in ms.
type ErrorSpread struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// ThisMachine is what a calibration made here and now would hold for.
func ThisMachine() CalibratedMachine {
	f := host.Info()
	return CalibratedMachine{CPU: f.CPU, Kernel: f.Kernel, Cores: f.Cores, Version: Version()}
}

// CalibrationFile is where this machine's calibration is kept: the file that
// the environment names, or one below the user's cache; "" when it says "off".
func CalibrationFile(env func(string) string) (string, error) {
	switch named := env(CalibrationEnv); named {
	case "":
	case "off":
		return "", nil
	default:
		return named, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	return filepath.Join(cache, "assay", "calibration", ThisMachine().key()+".json"), nil
}

// key is a file name for the machine.
func (m CalibratedMachine) key() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.CPU, m.Kernel, strconv.FormatFloat(m.Cores, 'g', -1, 64), m.Version}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// SaveCalibration writes the file whole or leaves the one that was there.
func SaveCalibration(file string, c *Calibration) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the calibration: %w", err)
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("save the calibration: %w", err)
	}
	return rundir.WriteFile(dir, filepath.Base(file), append(text, '\n'))
}

// LoadCalibration is the calibration of this machine as a run notes it; one
// that is not there, or is not of this machine, is unavailable and says why.
func LoadCalibration() observation.Calibration {
	file, err := CalibrationFile(os.Getenv)
	switch {
	case err != nil:
		return observation.Calibration{Unavailable: err.Error()}
	case file == "":
		return observation.Calibration{Unavailable: "switched off by " + CalibrationEnv}
	}
	c, err := ReadCalibration(file, ThisMachine())
	if err != nil {
		return observation.Calibration{Unavailable: err.Error()}
	}
	o := observation.Calibration{Taken: c.Taken, Version: c.Machine.Version}
	for _, one := range c.Ceilings {
		o.Ceilings = append(o.Ceilings, observation.Ceiling{Processes: one.Processes, Requests: one.Requests, Events: one.Events})
	}
	return o
}

// ReadCalibration reads a file that must be of this machine.
func ReadCalibration(file string, here CalibratedMachine) (*Calibration, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New(noCalibration)
	}
	if err != nil {
		return nil, fmt.Errorf("read the calibration: %w", err)
	}
	var c Calibration
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("the calibration %s is damaged (%w): `assay calibrate` makes a new one", file, err)
	}
	if c.Schema != CalibrationSchema {
		return nil, fmt.Errorf("the calibration %s is of schema %q and not %q: `assay calibrate` makes a new one", file, c.Schema, CalibrationSchema)
	}
	if other := here.differs(c.Machine); other != "" {
		return nil, fmt.Errorf("the calibration %s is of %s: `assay calibrate` makes one of this machine", file, other)
	}
	return &c, c.check(file)
}

// differs names the first thing in which that is not this machine.
func (m CalibratedMachine) differs(that CalibratedMachine) string {
	switch {
	case that.Version != m.Version:
		return fmt.Sprintf("version %q of assay, this is %q", that.Version, m.Version)
	case that.CPU != m.CPU:
		return fmt.Sprintf("another CPU, %q", that.CPU)
	case that.Kernel != m.Kernel:
		return fmt.Sprintf("another kernel, %q", that.Kernel)
	case that.Cores != m.Cores:
		return fmt.Sprintf("a machine with %g cores, this one has %g", that.Cores, m.Cores)
	}
	return ""
}

// check refuses numbers that no calibration can have found.
func (c *Calibration) check(file string) error {
	if len(c.Ceilings) == 0 {
		return fmt.Errorf("the calibration %s has no ceiling: `assay calibrate` makes a new one", file)
	}
	for _, one := range c.Ceilings {
		if one.Processes < 1 || one.Requests < 0 || one.Events < 0 {
			return fmt.Errorf("the calibration %s is damaged (%d processes, %g requests/s, %g events/s): `assay calibrate` makes a new one",
				file, one.Processes, one.Requests, one.Events)
		}
	}
	return nil
}
