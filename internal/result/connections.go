package result

// How the requests travelled: what stood between, and what they waited for
// before they could be sent.

import (
	"slices"

	"assay/internal/measure"
	"assay/internal/observation"
)

func (b *builder) connections() Connections {
	c := Connections{Insecure: []string{}, Proxies: []string{}}
	for i := range b.c.Streams {
		t := &b.c.Streams[i].Target
		c.Policy, c.HTTP = sole(c.Policy, t.Connections), sole(c.HTTP, t.HTTP)
		c.Multiplex = max(c.Multiplex, t.Multiplex)
		if t.Insecure {
			c.Insecure = append(c.Insecure, b.c.Streams[i].Name)
		}
	}
	for _, n := range b.log.notes {
		if n.Code == observation.NoteProxy && !slices.Contains(c.Proxies, n.Text) {
			c.Proxies = append(c.Proxies, n.Text)
		}
	}
	connect := b.whole("connect")
	c.Waited = connect.Count()
	if c.Waited > 0 {
		c.Connect, c.DNS, c.TLS = spread(connect), spread(b.whole("dns")), spread(b.whole("tls"))
	}
	c.URLs = b.urls()
	return c
}

// sole is the word that all streams have, else "mixed".
func sole(before, word string) string {
	if before == "" || before == word {
		return word
	}
	return "mixed"
}

// urls counts the requests of each address, where there are several.
func (b *builder) urls() []URL {
	list := []URL{}
	for _, d := range b.s.Dimensions() {
		if d.Name != "url" || len(d.Parts) < 2 {
			continue
		}
		for _, p := range d.Parts {
			list = append(list, b.countsOf(p))
		}
	}
	return list
}

func (b *builder) countsOf(p measure.Part) URL {
	n := b.s.Counts(p.Filter)
	return URL{URL: p.Label, Due: n.Population, OK: n.OK, Failed: n.Failed, Censored: n.Censored}
}
