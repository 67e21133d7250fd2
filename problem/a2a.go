package problem

import (
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// A2AVersion selects the JSON that a version of the Agent2Agent Protocol uses.
type A2AVersion uint8

// The two families of A2A messages in use; 0.2 reads the first.
const (
	A2A03 A2AVersion = iota
	A2A10
)

// TaskStatus is the status of an A2A task.
type TaskStatus struct {
	State   string      `json:"state"`
	Message TaskMessage `json:"message"`
}

// TaskMessage is the message of an A2A task status.
type TaskMessage struct {
	Kind       string   `json:"kind,omitempty"` // A2A 0.3
	MessageID  string   `json:"messageId"`
	Role       string   `json:"role"`
	Parts      []Part   `json:"parts"`
	Extensions []string `json:"extensions"`
}

// Part is a text or a data part of an A2A message.
type Part struct {
	Kind string  `json:"kind,omitempty"` // A2A 0.3
	Text string  `json:"text,omitempty"`
	Data *Object `json:"data,omitempty"`
}

// A2AStatus is the status of a task that ended because of o (draft 8.2): the
// state of table 6, a text part for every client and a data part with the object
// for those that know the extension. messageID must be unique, as A2A has it.
func A2AStatus(version A2AVersion, messageID string, o Object) TaskStatus {
	o.Status = 0
	state := registry.A2AState(o.Code)
	m := TaskMessage{
		Kind: "message", MessageID: messageID, Role: "agent",
		Parts:      []Part{{Kind: "text", Text: o.summary()}, {Kind: "data", Data: &o}},
		Extensions: []string{ExtensionURI},
	}
	if version == A2A10 {
		state = "TASK_STATE_" + strings.ToUpper(state)
		m.Kind, m.Role = "", "ROLE_AGENT"
		m.Parts[0].Kind, m.Parts[1].Kind = "", ""
	}
	return TaskStatus{State: state, Message: m}
}

// A2AError is the JSON-RPC error of an A2A request that failed because of o
// (draft 8.3). The protocol, not the draft, chooses the code; -32603 is A2A's
// internal error. Before 1.0 data is the object; 1.0 demands an array of typed
// values, in which the object travels as a protobuf Struct.
func A2AError(version A2AVersion, code int, o Object) RPCError {
	o.Status = 0
	e := RPCError{Code: code, Message: o.summary(), Data: o}
	if version == A2A10 {
		e.Data = []TypedValue{{Type: "type.googleapis.com/" + structType, Value: o}}
	}
	return e
}

// TypedValue is an element of A2A 1.0 error data: the ProtoJSON of a Struct.
type TypedValue struct {
	Type  string `json:"@type"`
	Value Object `json:"value"`
}

// Extension is an entry of capabilities.extensions in an A2A Agent Card.
type Extension struct {
	URI         string `json:"uri"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
}

// A2AExtension declares that an agent emits harness error objects (draft 8.1).
func A2AExtension() Extension {
	return Extension{
		URI:         ExtensionURI,
		Description: "Failed tasks carry a harness error object in a data part of their status message.",
	}
}

// FromA2A reads what a remote agent sent, a JSON-RPC response or the task,
// status or event in it, as draft 8.4 asks of a client: an upstream.agent_failed
// with the agent's object as its cause, or else what table 7 makes of the task
// state and of the error code. It reports false for states that are no failure
// and for what is not JSON.
//
// A task that is canceled counts as failed only if this harness did not ask for
// that; cancelRequested says so, and makes it harness.cancelled.
func FromA2A(text []byte, cancelRequested bool) (Object, bool) {
	if f, ok := Find(text); ok {
		return f.Received(ProtocolA2A), true
	}
	a, ok := readAnswer(text)
	if !ok {
		return Object{}, false
	}
	var code string
	u := &Upstream{Provider: "a2a", TaskState: a.state}
	var retryable *bool
	if a.err != nil {
		code, retryable = a2aCode(a.err.code)
		u = a.err.upstream("a2a")
	} else if code = a2aStateCode(a.state, cancelRequested); code == "" {
		return Object{}, false
	}
	o := New(code, "")
	if code != registry.HarnessCancelled {
		o.Origin = registry.OriginUpstream
	}
	o.Upstream, o.Retryable = u, retryable
	return o, true
}

// a2aStateCode is table 7 for task states, in canonical spelling.
func a2aStateCode(state string, cancelRequested bool) string {
	switch state {
	case registry.StateFailed:
		return registry.UpstreamAgentFailed
	case registry.StateRejected:
		return registry.PolicyModelRefusal
	case registry.StateCanceled:
		if cancelRequested {
			return registry.HarnessCancelled
		}
		return registry.UpstreamAgentFailed
	}
	return ""
}

// a2aCode is table 7 for JSON-RPC codes. The table leaves the choice between two
// codes for the standard range: the sender's faults are the request's, a server's
// own fault makes it unavailable. The A2A errors it does not list are of the kind
// of -32004. Of codes that A2A does not assign nobody knows whether a retry helps.
func a2aCode(code int64) (string, *bool) {
	switch code {
	case -32006:
		return registry.UpstreamInvalidResponse, nil
	case -32001, -32002, -32003, -32004, -32005, -32007, -32008, -32009,
		-32700, -32600, -32601, -32602:
		return registry.UpstreamInvalidRequest, nil
	case -32603, -32000:
		return registry.UpstreamUnavailable, nil
	case -31401, -31403: // a2a-go
		return registry.UpstreamAuthenticationFailed, nil
	}
	return registry.UpstreamUnavailable, new(false)
}
