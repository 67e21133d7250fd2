package signal

import "github.com/harnesserr/harnesserr/problem"

// Operation is what a record says it did, in the closed vocabulary of harness.operation.
type Operation uint8

// The operations. Their names are the values of the attribute harness.operation.
const (
	OpOther Operation = iota
	OpChat
	OpTextCompletion
	OpEmbeddings
	OpExecuteTool
	OpInvokeAgent
	OpCreateAgent
	OpInvokeWorkflow
	OpRetrieval
	OpGuardrail
	OpMCP
	OpA2A
	numOperations
)

var operationNames = [numOperations]string{
	OpOther: "other", OpChat: "chat", OpTextCompletion: "text_completion", OpEmbeddings: "embeddings",
	OpExecuteTool: "execute_tool", OpInvokeAgent: "invoke_agent", OpCreateAgent: "create_agent",
	OpInvokeWorkflow: "invoke_workflow", OpRetrieval: "retrieval", OpGuardrail: "guardrail", OpMCP: "mcp", OpA2A: "a2a",
}

// String returns the value of harness.operation.
func (o Operation) String() string {
	if o < numOperations {
		return operationNames[o]
	}
	return operationNames[OpOther]
}

// Group is a set of kinds of operation. A failure of the same name means different things in different groups: a timeout
// is tool.timeout in a tool, upstream.unavailable in a model call, loop.timeout in a run.
type Group uint8

// The groups that conditions (`op=`) and the concept table name.
const (
	GroupModel Group = 1 << iota
	GroupTool
	GroupAgent
	GroupMCP
	GroupA2A
	GroupRetrieval
	GroupGuardrail
	GroupOther
)

var groupNames = map[string]Group{
	"model": GroupModel, "tool": GroupTool, "agent": GroupAgent, "mcp": GroupMCP, "a2a": GroupA2A,
	"retrieval": GroupRetrieval, "guardrail": GroupGuardrail, "other": GroupOther,
}

var operationGroups = [numOperations]Group{
	OpOther: GroupOther, OpChat: GroupModel, OpTextCompletion: GroupModel, OpEmbeddings: GroupModel,
	OpExecuteTool: GroupTool, OpInvokeAgent: GroupAgent, OpCreateAgent: GroupOther, OpInvokeWorkflow: GroupAgent,
	OpRetrieval: GroupRetrieval, OpGuardrail: GroupGuardrail, OpMCP: GroupMCP, OpA2A: GroupA2A,
}

// Protocol is the agent protocol a record speaks, where it says so. The same number means different things in each
// (-32001 is a timeout in one and a missing task in the other), so codes are only read once it is known.
type Protocol uint8

// The protocols.
const (
	ProtocolNone Protocol = iota
	ProtocolMCP
	ProtocolA2A
)

// Role is the side of an exchange that a record was made on (the span kind).
type Role uint8

// The roles; RoleUnknown stands for records without a span kind (log records, data points).
const (
	RoleUnknown Role = iota
	RoleClient
	RoleServer
	RoleInternal
)

// Status is the OpenTelemetry status of a span, or what a log record's severity says.
type Status uint8

// The statuses.
const (
	StatusUnset Status = iota
	StatusOK
	StatusError
)

// Word is the value of an attribute that a rule names (`attr.KEY`), as text.
type Word struct {
	Key, Value string
}

// Exception is one recorded exception. Any member may be empty.
type Exception struct {
	Type, Message, Stack string
}

// Labby is an agent error envelope of labby (seed vocabulary of tables/labby.tsv). What an envelope says wins over what its
// kind implies.
type Labby struct {
	Kind, Origin, Action, SameArguments, SideEffects string
	Tool, Upstream                                   string
	// RetryAfterMS is in milliseconds; 0 is none.
	RetryAfterMS float64
}

// Evidence is what one record (span, log record, data point) shows. The zero value is a record without evidence. Strings
// are as recorded: the engine reads every spelling. A caller may reuse one Evidence for many records (Reset).
type Evidence struct {
	Operation Operation
	Protocol  Protocol
	Role      Role
	Status    Status

	// Method is the protocol's method ("tools/call", "SendMessage"), empty elsewhere.
	Method string
	// Event is the event name of a log record.
	Event string
	// Provider and Framework are canonical names (tables name them as home); empty when unknown.
	Provider, Framework string

	// ErrorType is the value of error.type. An empty one is the same as none.
	ErrorType string
	// Exceptions in the order they were recorded; the last is the one that ended the operation.
	Exceptions []Exception
	// Messages are further texts of the failure: status description, error.message and its like.
	Messages []string
	// HTTPStatus is an HTTP status code; 0 is none.
	HTTPStatus int
	// GRPCStatus is a gRPC status, by name or number; empty is none.
	GRPCStatus string
	// RPCCode is the code of a JSON-RPC error, as text ("-32001"); empty is none.
	RPCCode string
	// Reason is the reason of a google.rpc.ErrorInfo.
	Reason string
	// TaskState is the state of an A2A or MCP task in any spelling.
	TaskState string
	// Stops are the finish or stop reasons in any encoding; one string may hold a list.
	Stops []string
	// Words are the values of the attributes that rules ask for (Engine.Attributes).
	Words []Word
	// ToolError says that a tool's result was marked as an error (MCP isError).
	ToolError bool
	// Found are harness error objects that the record carries.
	Found []problem.Found
	// Labby is the labby envelope that the record carries; its zero value is none.
	Labby Labby
	// RTA is the error code of the Realtime Agent profile; empty is none.
	RTA string
	// Payloads are JSON texts that may name a code (bodies of answers), beyond what Found holds.
	Payloads []string
}

// Reset empties the evidence and keeps its memory.
func (e *Evidence) Reset() {
	*e = Evidence{
		Exceptions: e.Exceptions[:0], Messages: e.Messages[:0], Stops: e.Stops[:0],
		Words: e.Words[:0], Found: e.Found[:0], Payloads: e.Payloads[:0],
	}
}

// groups returns the set of groups that the record belongs to: a tool call over MCP is a tool and MCP.
func (e *Evidence) groups() Group {
	g := operationGroups[e.Operation]
	switch e.Protocol {
	case ProtocolMCP:
		g |= GroupMCP
	case ProtocolA2A:
		g |= GroupA2A
	}
	return g
}
