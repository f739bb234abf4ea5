package record_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/record"
	"assay/internal/record/recordtest"
)

// fields is the interface: the order in which `assay records` prints.
const fields = `seq stream session turn role worker phase release url endpoint due_ns free_ns released_ns ready_ns
 sent_ns written_ns first_ns first_output_ns last_ns ended_ns dns_ns connect_ns tls_ns ttfb_ns reused clock coalesced
 status error http_status want_input_tokens want_output_tokens input_tokens output_tokens token_source cached_tokens
 reasoning_tokens finish_reason request_id body_sha256 arrivals_ns read_ns tokens other`

func keys(t *testing.T, data []byte) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.Token() // {
	var names []string
	for d.More() {
		k, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, k.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func TestALineHasTheFieldsOfTheInterfaceInTheirOrder(t *testing.T) {
	r := recordtest.Sample()
	data, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(fields)
	got := keys(t, data)
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestALineHasTheRecordsValues(t *testing.T) {
	r := recordtest.Sample()
	r.URL += "?a=1&b=2"
	r.Events = r.Events[:2]
	r.Events[1] = record.NewEvent(1260e6, 1261e6, record.Reasoning, 3, false)
	r.Status, r.ErrorKind, r.ErrorMessage = record.Failed, record.ErrReset, "<cut>"
	data, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"seq":41,"stream":"main","session":null,"turn":1,"role":null,"worker":3,"phase":"measured","release":"due"`,
		`"url":"http://127.0.0.1:8000/v1/chat/completions?a=1&b=2"`,
		`"due_ns":1000000000,"free_ns":1000000000,"released_ns":1000040000`,
		`"dns_ns":null,"connect_ns":null,"tls_ns":null,"ttfb_ns":199000000,"reused":true,"clock":"kernel","coalesced":0`,
		`"status":"failed","error":{"kind":"reset","message":"<cut>"},"http_status":200`,
		`"token_source":"usage","cached_tokens":null,"reasoning_tokens":null,"finish_reason":"length"`,
		`"body_sha256":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"`,
		`"arrivals_ns":[1250000000,1260000000],"read_ns":[1250030000,1261000000],"tokens":[1,3]`,
		`"other":[{"kind":"role","t_ns":1200000000},`,
		`"kinds":["text","reasoning"]`,
		`"rtt_ns":80000`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s\nlacks %s", data, want)
		}
	}
}

func TestWhatIsNotKnownIsNull(t *testing.T) {
	r := record.New("main", 0)
	data, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{
		"seq": true, "stream": true, "turn": true, "worker": true, "phase": true, "release": true, "url": true, "endpoint": true,
		"reused": true, "coalesced": true, "status": true, "arrivals_ns": true, "read_ns": true, "tokens": true, "other": true,
		"kinds": true, "streamed": true, "unstamped": true, "dropped": true,
	}
	for k, v := range got {
		if known[k] != (v != nil) {
			t.Errorf("%s = %v in an empty record", k, v)
		}
	}
}
