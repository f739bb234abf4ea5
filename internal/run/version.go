package run

// version is this release; a build outside a release says so.
const version = "0.1.0-dev"

// Version is the version of this binary, as it stands in every result.
func Version() string { return version }
