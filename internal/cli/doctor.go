package cli

// assay doctor: what this machine can claim, before anything is sent.

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/run"
	"assay/internal/unit"
	"assay/internal/wire"

	"github.com/spf13/cobra"
)

// A finding is one fact of this machine. Lacks says what cannot be claimed
// because of it; "" when nothing is in the way.
type finding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Means string `json:"means"`
	Lacks string `json:"lacks,omitempty"`
}

func newDoctor(streams IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine can claim",
		Args:  cobra.NoArgs,
	}
	cmd.RunE = act(func(*cobra.Command, []string) error {
		findings := examine()
		if asJSON {
			return json.NewEncoder(streams.Out).Encode(findings)
		}
		return showFindings(streams.Out, findings)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// lookFor is how long doctor looks at the machine.
const lookFor = 500 * time.Millisecond

func examine() []finding {
	processes, machines := host.NewProcessSampler(0), host.NewMachineSampler()
	time.Sleep(lookFor)
	p, _ := processes.Sample()
	m := machines.Sample()
	stamps := stampsHere()
	return []finding{
		coresHere(), memoryHere(), stamps, waitingHere(p), machineHere(m), pressureHere(m), throttlingHere(m),
		retransmitsHere(m), descriptorsHere(), portsHere(m), receiptsHere(p, m, stamps.Lacks == ""), calibrationHere(),
	}
}

func showFindings(out io.Writer, findings []finding) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "assay\t%s\t%s/%s\n", run.Version(), runtime.GOOS, runtime.GOARCH)
	var lacking []string
	for _, f := range findings {
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.Value, f.Means)
		if f.Lacks != "" {
			lacking = append(lacking, f.Lacks)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(lacking) == 0 {
		_, err := fmt.Fprintln(out, "\nNothing here is in the way of a capacity claim; each run proves with its receipts that it was so.")
		return err
	}
	_, err := fmt.Fprintf(out, "\nIn the way:\n  %s\n", strings.Join(lacking, "\n  "))
	return err
}

// claimProcesses is the number of processes below which a run makes no claim.
const claimProcesses = 8

func coresHere() finding {
	facts := host.Info()
	f := finding{Name: "cores", Value: fmt.Sprintf("%.4g", facts.Cores)}
	var where []string
	for _, s := range []string{facts.CPU, facts.Kernel} {
		if s != "" {
			where = append(where, s)
		}
	}
	f.Means = strings.Join(where, ", ")
	if facts.Cores < float64(facts.CPUs) {
		f.Means += fmt.Sprintf("; a control group grants less than its %d CPUs", facts.CPUs)
	}
	if facts.Cores < claimProcesses {
		f.Means += fmt.Sprintf("; the %d processes of a claim share them, so keep rates low", claimProcesses)
	}
	return f
}

func memoryHere() finding {
	f := finding{Name: "memory", Value: "unknown"}
	if m := host.Info().Memory; m > 0 {
		f.Value = unit.SI(float64(m)) + "B"
	}
	return f
}

func stampsHere() finding {
	held, err := wire.EnableKernelStamps()
	if err != nil {
		return finding{
			Name: "kernel stamps", Value: "no", Means: "arrivals are stamped when this program reads them: " + err.Error(),
			Lacks: "without kernel stamps a late client looks like a late server up to the limit of read_lag",
		}
	}
	_ = held.Close() // it was only asked for
	return finding{Name: "kernel stamps", Value: "yes", Means: "arrival times do not depend on when this program wakes up"}
}

func waitingHere(p observation.Process) finding {
	if p.Unavailable != "" {
		return finding{
			Name: "waiting", Value: "no", Means: p.Unavailable,
			Lacks: "the receipt cpu is unavailable: no claim",
		}
	}
	return finding{Name: "waiting", Value: "yes", Means: "time that processes wait for a CPU can be read (schedstat)"}
}

func machineHere(m observation.Machine) finding {
	if m.Unavailable != "" {
		return finding{
			Name: "machine", Value: "no", Means: m.Unavailable,
			Lacks: "the receipt machine_cpu is unavailable: no claim",
		}
	}
	return finding{Name: "machine", Value: "yes", Means: "the load of all processes on these cores can be read"}
}

func descriptorsHere() finding {
	n, err := host.RaiseDescriptors()
	if err != nil {
		return finding{Name: "descriptors", Value: "unknown", Means: err.Error()}
	}
	return finding{Name: "descriptors", Value: fmt.Sprint(n), Means: "open files of each process: about as many replies at a time"}
}
