// The workload as the contract says it.

package workload

// A Spec is the workload of one stream as the contract states it.
type Spec struct {
	InputTokens    Length    `yaml:"input_tokens,omitempty" json:"input_tokens,omitzero"`
	OutputTokens   Length    `yaml:"output_tokens,omitempty" json:"output_tokens,omitzero"`
	Lengths        []Pair    `yaml:"lengths,omitempty" json:"lengths,omitempty"`                 // of both, instead of InputTokens and OutputTokens
	Prefix         Prefix    `yaml:"prefix,omitempty" json:"prefix,omitzero"`                    // within InputTokens
	Images         Images    `yaml:"images,omitempty" json:"images,omitzero"`                    // beside the words of each request
	Audio          Audio     `yaml:"audio,omitempty" json:"audio,omitzero"`                      // likewise
	Batch          Length    `yaml:"batch,omitempty" json:"batch,omitzero"`                      // texts in a request, InputTokens each
	Documents      Documents `yaml:"documents,omitempty" json:"documents,omitzero"`              // beside the text of each request, to be compared with it
	Prompts        string    `yaml:"prompts,omitempty" json:"prompts,omitempty"`                 // a JSONL file, instead of InputTokens
	Order          string    `yaml:"order,omitempty" json:"order,omitempty"`                     // of Prompts: "sampled" (default) or "sequential"
	File           string    `yaml:"file,omitempty" json:"file,omitempty"`                       // of requests, in one of the formats of package format; instead of Prompts
	Format         string    `yaml:"format,omitempty" json:"format,omitempty"`                   // of File; "": found by content
	Block          int       `yaml:"block,omitempty" json:"block,omitempty"`                     // tokens of a hash block of File; 0: as the format has it
	Strict         bool      `yaml:"strict,omitempty" json:"strict,omitempty"`                   // a line of File that can't be used is an error
	Tokenizer      string    `yaml:"tokenizer,omitempty" json:"tokenizer,omitempty"`             // whose tokens are counted; "" counts words
	TemplateTokens *int      `yaml:"template_tokens,omitempty" json:"template_tokens,omitempty"` // what the server adds to each prompt; nil: what it was seen to add
	Sessions       *Sessions `yaml:"sessions,omitempty" json:"sessions,omitempty"`               // conversations of several turns
	Agent          []Call    `yaml:"agent,omitempty" json:"agent,omitempty"`                     // calls in a tree, instead of InputTokens and OutputTokens
	Cache          string    `yaml:"cache,omitempty" json:"cache,omitempty"`                     // Natural: the words of every run are the same
	Salt           string    `yaml:"salt,omitempty" json:"salt,omitempty"`                       // drawn for each run unless set
}

// A Length is a law of token counts: 550, uniform(100, 200), normal(550, 150),
// lognormal(550, 150) (mean and standard deviation of the tokens themselves),
// zipf(1.1, 4000) (k tokens in proportion to k^-1.1, up to 4000). Draws are
// rounded to whole tokens and are at least 1.
type Length struct {
	Law  string  // "constant", "uniform", "normal", "lognormal", "zipf"; "" when not set
	A, B float64 // constant: A; uniform: A..B; normal and lognormal: mean A, standard deviation B; zipf: exponent A, largest B
}
