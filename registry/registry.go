// Package registry holds the error codes that draft-ouchi-agent-harness-errors
// registers for failures of AI agents, with everything the draft says about
// each: title, origin and recovery defaults (its table 2), the HTTP status
// (table 3), the way through the Model Context Protocol (section 7.2 and
// table 4) and the Agent2Agent task state (table 6).
//
// A code is "category.reason" (section 4.1). Beside the 31 registered codes two
// other kinds are legal and must be carried through unchanged:
//
//   - private codes, whose category begins with "x-";
//   - unknown reasons in a known category, which a consumer treats as a generic
//     error of that category.
//
// Neither has defaults for retryable and model_recoverable. They do have a
// status, a state and a channel, because the draft's tables end in "others".
//
// The package imports the standard library alone and allocates nothing in its
// look-ups, so it can stand on a hot path.
package registry

import (
	"slices"
	"strconv"
)

// Origin is the component in which an error arose (draft 4.2).
type Origin string

// The five origins of draft 4.2.
const (
	OriginModel    Origin = "model"    // the model's output could not be accepted
	OriginHarness  Origin = "harness"  // the harness itself, its own limits included
	OriginTool     Origin = "tool"     // a tool the harness called
	OriginUpstream Origin = "upstream" // a remote service, usually the model API
	OriginUser     Origin = "user"     // a human, for example by denying an approval
)

// Known reports whether o is one of the five origins of draft 4.2.
func (o Origin) Known() bool {
	switch o {
	case OriginModel, OriginHarness, OriginTool, OriginUpstream, OriginUser:
		return true
	}
	return false
}

// The seven categories of draft 5.1.
const (
	CategoryOutput   = "output"
	CategoryLoop     = "loop"
	CategoryContext  = "context"
	CategoryTool     = "tool"
	CategoryPolicy   = "policy"
	CategoryUpstream = "upstream"
	CategoryHarness  = "harness"
)

// The A2A task states that table 6 of the draft uses, in the spelling of A2A 0.3.
const (
	StateFailed   = "failed"
	StateRejected = "rejected"
	StateCanceled = "canceled"
)

// MCPChannel says how an MCP server reports a code (draft 7.2): as a tool
// result with isError, which the model sees and can react to, or as a JSON-RPC
// error with the channel's number as its code.
type MCPChannel int

// The channels of draft 7.2 and its table 4.
const (
	MCPToolError     MCPChannel = 0
	MCPInvalidParams MCPChannel = -32602
	MCPInternalError MCPChannel = -32603
)

// String returns "isError" or "jsonrpc:<code>".
func (c MCPChannel) String() string {
	if c == MCPToolError {
		return "isError"
	}
	return "jsonrpc:" + strconv.Itoa(int(c))
}

// Entry is one registered code.
type Entry struct {
	// Code is the registered value, for example "output.truncated".
	Code string
	// Title is the registered title, the value of the title member of RFC 9457.
	Title string
	// Category is the part of Code before the dot.
	Category string
	// Origin is the component the code speaks of unless the object says otherwise.
	Origin Origin
	// Retryable is the default of the member retryable (draft 4.3).
	Retryable bool
	// ModelRecoverable is the default of the member model_recoverable (draft 4.4).
	ModelRecoverable bool
	// HTTPStatus is the recommended status of a response that carries the code.
	HTTPStatus int
	// A2AState is the task state of an A2A task that ended for this reason.
	A2AState string
	// MCPChannel is how an MCP server reports the code.
	MCPChannel MCPChannel
	// Description is one sentence for operators.
	Description string
}

// Lookup returns the entry of a registered code.
func Lookup(code string) (Entry, bool) {
	e, ok := byCode[code]
	if !ok {
		return Entry{}, false
	}
	return *e, true
}

// All returns the registered codes in the draft's order. The slice is the caller's.
func All() []Entry { return slices.Clone(entries[:]) }

// HTTPStatus returns the status that table 3 recommends for any valid code,
// registered or not.
func HTTPStatus(code string) int {
	if e, ok := byCode[code]; ok {
		return e.HTTPStatus
	}
	switch Category(code) {
	case CategoryUpstream:
		return 502
	case CategoryPolicy:
		return 403
	}
	return 422
}

// A2AState returns the task state that table 6 gives any valid code, registered or not.
func A2AState(code string) string {
	if e, ok := byCode[code]; ok {
		return e.A2AState
	}
	return StateFailed
}

// Channel returns the MCP channel that section 7.2 gives any valid code,
// registered or not.
func Channel(code string) MCPChannel {
	if e, ok := byCode[code]; ok {
		return e.MCPChannel
	}
	if Category(code) == CategoryUpstream {
		return MCPToolError
	}
	return MCPInternalError
}

var byCode = func() map[string]*Entry {
	m := make(map[string]*Entry, len(entries))
	for i := range entries {
		m[entries[i].Code] = &entries[i]
	}
	return m
}()
