package problem_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

func ExampleNew() {
	o := problem.New(registry.OutputSchemaViolation, "price has the wrong type")
	o.ModelFeedback = "price must be a number."
	o.Location = &problem.Location{Turn: 5, Pointer: "/items/0/price"}

	text, err := o.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	// Output:
	// {"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Output Schema Violation","detail":"price has the wrong type","code":"output.schema_violation","origin":"model","model_feedback":"price must be a number.","location":{"turn":5,"pointer":"/items/0/price"}}
}

func ExampleParse() {
	o, err := problem.Parse([]byte(`{
		"type": "https://agenterrors.org/problems/harness-error",
		"code": "upstream.rate_limited",
		"retry_after": 30,
		"attempts": "three"
	}`))
	retryable, _ := o.IsRetryable()
	fmt.Println(o.Code, *o.RetryAfter, retryable, o.Attempts == nil, err)
	// Output:
	// upstream.rate_limited 30 true true <nil>
}

func ExampleParseStrict() {
	_, err := problem.ParseStrict([]byte(`{
		"type": "https://agenterrors.org/problems/harness-error",
		"code": "upstream.rate_limited",
		"attempts": "three",
		"location": {"turn": 0}
	}`))
	fmt.Println(err)
	// Output:
	// attempts: got a string, want an integer of at least 0
	// location.turn: got 0, want an integer of at least 1
}

func ExampleFind() {
	attribute := `{"isError": true, "content": [], "_meta": {"org.agenterrors/harness-error": {"code": "tool.timeout"}}}`
	if f, ok := problem.Find(attribute); ok {
		o := f.Received(problem.ProtocolUnknown)
		fmt.Println(f.Carrier, o.Code, o.Origin)
	}
	// Output:
	// mcp.meta tool.timeout tool
}

func ExampleWriteHTTP() {
	o := problem.New(registry.UpstreamRateLimited, "the model API asks to wait")
	o.RetryAfter = new(29.5)

	w := httptest.NewRecorder()
	if err := problem.WriteHTTP(w, o); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Code, w.Header().Get("Content-Type"), w.Header().Get("Retry-After"))
	fmt.Println(w.Body)
	// Output:
	// 429 application/problem+json 30
	// {"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Upstream Rate Limited","status":429,"detail":"the model API asks to wait","code":"upstream.rate_limited","origin":"upstream","retry_after":29.5}
}

func ExampleMCPResponse() {
	o := problem.New(registry.OutputInvalidToolArguments, "")
	o.ModelFeedback = "date must look like 2026-11-30."

	text, err := json.Marshal(problem.MCPResponse(7, o))
	fmt.Println(string(text), err)
	received, _ := problem.FromMCP(text, true)
	fmt.Println(received.Code, received.Origin)
	// Output:
	// {"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"date must look like 2026-11-30."}],"_meta":{"org.agenterrors/harness-error":{"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Invalid Tool Arguments","code":"output.invalid_tool_arguments","origin":"model","model_feedback":"date must look like 2026-11-30."}}}} <nil>
	// output.invalid_tool_arguments model
}

func ExampleA2AStatus() {
	o := problem.New(registry.LoopMaxTurnsExceeded, "no answer after 50 turns")

	for _, version := range []problem.A2AVersion{problem.A2A03, problem.A2A10} {
		text, err := json.Marshal(problem.A2AStatus(version, "msg-1", o))
		fmt.Println(string(text), err)
		received, _ := problem.FromA2A(text, false)
		fmt.Println(received.Code, received.CauseCodes())
	}
	// Output:
	// {"state":"failed","message":{"kind":"message","messageId":"msg-1","role":"agent","parts":[{"kind":"text","text":"no answer after 50 turns"},{"kind":"data","data":{"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Maximum Turns Exceeded","detail":"no answer after 50 turns","code":"loop.max_turns_exceeded","origin":"harness"}}],"extensions":["https://agenterrors.org/ext/a2a/v1"]}} <nil>
	// upstream.agent_failed [loop.max_turns_exceeded]
	// {"state":"TASK_STATE_FAILED","message":{"messageId":"msg-1","role":"ROLE_AGENT","parts":[{"text":"no answer after 50 turns"},{"data":{"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Maximum Turns Exceeded","detail":"no answer after 50 turns","code":"loop.max_turns_exceeded","origin":"harness"}}],"extensions":["https://agenterrors.org/ext/a2a/v1"]}} <nil>
	// upstream.agent_failed [loop.max_turns_exceeded]
}

func ExampleA2AError() {
	text, err := json.Marshal(problem.A2AError(problem.A2A10, -32603, problem.New(registry.UpstreamRateLimited, "")))
	fmt.Println(string(text), err)
	// Output:
	// {"code":-32603,"message":"Upstream Rate Limited","data":[{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"type":"https://iana.org/assignments/http-problem-types#agent-harness-error","title":"Upstream Rate Limited","code":"upstream.rate_limited","origin":"upstream"}}]} <nil>
}

func ExampleA2AExtension() {
	card := map[string]any{"capabilities": map[string]any{"extensions": []problem.Extension{problem.A2AExtension()}}}
	text, err := json.Marshal(card)
	fmt.Println(string(text), err)
	// Output:
	// {"capabilities":{"extensions":[{"uri":"https://agenterrors.org/ext/a2a/v1","description":"Failed tasks carry a harness error object in a data part of their status message.","required":false}]}} <nil>
}

func ExampleWrap() {
	received := problem.New(registry.UpstreamOverloaded, "")
	o := problem.Wrap(received)
	retryable, _ := o.IsRetryable()
	fmt.Println(o.Code, retryable, o.CauseCodes(), o.Innermost().Origin)
	// Output:
	// upstream.agent_failed true [upstream.overloaded] upstream
}
