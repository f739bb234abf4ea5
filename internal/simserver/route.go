package simserver

// Which face answers at a path. Some APIs have the model's name in the path,
// or one path for whole replies and another for streams; and two APIs may have
// the same path: then the request's body tells which is meant.

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"assay/internal/simserver/face"
)

// A route leads to a face.
type route struct {
	face          face.Face
	before, after string // around the model's name; before is all of the path where it has none
	model         bool
	streams       *bool // what the path says of the reply; nil: the body says it
}

// A way is a route that a request took.
type way struct {
	face    face.Face
	model   string // that the path names
	streams *bool
}

func routesOf(faces []face.Face) []route {
	var routes []route
	for _, f := range faces {
		whole, streamed := false, true
		if f.StreamPath == "" {
			routes = append(routes, newRoute(f, f.Path, nil))
			continue
		}
		routes = append(routes, newRoute(f, f.Path, &whole), newRoute(f, f.StreamPath, &streamed))
	}
	return routes
}

func newRoute(f face.Face, path string, streams *bool) route {
	r := route{face: f, streams: streams}
	r.before, r.after, r.model = strings.Cut(path, "{model}")
	return r
}

// waysTo are the faces at a path, those of a fixed path first.
func (s *Server) waysTo(path string) []way {
	var fixed, named []way
	for _, r := range s.routes {
		rest, ok := strings.CutPrefix(path, r.before)
		switch {
		case !ok:
		case !r.model && rest == "":
			fixed = append(fixed, way{r.face, "", r.streams})
		case r.model && len(rest) > len(r.after) && strings.HasSuffix(rest, r.after):
			named = append(named, way{r.face, strings.TrimSuffix(rest, r.after), r.streams})
		}
	}
	return append(fixed, named...)
}

// understand reads a request as the first face that can.
func (c *conn) understand(ways []way) (face.Face, face.Ask, error) {
	var first error
	for _, w := range ways {
		ask, err := w.face.Parse(c.body.Bytes())
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if w.model != "" {
			ask.Model = w.model
		}
		if w.streams != nil {
			ask.Stream = *w.streams
		}
		return w.face, ask, nil
	}
	return ways[0].face, face.Ask{}, first
}

// admitted tells whether a request shows the key, in one of the places where
// the face looks for it.
func (c *conn) admitted(req *http.Request, places []string) bool {
	key := c.s.config.APIKey
	if key == "" {
		return true
	}
	if len(places) == 0 {
		places = []string{"Authorization", "Api-Key"}
	}
	for _, place := range places {
		want, got := key, req.Header.Get(place)
		if place == "Authorization" {
			want = "Bearer " + key
		}
		if name, ok := strings.CutPrefix(place, "?"); ok {
			got = req.URL.Query().Get(name)
		}
		if subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1 {
			return true
		}
	}
	return false
}
