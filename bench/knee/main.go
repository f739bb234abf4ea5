// Command knee prints the time to the first token against the rate for a
// preset of the embedded server, from idle to beyond capacity: in virtual time,
// which takes a second, and for some rates also by real runs of the client
// against the server behind sockets. Both send the requests of one contract at
// the instants of its schedule, so that the rows can be compared.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A question is what is asked of one preset.
type question struct {
	preset   string
	set      map[string]string
	duration string
	warmup   string
	assay    string
}

// A row is what came of one rate. Times are ms.
type row struct {
	due            int
	ttft50, ttft99 float64
	itl50, itl99   float64
	tokens         float64 // output tokens of a second, inside the window
	note           string
}

func main() {
	q := question{set: map[string]string{}}
	rates := flag.String("rates", "1,5,10,15,20,25,28,30,32,34,36,40,50", "rates of the rows, requests a second")
	sockets := flag.String("sockets", "", "of these rates also a real run each; they last as long as they say")
	flag.StringVar(&q.preset, "preset", "h100-8b", "what is simulated")
	flag.StringVar(&q.duration, "duration", "60s", "the window")
	flag.StringVar(&q.warmup, "warmup", "15s", "before it")
	flag.StringVar(&q.assay, "assay", "bin/assay", "the client, for -sockets")
	flag.Func("set", "NAME=VALUE, a parameter of the preset", func(pair string) error {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=VALUE", pair)
		}
		q.set[name] = value
		return nil
	})
	flag.Parse()
	if err := q.print(split(*rates), split(*sockets)); err != nil {
		fmt.Fprintln(os.Stderr, "knee:", err)
		os.Exit(1)
	}
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func (q question) print(rates, sockets []string) error {
	fmt.Printf("%s, window %s after %s of warm-up\n\n", q.preset, q.duration, q.warmup)
	fmt.Println("| time | requests/s | requests | TTFT p50 ms | TTFT p99 ms | ITL p50 ms | ITL p99 ms | output tokens/s | |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|---|")
	for _, part := range []struct {
		name  string
		rates []string
		ask   func(string) (row, error)
	}{{"virtual", rates, q.virtual}, {"real", sockets, q.real}} {
		for _, rate := range part.rates {
			if _, err := strconv.ParseFloat(rate, 64); err != nil {
				return fmt.Errorf("rate %q is no number", rate)
			}
			r, err := part.ask(rate)
			if err != nil {
				return fmt.Errorf("%s/s: %w", rate, err)
			}
			fmt.Printf("| %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %.0f | %s |\n",
				part.name, rate, r.due, r.ttft50, r.ttft99, r.itl50, r.itl99, r.tokens, r.note)
		}
	}
	return nil
}
