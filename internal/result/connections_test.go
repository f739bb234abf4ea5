package result_test

// How requests travelled and what was refused, of records made by hand.

import (
	"net/http"
	"strings"
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"
)

func TestSetUpIsOfTheRequestsThatWaitedForIt(t *testing.T) {
	c := load(t, strings.Replace(quick, "model: m", "model: m, connections: per_request, insecure: true", 1))
	list := server(c, 80*ms, 10*ms, 0)
	waited := int64(0)
	for i := range list {
		if r := &list[i]; i%2 == 0 {
			r.Reused, r.DNS, r.Connect, r.TLS = false, 1*ms, 12*ms, 7*ms
			if r.Phase == record.Measured {
				waited++
			}
		}
	}
	list[len(list)-1].Reused = false
	list[len(list)-1].Connect = 99 * ms
	if (len(list)-1)%2 != 0 {
		waited++
	}
	got := build(t, c, list, machines(0.1)).Connections
	if got.Policy != "per_request" || len(got.Insecure) != 1 || got.Insecure[0] != "main" || got.Waited != waited {
		t.Errorf("connections = %+v, want per_request, insecure, %d waited", got, waited)
	}
	is(t, "connect p50", got.Connect.P50, 12)
	is(t, "connect max", got.Connect.Max, 99)
	is(t, "dns p50", got.DNS.P50, 1)
	is(t, "tls p50", got.TLS.P50, 7)
}

func TestWhereNobodyWaitedThereIsNoSetUp(t *testing.T) {
	c := load(t, quick)
	obs := append(machines(0.1), observation.Observation{Kind: observation.KindNote, Note: &observation.Note{Code: observation.NoteProxy, Text: "http://proxy:3128"}})
	got := build(t, c, server(c, 80*ms, 10*ms, 0), obs).Connections
	if got.Policy != "pooled" || got.Waited != 0 || got.Connect != nil || len(got.Insecure) != 0 || len(got.URLs) != 0 {
		t.Errorf("connections = %+v", got)
	}
	if len(got.Proxies) != 1 || got.Proxies[0] != "http://proxy:3128" {
		t.Errorf("proxies = %v", got.Proxies)
	}
}

func TestEachOfSeveralAddressesHasItsCountsAlsoWhenAllOfItFailed(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 0)
	want := map[string]result.URL{"http://a/": {URL: "http://a/"}, "http://b/": {URL: "http://b/"}}
	for i := range list {
		r := &list[i]
		r.URL = "http://a/"
		if i%3 == 0 {
			r.URL = "http://b/"
			fail(r)
		}
		if r.Phase != record.Measured {
			continue
		}
		u := want[r.URL]
		u.Due++
		if r.Status == record.OK {
			u.OK++
		} else {
			u.Failed++
		}
		want[r.URL] = u
	}
	got := build(t, c, list, machines(0.1)).Connections.URLs
	if len(got) != 2 || got[0] != want["http://a/"] || got[1] != want["http://b/"] {
		t.Errorf("urls = %+v, want %+v", got, want)
	}
}

// refuse turns a record into one that the server refused.
func refuse(r *record.Record, status int, after int64) {
	fail(r)
	r.ErrorKind, r.ErrorMessage, r.HTTPStatus, r.RetryAfter = record.HTTPError(status), "slow down", status, after
	r.Ready, r.Sent, r.Written = r.Released, r.Released, r.Released
}

func TestARunFullOfRefusalsIsToldThatItMeasuredAQuota(t *testing.T) {
	for _, share := range []int{10, 40} { // every 10th, every 40th
		c := load(t, quick)
		list := server(c, 80*ms, 10*ms, 0)
		n, k := int64(0), 0
		for i := range list {
			if r := &list[i]; r.Phase == record.Measured {
				if k++; k%share == 0 {
					n++
					refuse(r, []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[n%2], []int64{record.None, 2000 * ms, 30_000 * ms}[n%3])
				}
			}
		}
		r := build(t, c, list, machines(0.1))
		if r.Throttled == nil || r.Throttled.Count != n || r.Throttled.RetryAfterS == nil || r.Throttled.RetryAfterS.P50 != 2 || r.Throttled.RetryAfterS.Max != 30 {
			t.Fatalf("throttled = %+v of %d", r.Throttled, n)
		}
		said := strings.Contains(codesOf(r.Verdict.Reasons), "throttled")
		if want := share == 10; said != want || strings.Contains(codesOf(r.ClaimWhy), "throttled") != want {
			t.Errorf("every %dth refused: verdict %+v, claim %+v; want a word on the quota: %v", share, r.Verdict.Reasons, r.ClaimWhy, want)
		}
	}
	c := load(t, quick)
	if r := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1)); r.Throttled != nil {
		t.Errorf("throttled = %+v where nothing was refused", r.Throttled)
	}
}

func codesOf(reasons []result.Reason) string {
	text := ""
	for _, r := range reasons {
		text += r.Code + " "
	}
	return text
}
