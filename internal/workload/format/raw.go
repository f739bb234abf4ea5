package format

// Bodies, one a line, that are sent as they are.

import "assay/internal/workload"

func isRaw(p probe) string {
	if name := p.any("messages", "prompt", "input"); name != "" {
		return "an object is a body: it has " + name
	}
	return ""
}

func rawLine(o object) ([]item, error) {
	e := workload.Entry{Alone: true}
	if err := payload(&e, o.data); err != nil {
		return nil, err
	}
	return one(e), nil
}
