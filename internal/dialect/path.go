package dialect

// Where an API is below the address of a server. Addresses are written in
// three ways: the server's base, the base with the API's version at its end,
// or the full path.

import (
	"regexp"
	"strings"
)

// modelHere stands in a path for the model's name.
const modelHere = "{model}"

// version begins a path: /v1, /v1beta, /v2.
var version = regexp.MustCompile(`^/v[0-9]+[a-z]*`)

// PathOf is the default path of a request.
func (d Dialect) PathOf(streamed bool) string {
	if streamed && d.StreamPath != "" {
		return d.StreamPath
	}
	return d.Path
}

// Below is the path of a request to a server whose address has this path. A
// full path that is that of whole answers becomes that of streamed ones where
// they differ, and the other way round.
func (d Dialect) Below(base string, streamed bool) string {
	base = strings.TrimRight(base, "/")
	path := d.PathOf(streamed)
	if n, _ := ending(base, path); n > 0 {
		return base
	}
	if n, model := ending(base, d.PathOf(!streamed)); n > 0 {
		path = unversioned(path)
		if model != "" {
			path = WithModel(path, model)
		}
		return base[:len(base)-n] + path
	}
	if from := version.FindString(path); from != "" && strings.HasSuffix(base, from) {
		return base + path[len(from):]
	}
	return base + path
}

// Base is the path of a server's address without what is the API's.
func (d Dialect) Base(base string) string {
	base = strings.TrimRight(base, "/")
	base = base[:len(base)-d.Full(base)]
	return strings.TrimSuffix(base, version.FindString(d.Path))
}

// Full is how many bytes at the end of a full path are the API's; 0 when it is
// none.
func (d Dialect) Full(path string) int {
	path = strings.TrimRight(path, "/")
	whole, _ := ending(path, d.PathOf(false))
	streamed, _ := ending(path, d.PathOf(true))
	return max(whole, streamed)
}

// unversioned is the part of a path by which it is known: many gateways have
// another version before OpenAI's paths, and before those with a model.
func unversioned(path string) string {
	if from := version.FindString(path); from == "/v1" || strings.Contains(path, modelHere) {
		return path[len(from):]
	}
	return path
}

// ending is the length of the end of path that is the API's path, and the
// model in it; 0 when it does not end so.
func ending(path, own string) (n int, model string) {
	before, after, hasModel := strings.Cut(unversioned(own), modelHere)
	if !hasModel {
		if before == "" || !strings.HasSuffix(path, before) {
			return 0, ""
		}
		return len(before), ""
	}
	rest, ok := strings.CutSuffix(path, after)
	at := strings.LastIndex(rest, before)
	if !ok || at < 0 || at+len(before) == len(rest) {
		return 0, ""
	}
	return len(path) - at, rest[at+len(before):]
}

// WithModel is a path with the model's name in its place.
func WithModel(path, model string) string { return strings.ReplaceAll(path, modelHere, model) }
