// The workload as the contract says it.

package workload

// A Spec is the workload of one stream as the contract states it.
type Spec struct {
	InputTokens  Length `yaml:"input_tokens,omitempty" json:"input_tokens,omitzero"`
	OutputTokens Length `yaml:"output_tokens,omitempty" json:"output_tokens,omitzero"`
	Prompts      string `yaml:"prompts,omitempty" json:"prompts,omitempty"`     // a JSONL file, instead of InputTokens
	Order        string `yaml:"order,omitempty" json:"order,omitempty"`         // of Prompts: "sampled" (default) or "sequential"
	Tokenizer    string `yaml:"tokenizer,omitempty" json:"tokenizer,omitempty"` // whose tokens are counted; "" counts words
	Salt         string `yaml:"salt,omitempty" json:"salt,omitempty"`           // drawn for each run unless set
}

// A Length is a law of token counts: 550, uniform(100, 200), normal(550, 150),
// lognormal(550, 150) (mean and standard deviation of the tokens themselves).
// Draws are rounded to whole tokens and are at least 1.
type Length struct {
	Law  string  // "constant", "uniform", "normal", "lognormal"; "" when not set
	A, B float64 // constant: A; uniform: A..B; normal and lognormal: mean A, standard deviation B
}
