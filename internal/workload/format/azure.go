package format

// Azure's LLM inference traces of 2023 and 2024: when each request came, and
// how many tokens it and its answer had.

import "assay/internal/workload"

var azureColumns = []string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}

func azureRow(header []string) row {
	at := places(header, azureColumns)
	if at == nil {
		return nil
	}
	return func(fields []string) ([]item, error) {
		e := workload.Entry{Timed: true}
		when, err := field(fields, at[0], azureColumns[0])
		if err == nil {
			e.At, err = date(azureColumns[0], when)
		}
		if err == nil {
			e.Input, err = count(fields, at[1], azureColumns[1])
		}
		if err == nil {
			e.Output, err = count(fields, at[2], azureColumns[2])
		}
		return one(e), err
	}
}
