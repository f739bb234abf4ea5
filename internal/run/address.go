package run

// Where requests go: from the contract's URL (a base or a full path) to the
// address of the endpoint, and whether that address is ours to load.

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"assay/internal/contract"
	"assay/internal/dialect"
)

// endpointURL is the address of a stream's endpoint. The dialect knows whether
// the URL is full, ends in the API's version, or is a base. An explicit path
// always follows the base. {model} stays in it until the model is known.
func endpointURL(base string, t *contract.Target, d dialect.Dialect) (*url.URL, error) {
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	if t.Path == "" {
		u.Path = d.Below(u.Path, streamed(*t))
	} else {
		path, query, _ := strings.Cut(t.Path, "?")
		u.Path = strings.TrimRight(u.Path, "/") + "/" + strings.TrimLeft(path, "/")
		addQuery(u, query)
	}
	if streamed(*t) {
		addQuery(u, d.Query)
	}
	return u, nil
}

// addQuery adds parameters to an address; one that stands there stays.
func addQuery(u *url.URL, query string) {
	for pair := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(pair, "="); name == "" || u.Query().Has(name) {
			continue
		}
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += pair
	}
}

// modelsURL is where the same server lists its models.
func modelsURL(base string, d dialect.Dialect) (*url.URL, error) {
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	u.Path = d.Base(u.Path) + d.Models
	return u, nil
}

// parseBase reads a base; that of a socket is on localhost.
func parseBase(base string) (*url.URL, error) {
	address, _ := cutSocket(base)
	u, err := url.Parse(address)
	if err != nil {
		return nil, usage(fmt.Errorf("target url %q: %w", base, err), "write it as http://HOST:PORT")
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, usage(fmt.Errorf("target url %q is not an http or https address", base), "write it as http://HOST:PORT")
	}
	return u, nil
}

// Strangers returns the hosts of the contract's targets that are neither
// loopback nor private: a load on them wants a yes. A name that can't be
// resolved is left to the preflight.
func Strangers(ctx context.Context, c *contract.Contract) []string {
	var out []string
	seen := map[string]bool{}
	for i := range c.Streams {
		for _, raw := range c.Streams[i].Target.URL {
			u, err := url.Parse(raw)
			if err != nil || u.Scheme == "unix" || seen[u.Hostname()] {
				continue
			}
			seen[u.Hostname()] = true
			if isStranger(ctx, u.Hostname()) {
				out = append(out, u.Hostname())
			}
		}
	}
	return out
}

func isStranger(ctx context.Context, host string) bool {
	addrs := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, a)
	} else if found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host); err == nil {
		addrs = found
	}
	for _, a := range addrs {
		a = a.Unmap()
		if !a.IsLoopback() && !a.IsPrivate() && !a.IsLinkLocalUnicast() && !a.IsUnspecified() {
			return true
		}
	}
	return false
}
