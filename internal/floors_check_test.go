// The checks behind floors_test.go: one source file against the tables there.
package internal

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

const modulePath = "assay/internal"

// check returns what the file breaks; name is relative to internal/.
func check(name string, source []byte) []string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	from := path.Dir(name)
	at, ok := floorOf(from)
	if !ok {
		return []string{fmt.Sprintf("%s: package %s has no floor in floors_test.go", name, from)}
	}
	var broken []string
	complain := func(node ast.Node, format string, args ...any) {
		broken = append(broken, fmt.Sprintf("%s: %s", set.Position(node.Pos()), fmt.Sprintf(format, args...)))
	}
	if lines := bytes.Count(source, []byte("\n")); lines >= longest {
		complain(file.Name, "the file has %d lines: split it by idea, the limit is %d", lines, longest)
	}
	for _, spec := range file.Imports {
		if why := refuseImport(from, at, strings.Trim(spec.Path.Value, `"`)); why != "" {
			complain(spec, "%s", why)
		}
	}
	names := localNames(file)
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.GoStmt:
			if at < effectsBegin && house(from) != "stats" {
				complain(n, "a goroutine below floor %d", effectsBegin)
			}
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				complain(n, "init: nothing happens before main")
			}
		case *ast.SelectorExpr:
			if why := refuseSelector(names, at, n); why != "" {
				complain(n, "%s", why)
			}
		}
		return true
	})
	return broken
}

// refuseImport says why package from, on floor at, may not import target.
func refuseImport(from string, at int, target string) string {
	own := house(from)
	if slices.Contains(forbidden[own], target) {
		return fmt.Sprintf("%s does without %s", own, target)
	}
	if target == "math/rand" {
		return target + " seeds itself: use seed.Rand"
	}
	inTestPackage := strings.HasSuffix(from, "test")
	if (target == "testing" || strings.HasPrefix(target, "testing/")) && !inTestPackage {
		return target + " is for tests only"
	}
	for module, houses := range confined {
		if within(target, module) && !slices.Contains(houses, own) {
			return fmt.Sprintf("%s is confined to %s", module, strings.Join(houses, ", "))
		}
	}
	if at < effectsBegin && !inTestPackage {
		for _, effect := range effects {
			// net/url is pure, so the standard library is matched whole.
			if target == effect || strings.Contains(effect, ".") && within(target, effect) {
				return fmt.Sprintf("%s on floor %d: effects begin on floor %d", target, at, effectsBegin)
			}
		}
	}
	if target != modulePath && !strings.HasPrefix(target, modulePath+"/") {
		return ""
	}
	return refuseInside(from, at, strings.TrimPrefix(target, modulePath+"/"))
}

// refuseInside judges an import between two packages of ours.
func refuseInside(from string, at int, to string) string {
	below, ok := floorOf(to)
	switch {
	case !ok:
		return fmt.Sprintf("%s has no floor in floors_test.go", to)
	case strings.HasSuffix(to, "test") && !strings.HasSuffix(from, "test"):
		return to + " is for tests only"
	case slices.Contains(oracle, house(from)) && !slices.Contains(slices.Concat(oracleMay, oracle), house(to)):
		return fmt.Sprintf("%s: the oracle shares only %s with the client", to, strings.Join(oracleMay, ", "))
	case slices.Contains(oracle, house(to)) && !slices.Contains(slices.Concat(oracleUsers, oracle), house(from)):
		return fmt.Sprintf("%s: the client does not know the oracle; only %s start it", to, strings.Join(oracleUsers, ", "))
	case house(from) == house(to):
		if within(from, to) || within(to, from) {
			return ""
		}
		return fmt.Sprintf("%s and %s are rooms of one house: they meet in %s only", from, to, house(from))
	case below >= at:
		return fmt.Sprintf("%s (floor %d) goes up or sideways from floor %d", to, below, at)
	}
	return ""
}

// refuseSelector says why a use of an imported name is not allowed.
func refuseSelector(names map[string]string, at int, n *ast.SelectorExpr) string {
	x, ok := n.X.(*ast.Ident)
	if !ok {
		return ""
	}
	target := names[x.Name]
	if target == "math/rand/v2" && !slices.Contains(ownGenerator, n.Sel.Name) {
		return fmt.Sprintf("rand.%s draws from a shared generator: use seed.Rand", n.Sel.Name)
	}
	if at < effectsBegin && slices.Contains(effectCalls[target], n.Sel.Name) {
		return fmt.Sprintf("%s.%s on floor %d: effects begin on floor %d", path.Base(target), n.Sel.Name, at, effectsBegin)
	}
	return ""
}

// localNames maps the names by which a file knows its imports to their paths.
func localNames(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range file.Imports {
		target := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(target)
		if name == "v2" {
			name = path.Base(path.Dir(target))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = target
	}
	return names
}

func floorOf(pkg string) (int, bool) {
	for floor, houses := range floors {
		if slices.Contains(houses, house(pkg)) {
			return floor, true
		}
	}
	return 0, false
}

// house is the first part of a package's path: wire for wire/http1.
func house(pkg string) string {
	first, _, _ := strings.Cut(pkg, "/")
	return first
}

// within tells whether a path is another or lies below it.
func within(name, root string) bool {
	return name == root || strings.HasPrefix(name, root+"/")
}
