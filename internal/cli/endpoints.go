package cli

// assay endpoints: the APIs that this binary speaks.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"assay/internal/dialect"

	"github.com/spf13/cobra"
)

func newEndpoints(streams IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "endpoints [NAME]",
		Short:   "List the APIs that a contract can name",
		Long:    "List the APIs that a contract can name, or show one of them with an example.",
		Example: "  assay endpoints\n  assay endpoints chat",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return dialect.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = act(func(_ *cobra.Command, args []string) error {
		list := dialect.Table()
		if len(args) == 1 {
			d, ok := dialect.Find(args[0])
			if !ok {
				return usagef("`assay endpoints` lists them", "unknown endpoint %q", args[0])
			}
			list = []dialect.Dialect{d}
		}
		shown := make([]endpoint, len(list))
		for i, d := range list {
			var err error
			if shown[i], err = newEndpoint(d); err != nil {
				return err
			}
		}
		switch {
		case asJSON:
			e := json.NewEncoder(streams.Out)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(shown)
		case len(args) == 1:
			return shown[0].show(streams.Out)
		}
		return tabulate(streams.Out, shown)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// An endpoint is a dialect as it is shown.
type endpoint struct {
	Name        string          `json:"name"`
	Aliases     []string        `json:"aliases"`
	About       string          `json:"about"`
	Path        string          `json:"path"`
	StreamPath  string          `json:"stream_path,omitempty"`
	Streams     bool            `json:"streams"`
	Framing     string          `json:"framing,omitempty"`
	Measures    string          `json:"measures"`
	OutputLimit string          `json:"output_limit,omitempty"`
	Auth        string          `json:"auth"`
	Request     json.RawMessage `json:"request"`
	Contract    string          `json:"contract"`
}

func newEndpoint(d dialect.Dialect) (endpoint, error) {
	request := d.Example("Why is the sky blue?")
	request.OutputTokens = 64
	body, err := d.Encode(request, dialect.Options{Model: "MODEL", Stream: d.Streams})
	if err != nil {
		return endpoint{}, fmt.Errorf("an example of %s: %w", d.Name, err)
	}
	e := endpoint{
		Name: d.Name, Aliases: append([]string{}, d.Aliases...), About: d.About, Path: d.Path, StreamPath: d.StreamPath,
		Streams: d.Streams, Measures: string(d.Measures), OutputLimit: d.LimitField, Auth: d.Key.String(), Request: body,
	}
	if d.Measures == "" {
		e.Measures = string(dialect.Tokens)
	}
	if d.Streams {
		e.Framing = d.Framing.String()
	}
	e.Contract = exampleOf(d)
	return e, nil
}

// exampleOf is a contract to start from.
func exampleOf(d dialect.Dialect) string {
	target := "  url: http://127.0.0.1:8000\n  endpoint: " + d.Name + "\n"
	if !d.Modelless {
		target += "  model: MODEL\n"
	}
	slo := "  - error_rate < 1%\n"
	if d.Streams && (d.Measures == "" || d.Measures == dialect.Tokens) {
		slo = "  - ttft p50 < 500ms\n" + slo
	}
	switch {
	case d.Takes&dialect.Documents != 0:
		target += "workload:\n  input_tokens: 32 # of the query\n  documents: {count: 10, tokens: 128}\n"
	case d.Takes&dialect.Texts != 0:
		target += "workload:\n  input_tokens: 128 # of each text\n  batch: 8\n"
	}
	return "version: 1\ntarget:\n" + target + "slo:\n" + slo + "traffic:\n  rate: 10/s\n  duration: 60s\n"
}

func tabulate(out io.Writer, list []endpoint) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ENDPOINT\tPATH\tSTREAMS\tMEASURES\tOUTPUT LIMIT\tALSO CALLED")
	for _, e := range list {
		streams, limit := "no", "-"
		if e.Streams {
			streams = e.Framing
		}
		if e.OutputLimit != "" {
			limit = e.OutputLimit
		}
		also := "-"
		if len(e.Aliases) > 0 {
			also = strings.Join(e.Aliases, ", ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Name, e.Path, streams, e.Measures, limit, also)
	}
	return w.Flush()
}

// show is one endpoint with its example.
func (e endpoint) show(out io.Writer) error {
	path := e.Path
	if e.StreamPath != "" {
		path += ", streamed " + e.StreamPath
	}
	_, err := fmt.Fprintf(out, "%s: %s\npath      %s\nmeasures  %s\nkey       %s\nrequest   %s\n\n%s", e.Name, e.About, path, e.Measures, e.Auth, e.Request, e.Contract)
	return err
}
