package contract

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator compiles our schema with another library than the one that made it.
func validator(t *testing.T) func(text string) error {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("contract.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("contract.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return err
		}
		var v any
		if err := json.Unmarshal(asJSON, &v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

func TestTheSchemaAcceptsWhatLoadAccepts(t *testing.T) {
	validate := validator(t)
	texts := map[string]string{"the full": full, "the least": least, "mixed": mixed}
	for _, name := range []string{"the full", "the least", "mixed"} {
		texts["canonical "+name] = string(canonicalOf(t, resolved(t, texts[name])))
	}
	for _, kind := range Templates() {
		text, err := Template(kind)
		if err != nil {
			t.Fatal(err)
		}
		texts["init --for "+kind] = string(text)
	}
	for name, text := range texts {
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSchemaRefusesTheGrosserMistakes(t *testing.T) {
	validate := validator(t)
	for _, name := range []string{
		"a misspelt block", "a misspelt key", "a key in the wrong block", "a misspelt key in a stream", "a rate without a unit",
		"a duration without a unit", "a wrong law", "a list for a value", "a value for a block", "a word for a number",
		"part of a process", "yes for true", "another version", "streams as a mapping",
	} {
		f, ok := faults[name]
		if !ok {
			t.Fatalf("no fault %q", name)
		}
		if validate(f.text) == nil {
			t.Errorf("%s: the schema accepts %q", name, f.text)
		}
	}
}

func TestTheSchemaDescribesEachKey(t *testing.T) {
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		Properties  map[string]node
		Items       *node
		AnyOf       []node
		Description string
	}
	var root node
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	seen := 0
	var visit func(n node, path string)
	visit = func(n node, path string) {
		for key, p := range n.Properties {
			seen++
			if p.Description == "" {
				t.Errorf("%s%s has no description", path, key)
			}
			visit(p, path+key+".")
			for _, form := range append(p.AnyOf, p) {
				if form.Items != nil {
					visit(*form.Items, path+key+"[].")
				}
			}
		}
	}
	visit(root, "")
	if seen != len(Keys()) {
		t.Errorf("the schema has %d keys, the types have %d", seen, len(Keys()))
	}
}
