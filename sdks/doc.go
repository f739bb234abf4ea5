// Package sdks has the makers' own clients talk to the embedded server. Nobody
// here wrote them, so what they understand is the API and not our reading of
// it. They are dependencies of this module alone.
package sdks
