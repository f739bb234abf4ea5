package simserver

// The pages beside the faces, and answers that are no replies.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// pages are read with GET.
var pages = map[string]func(*conn, *http.Request) bool{
	"/health":      (*conn).health,
	"/metrics":     (*conn).metricsPage,
	"/v1/models":   (*conn).models,
	"/assay/truth": (*conn).tell,
}

func (c *conn) health(req *http.Request) bool {
	return c.page(req, http.StatusOK, "text/plain", nil, []byte("ok\n"))
}

func (c *conn) models(req *http.Request) bool {
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		OwnedBy string `json:"owned_by"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{Object: "list"}
	known := c.s.config.Models
	if len(known) == 0 {
		known = []string{"sim"}
	}
	for _, id := range known {
		list.Data = append(list.Data, model{id, "model", "assay"})
	}
	return c.page(req, http.StatusOK, "application/json", nil, encode(list))
}

// tell writes the truth: a line for each request that is still kept. How many
// are not stands in a header.
func (c *conn) tell(req *http.Request) bool {
	c.s.truth.settle()
	entries, dropped := c.s.truth.snapshot()
	var body bytes.Buffer
	if err := writeTruth(&body, entries); err != nil {
		return c.refuse(http.StatusInternalServerError, err.Error())
	}
	return c.page(req, http.StatusOK, "application/jsonl", []string{"X-Assay-Truth-Dropped: " + strconv.Itoa(dropped)}, body.Bytes())
}

// refuse answers with an error of the client's. The connection goes on, except
// after a request that could not be read to its end.
func (c *conn) refuse(status int, message string) bool {
	return c.complain(status, "invalid_request_error", message, nil)
}

// complain answers with an error as the API that is asked words it.
func (c *conn) complain(status int, kind, message string, headers []string) bool {
	if c.refusal != nil {
		return c.page(nil, status, "application/json", headers, c.refusal(status, kind, message))
	}
	type inner struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Param   any    `json:"param"`
		Code    int    `json:"code"`
	}
	body := struct {
		Error inner `json:"error"`
	}{inner{Message: message, Type: kind, Code: status}}
	return c.page(nil, status, "application/json", headers, encode(body))
}

// page writes a whole answer in one write.
func (c *conn) page(req *http.Request, status int, contentType string, headers []string, body []byte) bool {
	c.out = fmt.Appendf(c.out[:0], "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n",
		status, http.StatusText(status), contentType, len(body))
	for _, h := range headers {
		c.out = append(append(c.out, h...), "\r\n"...)
	}
	c.out = append(c.out, "\r\n"...)
	if req == nil || req.Method != http.MethodHead {
		c.out = append(c.out, body...)
	}
	_, err := c.c.Write(c.out)
	return err == nil
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return b
}
