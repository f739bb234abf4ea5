// Package measure turns records into a summary for what is asked: counts,
// rates, tokens and the distribution of every metric, in one pass and in
// memory that is a few bytes an event. A metric's definition is its doc
// comment. It judges nothing, and what a record does not have stays missing:
// no zero ever stands for a value that does not exist.
package measure
