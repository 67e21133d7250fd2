package signal

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is a line of a crosswalk: one signal of a protocol and what it means.
type row struct {
	kind, value, binding, code, origin, retryable, recoverable, class string
}

func crosswalk(t *testing.T, name string) []row {
	t.Helper()
	data, err := os.ReadFile("testdata/crosswalk_" + name + ".tsv")
	require.NoError(t, err)
	var rows []row
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		c := strings.Split(line, "\t")
		require.Len(t, c, 8, line)
		rows = append(rows, row{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]})
	}
	return rows
}

// TestCrosswalk decides every row of the four crosswalks that one record can show. Rows about what happens between
// records (a cancel that was asked for, a probe followed by success), and about objects, are tested elsewhere; skipped
// rows are listed with -v.
func TestCrosswalk(t *testing.T) {
	render := map[string]func(row) (Evidence, bool){"a2a": a2aEvidence, "mcp": mcpEvidence, "labby": labbyEvidence, "rta": rtaEvidence}
	for name, f := range render {
		t.Run(name, func(t *testing.T) {
			tried := 0
			for _, r := range crosswalk(t, name) {
				ev, ok := f(r)
				if !ok {
					t.Logf("not one record: %s %q (%s)", r.kind, r.value, r.binding)
					continue
				}
				tried++
				t.Run(r.kind+"/"+r.value+"/"+r.binding, func(t *testing.T) { checkRow(t, r, &ev) })
			}
			t.Logf("%d rows", tried)
			require.Greater(t, tried, 7)
		})
	}
}

// deliberate are rows that are decided otherwise than the crosswalk says, and why.
var deliberate = map[string]string{
	"LIST_PAGINATION_EXCEEDED":                "no page of tools came, so no tool is to be had: tool.not_available",
	"CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION": "an error that was recorded is not expected: harness.internal_error",
	"A2AClientInvalidArgsError":               "raised before anything is sent: the caller's own mistake, as in a2a-java",
	"JsonRpcTransportError":                   "carries the peer's JSON-RPC code: without one the request is at fault",
}

func checkRow(t *testing.T, r row, ev *Evidence) {
	t.Helper()
	if why, ok := deliberate[r.value]; ok {
		t.Skip(why)
	}
	if r.kind == "task_state" && (strings.Contains(strings.ToLower(r.value), "rejected") || r.value == "7") {
		r.origin = "model" // the registry's origin of policy.model_refusal: somebody's model declined, and the peer says who
	}
	var v Verdict
	Default().NewDecider().Decide(ev, &v)
	if r.code == "-" {
		assert.Empty(t, v.Code, "rule %s", v.Rule)
		if r.class == "interrupted" || r.class == "expected" {
			assert.Equal(t, r.class, v.Class.String(), "rule %s", v.Rule)
		}
		return
	}
	require.Equal(t, r.code, v.Code, "rule %s, evidence %s", v.Rule, v.Evidence)
	assert.Equal(t, r.class, v.Class.String(), "class; rule %s, evidence %s", v.Rule, v.Evidence)
	assertHint(t, "retryable", r.retryable, v.Retryable, v.Rule)
	assertHint(t, "model_recoverable", r.recoverable, v.ModelRecoverable, v.Rule)
	if r.origin != "-" {
		assert.Equal(t, r.origin, string(v.Origin), "origin; rule %s", v.Rule)
	}
}

func assertHint(t *testing.T, name, want string, got Tri, rule string) {
	t.Helper()
	if want == "true" || want == "false" {
		assert.Equal(t, TriOf(want == "true"), got, "%s; rule %s", name, rule)
	}
}

func a2aEvidence(r row) (Evidence, bool) {
	ev := Evidence{Operation: OpA2A, Protocol: ProtocolA2A, Role: RoleClient, Status: StatusError, Method: "SendMessage"}
	value, on, _ := strings.Cut(r.value, " on ")
	if on != "" {
		ev.Method = on
	}
	switch r.kind {
	case "errorinfo_reason":
		ev.Reason = r.value
	case "jsonrpc_code":
		ev.RPCCode, _, _ = strings.Cut(r.value, "..")
	case "exception_type":
		ev.Exceptions = []Exception{{Type: "a2a.utils.errors." + r.value}}
	case "error_message":
		ev.Messages = []string{r.value + "x"}
		if !strings.HasSuffix(r.value, " ") {
			ev.Messages[0] = r.value
		}
	case "error_type_message":
		ev.ErrorType = r.value
	case "grpc_status_pair":
		ev.GRPCStatus, ev.Reason, _ = strings.Cut(r.value, "+")
	case "http_status_pair":
		status, reason, _ := strings.Cut(r.value, "+")
		ev.HTTPStatus, ev.Reason = httpStatus(status), reason
	case "problem_type":
		ev.Payloads = []string{`{"type":"` + r.value + `","status":400}`}
	case "grpc_status":
		ev.GRPCStatus = value
	case "http_status":
		ev.HTTPStatus = httpStatus(value)
	case "task_state":
		if strings.Contains(r.value, " ") {
			return ev, false
		}
		ev.Status, ev.TaskState = StatusUnset, r.value
	case "network":
		text := map[string]string{"dns": "dial tcp: lookup w: no such host", "tls": "remote error: tls: handshake failure", "connection_refused": "connection refused",
			"connection_reset": "read: connection reset by peer", "timeout": "context deadline exceeded"}[r.value]
		ev.Messages = []string{text}
	default:
		return ev, false
	}
	return ev, true
}

// mcpContext is the qualifier that a crosswalk puts behind a code: the text or the method that goes with it.
var mcpContext = map[string]struct{ message, method string }{
	"-32602 unknown tool": {message: "Unknown tool: x"}, "-32602 resource": {method: "resources/read"}, "-32602 prompt": {method: "prompts/get"},
	"-32602 other": {method: "tools/list"}, "-32600 session": {message: "Session not found"}, "-32000 closed": {message: "Connection closed"},
	"-32001 timeout": {message: "Request timed out"}, "-32001 session": {message: "Session not found"}, "-32001 header": {message: "Header mismatch"},
	"-32002": {method: "resources/read"}, "-32002 other": {}, "-32003/-32004 closing": {message: "client is closing"},
	"-32000..-32099 other": {}, "positive or other application code": {},
}

func mcpEvidence(r row) (Evidence, bool) {
	ev := Evidence{Operation: OpExecuteTool, Protocol: ProtocolMCP, Role: RoleClient, Status: StatusError, Method: "tools/call"}
	switch r.kind {
	case "tool_result":
		if strings.Contains(r.value, "+") {
			return ev, false
		}
		if r.value == "isError=true" {
			ev.ToolError, ev.Status = true, StatusUnset
		} else {
			ev.ErrorType = r.value
		}
	case "tool_result_text":
		ev.ToolError = true
		ev.Messages = []string{strings.NewReplacer("{name}", "lookup", "{n}", "1").Replace(r.value)}
	case "jsonrpc_code":
		return mcpCode(r, ev)
	case "sdk_error_code":
		ev.Exceptions = []Exception{{Type: r.value}}
		ev.Operation, ev.Method = OpMCP, "initialize"
	case "exception_type":
		ev.Exceptions = []Exception{{Type: r.value}}
	case "http_status":
		if strings.Contains(r.value, " ") {
			return ev, false
		}
		ev.HTTPStatus = httpStatus(r.value)
	case "http_auth_error":
		ev.Messages = []string{`Bearer error="` + r.value + `"`}
	case "task_status":
		if strings.Contains(r.value, " ") {
			return ev, false
		}
		ev.Status, ev.TaskState = StatusUnset, r.value
		if r.value == "cancelled" {
			ev.Method = "tasks/cancel"
		}
	case "timeout":
		ev.Exceptions = []Exception{{Type: "TimeoutError"}}
	case "transport":
		ev.Exceptions = []Exception{{Type: "anyio.ClosedResourceError"}}
	case "sampling":
		ev.Method, ev.RPCCode, ev.Operation = "sampling/createMessage", "-1", OpMCP
	default:
		return ev, false
	}
	return ev, true
}

func mcpCode(r row, ev Evidence) (Evidence, bool) {
	c, known := mcpContext[r.value]
	code, qualifier, _ := strings.Cut(r.value, " ")
	if qualifier != "" && !known {
		return ev, false
	}
	switch r.value {
	case "-32000..-32099 other":
		code = "-32077"
	case "positive or other application code":
		code = "1234"
	case "-32003/-32004 closing":
		code = "-32003"
	}
	ev.RPCCode = code
	if c.message != "" {
		ev.Messages = []string{c.message}
	}
	if c.method != "" {
		ev.Method, ev.Operation = c.method, OpMCP
	}
	return ev, true
}

func labbyEvidence(r row) (Evidence, bool) {
	if r.kind != "kind" {
		return Evidence{}, false
	}
	ev := Evidence{Operation: OpExecuteTool, Protocol: ProtocolMCP, Role: RoleClient, ToolError: true, Labby: Labby{Kind: strings.Trim(r.value, "()")}}
	for _, w := range strings.Fields(r.binding) {
		switch key, value, _ := strings.Cut(w, "="); key {
		case "side_effects":
			ev.Labby.SideEffects = value
		}
	}
	return ev, true
}

func rtaEvidence(r row) (Evidence, bool) {
	ev := Evidence{Operation: OpInvokeAgent, Status: StatusError}
	switch {
	case r.kind == "error_code" && strings.HasPrefix(r.binding, "reasoner side"):
		ev.RTA = r.value
	case r.kind == "error_code" && strings.HasPrefix(r.binding, "live side: task FAILED"):
		ev = Evidence{Operation: OpA2A, Protocol: ProtocolA2A, Role: RoleClient, TaskState: "FAILED", RTA: r.value}
	case r.kind == "task_state":
		ev = Evidence{Operation: OpA2A, Protocol: ProtocolA2A, Role: RoleClient, TaskState: r.value}
	default:
		return ev, false
	}
	return ev, true
}
