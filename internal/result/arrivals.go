package result

// What was really sent against what was asked.

// arrivalTest says whether the requests left as the contract's law has it.
func (b *builder) arrivalTest() string { return "" }
