// Package report turns a result into what people and programs read: one file
// and one line of the table for each form. A form is a function of the result
// and of nothing else: it computes no statistic, drops no bad news, and
// prints no throughput without the latencies reached beside it. It refuses to
// show the numbers of an invalid run as if they described the server.
package report

import (
	"io"

	"assay/internal/result"
)

// Options say where a report goes and how much of it is wanted.
type Options struct {
	Color   bool     // the reader is a terminal that wants colour
	Verbose bool     // every metric and every dimension, not only the main ones
	Dir     string   // the run's folder, "" when there is none
	Files   []string // the names of its files
}

// A Form is one way of showing a result.
type Form struct {
	Name  string
	What  string
	Write func(io.Writer, *result.Result, Options) error
}

// Forms lists the forms, the default first.
func Forms() []Form {
	return []Form{
		{"text", "for reading: the verdict first", Text},
		{"json", "result.json as it is", JSON},
	}
}

// Find returns the form with this name.
func Find(name string) (Form, bool) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}
