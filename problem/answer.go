package problem

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// answer is what a peer's JSON says of a failure without an object.
type answer struct {
	err     *peerError
	isError bool   // MCP
	state   string // A2A, in canonical spelling
}

// peerError is a JSON-RPC error; its code is 0 if there was none.
type peerError struct {
	code    int64
	message string
}

func (e *peerError) upstream(provider string) *Upstream {
	u := &Upstream{Provider: provider, Message: e.message}
	if e.code != 0 {
		u.Code = strconv.FormatInt(e.code, 10)
	}
	return u
}

// readAnswer reads a JSON-RPC response, or a result alone.
func readAnswer(text []byte) (answer, bool) {
	m, err := decodeObject(string(text))
	if err != nil {
		return answer{}, false
	}
	var a answer
	if e, ok := m["error"].(map[string]any); ok {
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
	switch state := m["state"].(type) {
	case string:
		a.state = TaskState(state)
	case json.Number:
		a.state = TaskState(state.String())
	}
	return a, true
}

// TaskState brings every spelling of an A2A task state to one: submitted,
// working, completed, failed, canceled, input_required, rejected, auth_required,
// unspecified; "" for what is none of them. It reads the enum names of A2A 0.1 to
// 1.0 and of the SDKs, British spelling, and the numbers of the protobuf enum.
func TaskState(s string) string {
	s = strings.ToLower(strings.TrimPrefix(s, "TaskState."))
	s = strings.TrimPrefix(s, "task_state_")
	switch strings.NewReplacer("-", "", "_", "").Replace(s) {
	case "0", "unspecified", "unknown":
		return "unspecified"
	case "1", "submitted":
		return "submitted"
	case "2", "working":
		return "working"
	case "3", "completed":
		return "completed"
	case "4", "failed":
		return registry.StateFailed
	case "5", "canceled", "cancelled":
		return registry.StateCanceled
	case "6", "inputrequired":
		return "input_required"
	case "7", "rejected":
		return registry.StateRejected
	case "8", "authrequired":
		return "auth_required"
	}
	return ""
}
