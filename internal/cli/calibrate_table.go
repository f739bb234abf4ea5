package cli

// The tables of assay calibrate for people.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"assay/internal/run"
	"assay/internal/unit"
)

// showCalibration prints the tables for people.
func showCalibration(out io.Writer, c *run.Calibration) error {
	m := c.Machine
	fmt.Fprintf(out, "%s, kernel %s, %g cores, assay %s; %.0f s\n\n", orUnknown(m.CPU), orUnknown(m.Kernel), m.Cores, m.Version, c.Seconds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "processes\trequests/s\tscales\tlimited by\tevents/s\tscales\tlimited by\t")
	for _, one := range c.Ceilings {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", one.Processes,
			rateText(one.Requests), scaleText(one.Requests, c.Ceilings[0].Requests), limitText(one.RequestsLimitedBy),
			rateText(one.Events), scaleText(one.Events, c.Ceilings[0].Events), limitText(one.EventsLimitedBy))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, "\n"+serverText(c)+"\n"); err != nil {
		return err
	}
	return showErrors(out, c)
}

// showErrors prints how far off each clock was.
func showErrors(out io.Writer, c *run.Calibration) error {
	if len(c.Errors) == 0 {
		_, err := fmt.Fprintln(out, "No load was carried, so no errors were measured.")
		return err
	}
	last := c.Ceilings[len(c.Ceilings)-1].Processes
	fmt.Fprintf(out, "Error in ms, p50 / p99 / max, with %d processes:\n", last)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "of the ceiling\tevents/s\tTTFT, kernel\tTTFT, user space\tITL, kernel\tITL, user space\tevents\t")
	var notes []string
	for _, e := range c.Errors {
		fmt.Fprintf(w, "%.0f%%\t%s\t%s\t%s\t%s\t%s\t%d\t\n", e.Load*100, rateText(e.Events),
			spreadText(e.TTFT.Kernel), spreadText(e.TTFT.User), spreadText(e.ITL.Kernel), spreadText(e.ITL.User), e.Count)
		if !e.Valid {
			notes = append(notes, fmt.Sprintf("At %.0f%% the run was refused: %s.", e.Load*100, e.BrokenBy))
		}
		if e.Compared < e.Requests {
			notes = append(notes, fmt.Sprintf("At %.0f%% the server knew the truth of %d of %d requests.", e.Load*100, e.Compared, e.Requests))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range append(notes, truthText(c.Errors[len(c.Errors)-1])) {
		fmt.Fprintln(out, n)
	}
	return nil
}

// truthText says how good the truth itself is.
func truthText(e run.CalibratedAccuracy) string {
	if e.Looks == nil || e.Sending == nil {
		return "Nothing could be compared."
	}
	return fmt.Sprintf("The truth: at the highest load the server knew its own writes to within %.3f ms (p99), and had read a request\n%.3f / %.3f / %.3f ms after it was sent.",
		e.Looks.P99, e.Sending.P50, e.Sending.P99, e.Sending.Max)
}

// serverText says what the servers took, and what that does to the ceilings.
func serverText(c *run.Calibration) string {
	one := c.Ceilings[len(c.Ceilings)-1]
	var said []string
	add := func(what, unit string, server, client, machine, bound *float64) {
		if server == nil || client == nil || machine == nil {
			said = append(said, fmt.Sprintf("At the ceiling in %s the CPU of client and server can't be told apart here.", what))
			return
		}
		text := fmt.Sprintf("At the ceiling in %s with %d processes the machine was %.0f%% busy: the client took %.0f%%, the server %.0f%%.",
			what, one.Processes, *machine*100, *client*100, *server*100)
		if bound != nil {
			text += fmt.Sprintf("\n  The machine was the limit, and the server part of it: with the server elsewhere the ceiling is\n  at least %s %s (reckoned, not measured: docs/calibrate.md).", rateText(*bound), unit)
		}
		said = append(said, text)
	}
	if one.Requests > 0 {
		add("requests", "requests/s", one.RequestsServerCPU, one.RequestsClientCPU, one.RequestsMachine, one.RequestsBound)
	}
	if one.Events > 0 {
		add("events", "events/s", one.ServerCPU, one.ClientCPU, one.MachineCPU, one.EventsBound)
	}
	return strings.Join(said, "\n") + "\n"
}

func rateText(v float64) string {
	if v <= 0 {
		return "none"
	}
	return unit.SI(v)
}

func scaleText(v, one float64) string {
	if one <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f×", v/one)
}

func limitText(s string) string {
	if s == "" {
		return "not reached"
	}
	return s
}

func spreadText(s *run.ErrorSpread) string {
	if s == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f / %.3f / %.3f", s.P50, s.P99, s.Max)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
