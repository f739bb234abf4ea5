package dialect

// Table returns every API, one line each, the default first.
func Table() []Dialect {
	return []Dialect{
		chat,
		completions,
	}
}

// Find returns the API that a contract names.
func Find(name string) (Dialect, bool) {
	for _, d := range Table() {
		if d.Name == name {
			return d, true
		}
	}
	return Dialect{}, false
}
