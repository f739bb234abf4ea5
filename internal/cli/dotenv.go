package cli

// The .env file of the working folder: names that the environment does not
// have yet. Messages never show a value.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

func loadDotEnv(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	pairs, err := parseDotEnv(string(data))
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	for _, p := range pairs {
		if _, set := os.LookupEnv(p[0]); set {
			continue
		}
		if err := os.Setenv(p[0], p[1]); err != nil {
			return fmt.Errorf("%s: set %s: %w", path, p[0], err)
		}
	}
	return nil
}

// parseDotEnv reads NAME=VALUE lines, with `export`, comments and quotes. A
// value in single quotes stands as it is; in double quotes \n, \", \\ and \$
// are what they are in a shell. Nothing is expanded.
func parseDotEnv(text string) ([][2]string, error) {
	var pairs [][2]string
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		line = strings.TrimSpace(strings.TrimPrefix(line, "export "))
		name, value, found := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !found || !isName(name) {
			return nil, fmt.Errorf("%d: not NAME=VALUE", i+1)
		}
		value, err := unquote(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("%d: %s: %w", i+1, name, err)
		}
		pairs = append(pairs, [2]string{name, value})
	}
	return pairs, nil
}

func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func unquote(v string) (string, error) {
	if v == "" || v[0] != '"' && v[0] != '\'' {
		if i := strings.Index(v, " #"); i >= 0 {
			v = strings.TrimSpace(v[:i])
		}
		return v, nil
	}
	quote, rest := v[0], v[1:]
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == quote:
			if after := strings.TrimSpace(rest[i+1:]); after != "" && after[0] != '#' {
				return "", errors.New("something follows the closing quote")
			}
			return b.String(), nil
		case c == '\\' && quote == '"' && i+1 < len(rest) && strings.IndexByte(`n"\$`, rest[i+1]) >= 0:
			i++
			if rest[i] == 'n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("the quote is not closed")
}
