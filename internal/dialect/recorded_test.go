package dialect

import (
	"testing"

	"assay/internal/workload"
)

func TestAMessageIsSentAsItWasRecordedAmidAHistory(t *testing.T) {
	got, err := encodeChat(workload.Request{Messages: []workload.Message{
		{Role: "user", Content: "hi"},
		{Role: "assistant", Raw: []byte(`{"role":"assistant","tool_calls":[{"id":"1"}]}`)},
		{Role: "tool", Content: "22", Raw: []byte(`{"role":"tool","tool_call_id":"1","content":"22"}`)},
		{Role: "user", Content: "so"},
	}}, Options{Model: "m"})
	const want = `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"1"}]},{"role":"tool","tool_call_id":"1","content":"22"},{"role":"user","content":"so"}]}`
	if err != nil || string(got) != want {
		t.Errorf("encoded as %s, %v, want %s", got, err, want)
	}
}
