package problem

import (
	"strconv"
	"strings"
)

// answer is what a peer's JSON says of a failure without an object.
type answer struct {
	err     *peerError
	isError bool   // MCP
	state   string // A2A, in canonical spelling
}

type peerError struct {
	code    int64
	message string
}

func (e *peerError) upstream(provider string) *Upstream {
	return &Upstream{Provider: provider, Code: strconv.FormatInt(e.code, 10), Message: e.message}
}

// readAnswer reads a JSON-RPC response, or a result alone.
func readAnswer(text []byte) (answer, bool) {
	m, err := decodeObject(string(text))
	if err != nil {
		return answer{}, false
	}
	var a answer
	if e, ok := m["error"].(map[string]any); ok {
		// An error without a code is a server error like any other unknown one.
		code, _ := toInt(e["code"])
		message, _ := e["message"].(string)
		a.err = &peerError{code: code, message: message}
	}
	if result, ok := m["result"].(map[string]any); ok {
		m = result
	}
	a.isError, _ = m["isError"].(bool)
	for _, key := range [...]string{"task", "statusUpdate"} {
		if in, ok := m[key].(map[string]any); ok {
			m = in
		}
	}
	if status, ok := m["status"].(map[string]any); ok {
		m = status
	}
	state, _ := m["state"].(string)
	a.state = canonicalState(state)
	return a, true
}

// canonicalState brings the spellings of A2A 0.2 to 1.0 to that of 0.3.
func canonicalState(s string) string {
	s = strings.ToLower(strings.TrimPrefix(s, "TASK_STATE_"))
	s = strings.ReplaceAll(s, "_", "-")
	if s == "cancelled" {
		return "canceled"
	}
	return s
}
