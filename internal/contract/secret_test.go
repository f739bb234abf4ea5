package contract

import (
	"errors"
	"strings"
	"testing"
)

// password stands for a secret that was written by mistake: it must not come
// back in any error.
const password = "sk-abcdEFGH1234567890"

func TestALiteralSecretIsRefusedAndNotRepeated(t *testing.T) {
	for name, text := range map[string]string{
		"a key for its name":           "target:\n  api_key_env: " + password + "\n",
		"a key that is no setting":     "target:\n  api_key: " + password + "\n",
		"authorization":                "target:\n  headers: {Authorization: Bearer " + password + "}\n",
		"authorization on lines":       "target:\n  headers:\n    authorization:\n      Bearer " + password + "\n",
		"authorization, folded":        "target:\n  headers:\n    Authorization: |\n      " + password + "\n",
		"a cookie":                     "target:\n  headers:\n    Cookie: session=" + password + "\n",
		"x-api-key":                    "target:\n  headers:\n    x-api-key: " + password + "\n",
		"a vendor's header":            "target:\n  headers:\n    X-Goog-Api-Key: " + password + "\n",
		"a bearer elsewhere":           "target:\n  headers:\n    X-Forward: Bearer " + password + "\n",
		"a reference and a secret":     "target:\n  headers:\n    Authorization: Bearer ${X} " + password + password + "\n",
		"a user in the URL":            "target:\n  url: http://me:" + password + "@host\n",
		"a user in a list":             "target:\n  url: [http://a, \"http://" + password + "@host\"]\n",
		"a key in the URL":             "target:\n  url: http://host/v1?api_key=" + password + "\n",
		"a key in the path":            "target:\n  path: /v1?key=" + password + "\n",
		"a key in the body":            "target:\n  extra: {api_key: " + password + "}\n",
		"a key deep in the body":       "target:\n  extra:\n    auth:\n      access_token: " + password + "\n",
		"a key beside the server":      "server:\n  api_key: " + password + "\n",
		"a stream's":                   "streams:\n  - name: a\n    target: {headers: {X-Api-Key: " + password + "}}\n",
		"beside another fault":         "target:\n  headers: {Authorization: Bearer " + password + "}\n  endpiont: chat\n",
		"in the line before the fault": "server:\n  token: " + password + "\nsede: 1\n",
		"in no key at all":             "server:\n  note: >\n    " + password + "\nsede: 1\n",
		"in broken YAML":               "target:\n  api_key_env: [" + password + "\n",
	} {
		_, err := Load("c.yaml", []byte(text))
		if err == nil {
			t.Errorf("%s: Load gave no error", name)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Line == 0 {
			t.Errorf("%s: got %v, want a place", name, err)
			continue
		}
		if all := e.Error() + e.Hint + e.Msg; strings.Contains(all, password) || strings.Contains(all, "1234567890") {
			t.Errorf("%s: the secret is repeated:\n%s\n%s", name, e.Error(), e.Hint)
		}
	}
}

func TestTheHintNamesTheWayOut(t *testing.T) {
	_, err := Load("c.yaml", []byte("target:\n  headers:\n    Authorization: Bearer "+password+"\n"))
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "${NAME}") || !strings.Contains(e.Hint, "api_key_env") {
		t.Errorf("got %v", err)
	}
	want := "c.yaml:3:20: target.headers.Authorization: holds a secret\n> 3 |     Authorization: ***\n    |                    ^"
	if e != nil && e.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", e.Error(), want)
	}
}

func TestASecretOfAFlagIsRefusedBeforeTheRun(t *testing.T) {
	for _, s := range []setting{
		{"target.headers.Authorization", "Bearer " + password}, {"target.api_key_env", password},
		{"target.url", "http://u:" + password + "@h"}, {"target.extra.api_key", password},
	} {
		c := load(t, least)
		err := c.Set(s.path, s.value)
		if err == nil {
			err = c.Resolve()
		}
		if err == nil || strings.Contains(err.Error(), password) {
			t.Errorf("%s: got %v, want an error without the secret", s.path, err)
		}
	}
}

func TestWhatIsNoSecretIsTaken(t *testing.T) {
	for name, text := range map[string]string{
		"a name":                  "target: {api_key_env: OPENAI_API_KEY, simulate: fixed}\n",
		"a lower name":            "target: {api_key_env: my_key, simulate: fixed}\n",
		"a reference":             "target: {headers: {Authorization: \"Bearer ${KEY}\"}, simulate: fixed}\n",
		"a cookie by reference":   "target: {headers: {Cookie: \"session=${S}; lang=${L}\"}, simulate: fixed}\n",
		"a plain header":          "target: {headers: {X-Team: bench, OpenAI-Organization: org-1}, simulate: fixed}\n",
		"token counts":            "target: {extra: {min_tokens: 5, stop_token_ids: [1], skip_special_tokens: true}, simulate: fixed}\n",
		"a version in the query":  "target: {url: \"https://h/openai?api-version=2024-02-01\"}\n",
		"a key that is a number":  "server: {keys: 4, tokens: 100}\ntarget: {simulate: fixed}\n",
		"a password by reference": "target: {headers: {X-Password: \"${PW}\"}, simulate: fixed}\n",
	} {
		c := load(t, text+"traffic: {rate: 1/s}\n")
		if err := c.Resolve(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
