package dialect

// What an API's file reads values with. Each reader consumes one value.

import "bytes"

// object reads an object's members one by one; null is none. Something else is
// strange and named by what, or nothing where that is "".
func (d *decoder) object(what string, member func(d *decoder, key []byte)) {
	if !d.in.open('{') {
		d.other(what)
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		member(d, key)
	}
}

// only is object for what must be one: null is strange too.
func (d *decoder) only(what string, member func(d *decoder, key []byte)) {
	if d.in.class() != '{' {
		d.strange(what)
		return
	}
	d.object(what, member)
}

// list reads an array's elements one by one, and returns how many there are.
func (d *decoder) list(what string, element func(d *decoder)) int {
	if !d.in.open('[') {
		d.other(what)
		return 0
	}
	n := 0
	for ; d.in.more(n == 0, ']'); n++ {
		element(d)
	}
	return n
}

// oneOrMore reads an object, or each of an array of them.
func (d *decoder) oneOrMore(member func(d *decoder, key []byte)) {
	if !d.in.open('[') {
		d.object("", member)
		return
	}
	for first := true; d.in.more(first, ']'); first = false {
		d.object("", member)
	}
}

// other is a value of another type than the API has there.
func (d *decoder) other(what string) {
	switch {
	case d.in.null():
	case what == "":
		d.in.skip()
	default:
		d.strange(what)
	}
}

// strange notes the first thing that is not as the API says, and consumes it.
func (d *decoder) strange(what string) {
	if d.now.strange == "" {
		d.now.strange = what
	}
	d.in.skip()
}

// filled reads a string and tells whether it has a character; white space is
// one. Null is nothing; another type is strange, unless name is "".
func (d *decoder) filled(name string) bool {
	raw, ok := d.in.text()
	switch {
	case ok:
		return len(raw) > 0
	case name == "":
		d.in.skip()
	case !d.in.null():
		d.strange(name + " is no string")
	}
	return false
}

// words reads a string of the reply proper and tells whether it has a
// character.
func (d *decoder) words(name string) bool {
	start := d.in.i
	filled := d.filled(name)
	if filled && d.keeps {
		quoted := bytes.TrimSpace(d.in.b[start:d.in.i])
		d.kept = append(d.kept, plainly(quoted[1:len(quoted)-1])...)
	}
	return filled
}

// plainly is a string without its escapes.
func plainly(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return unescape(raw)
}

// speaks, thinks and calls read a string that is text, reasoning or a part of
// a tool call.
func (d *decoder) speaks(name string) { d.now.text = d.words(name) || d.now.text }

func (d *decoder) thinks() { d.now.reasoning = d.filled("") || d.now.reasoning }

func (d *decoder) calls() { d.now.tool = d.filled("") || d.now.tool }

// later leaves a value unread until the whole event is known.
func (d *decoder) later() {
	d.in.class()
	start := d.in.i
	d.in.skip()
	d.now.delta = span{start, d.in.i}
}

// back reads the value that was left unread.
func (d *decoder) back(read func(d *decoder)) {
	if d.now.delta.to == 0 || d.in.bad {
		return
	}
	end := d.in.i
	d.in.i = d.now.delta.from
	read(d)
	d.in.i = end
}

// says consumes a value and tells whether it says anything: null, false, ""
// and {} don't.
func (d *decoder) says() bool {
	d.in.class()
	start := d.in.i
	d.in.skip()
	switch string(d.in.b[min(start, d.in.i):d.in.i]) {
	case "null", "false", `""`, "{}":
		return false
	}
	return true
}

// truth reads a boolean; anything else is false.
func (d *decoder) truth() bool {
	is := d.in.class() == 't'
	d.in.skip()
	return is
}

// fails reads a member that is an error if it says anything.
func (d *decoder) fails() { d.now.failed = d.says() || d.now.failed }

// reason reads why the reply ended, of the one choice that an API has. The
// reply counts as finished from there.
func (d *decoder) reason() {
	if raw := d.word("a finish reason"); len(raw) > 0 {
		d.now.finish = raw
		d.sum.see(0, true)
	}
}

// word reads a string, as it was written; nil for null.
func (d *decoder) word(what string) []byte {
	if raw, ok := d.in.text(); ok {
		return raw
	}
	if !d.in.null() {
		d.strange(what + " is no string")
	}
	return nil
}

// usage reads a usage object.
func (d *decoder) usage() {
	if d.in.null() {
		return
	}
	d.now.usage = d.in.usage().over(d.now.usage)
	d.now.hasUsage = true
}

// counts reads one number of a usage that lies about in an event.
func (d *decoder) counts(n *int) {
	d.in.countInto(n)
	d.now.hasUsage = true
}
