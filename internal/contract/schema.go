// The JSON Schema of the file, for editors: completion, descriptions and the
// grosser mistakes. It accepts every canonical form; Load is stricter.

package contract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"assay/internal/arrival"
	"assay/internal/dialect"
	"assay/internal/slo"
	"assay/internal/unit"
	"assay/internal/workload"
)

// schemaID names the schema; it is a name, not an address.
const schemaID = "urn:assay:contract:v1"

// Patterns of the values that are written as words.
const (
	durationPattern  = `^\s*(0|([0-9]*\.?[0-9]+(ns|us|µs|μs|ms|s|m|h))+)\s*$`
	ratePattern      = `^\s*[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?\s*/\s*(s|min|h)\s*$`
	peakPattern      = `^\s*[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?\s*(x|/\s*(s|min|h))\s*$`
	fractionPattern  = `^\s*[0-9]*\.?[0-9]+\s*%?\s*$`
	pausePattern     = `^\s*(([0-9]*\.?[0-9]+(ns|us|µs|μs|ms|s|m|h))+|(uniform|normal|lognormal|exponential)\s*\(.*\))\s*$`
	lengthPattern    = `^\s*([0-9]+|(uniform|normal|lognormal|zipf)\s*\(.*,.*\))\s*$`
	objectivePattern = `^\s*[a-z_]+\s*(\[.*\])?\s*(p[0-9.]+|mean|max|min)?\s*(<|<=|>|>=)\s*[0-9.]+.*$`
)

// Schema returns the JSON Schema (draft 2020-12) of the contract file.
func Schema() ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, FieldNameTag: "yaml", Mapper: mapped}
	s := r.Reflect(&Contract{})
	s.ID, s.Title = schemaID, "Assay contract"
	if err := describe(s, ""); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	// The library escapes for HTML, which no reader of a pattern wants.
	text = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text)))
	return append(text, '\n'), nil
}

// mapped is the schema of types that are read from words.
func mapped(t reflect.Type) *jsonschema.Schema {
	word := func(pattern string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Pattern: pattern}
	}
	number := func(s *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "number", Minimum: "0"}}}
	}
	oneOrMore := func(s *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "array", Items: s}}}
	}
	switch t {
	case reflect.TypeFor[unit.Duration]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{word(durationPattern), {Const: 0}}}
	case reflect.TypeFor[unit.Pause]():
		return word(pausePattern)
	case reflect.TypeFor[unit.Rate]():
		return word(ratePattern)
	case reflect.TypeFor[unit.Fraction]():
		return number(word(fractionPattern))
	case reflect.TypeFor[workload.Length]():
		return number(word(lengthPattern))
	case reflect.TypeFor[workload.Turns]():
		return number(word(lengthPattern))
	case reflect.TypeFor[workload.Popularity]():
		return word(`^\s*(uniform|zipf(\(.*\))?)\s*$`)
	case reflect.TypeFor[[]workload.Pair]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: pairSchema()}}}
	case reflect.TypeFor[[]slo.Objective]():
		return oneOrMore(word(objectivePattern))
	case reflect.TypeFor[[]unit.Duration]():
		return oneOrMore(word(durationPattern))
	case reflect.TypeFor[arrival.Peak]():
		return word(peakPattern)
	case reflect.TypeFor[[]int]():
		return oneOrMore(&jsonschema.Schema{Type: "integer"})
	case reflect.TypeFor[[]string]():
		return oneOrMore(&jsonschema.Schema{Type: "string"})
	case reflect.TypeFor[map[string]string]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{
			AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}},
		}}
	}
	return nil
}

// describe adds the texts of the reference, and the values of the tables that
// the types can't know. What is required the schema leaves to Load: a flag may
// give it.
func describe(s *jsonschema.Schema, path string) error {
	s.Required = nil
	if s.Properties == nil {
		return nil
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		sub := join(path, p.Key)
		e, ok := entryFor(sub)
		if !ok {
			return fmt.Errorf("internal error: no reference for the key %s", sub)
		}
		p.Value.Description = e.text
		if e.usual != "" {
			p.Value.Description += " Default: " + e.usual + "."
		}
		switch e.path {
		case "version":
			p.Value.Const = Version
		case "traffic.arrivals":
			p.Value.Enum = anys(arrival.Shapes())
		case "traffic.shape.form":
			p.Value.Enum = anys([]string{arrival.Linear, arrival.Exponential, arrival.Steps, arrival.Step})
		case "traffic.shape.base":
			p.Value.Enum = anys([]string{arrival.Poisson, arrival.Constant, arrival.Gamma, arrival.Weibull})
		case "traffic.shape.unit":
			p.Value.Enum = anys([]string{"s", "ms", "us", "ns"})
		case "target.endpoint":
			for _, d := range dialect.Table() {
				p.Value.Enum = append(append(p.Value.Enum, d.Name), anys(d.Aliases)...)
			}
		case "workload.sessions.history":
			p.Value.Enum = anys([]string{workload.Live, workload.Recorded})
		case "workload.cache":
			p.Value.Enum = anys([]string{workload.Salted, workload.Natural})
		case "workload.images.format":
			p.Value.Enum = anys([]string{workload.PNG, workload.JPEG})
		case "workload.audio.format":
			p.Value.Enum = anys([]string{workload.WAV})
		case "workload.order":
			p.Value.Enum = anys([]string{"sampled", "sequential"})
		}
		if p.Value.Items != nil && p.Value.Items.Properties != nil {
			if err := describe(p.Value.Items, sub+"[]"); err != nil {
				return err
			}
		}
		for _, form := range p.Value.AnyOf {
			if form.Items != nil && form.Items.Properties != nil {
				if err := describe(form.Items, sub+"[]"); err != nil {
					return err
				}
			}
		}
		if err := describe(p.Value, sub); err != nil {
			return err
		}
	}
	return nil
}

func anys(words []string) []any {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}
