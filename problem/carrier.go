package problem

import "github.com/harnesserr/harnesserr/registry"

// Carrier is the place in which an object was found.
type Carrier uint8

const (
	// CarrierBare: the value is the object itself: an attribute, a log body, the
	// body of an application/problem+json response (draft 6.1, 6.2). Who looks
	// knows which.
	CarrierBare Carrier = iota + 1
	// CarrierMCPMeta: _meta of an MCP result (7.1), also of a task's result.
	CarrierMCPMeta
	// CarrierMCPTask: the error of an MCP task.
	CarrierMCPTask
	// CarrierJSONRPCData: data of a JSON-RPC error (6.3); MCP or A2A before 1.0.
	CarrierJSONRPCData
	// CarrierA2AErrorData: an element of the array that A2A 1.0 makes of data.
	CarrierA2AErrorData
	// CarrierRPCStatus: an element of the details of a google.rpc.Status, which
	// A2A uses over gRPC and HTTP (8.3).
	CarrierRPCStatus
	// CarrierA2AStatus: a data part of an A2A task's status message (8.2), or the
	// metadata of that message.
	CarrierA2AStatus
	// CarrierA2AMetadata: metadata of an A2A message or task, under the URI of the
	// draft's extension (8.1).
	CarrierA2AMetadata
)

// String returns a short stable name.
func (c Carrier) String() string {
	switch c {
	case CarrierBare:
		return "bare"
	case CarrierMCPMeta:
		return "mcp.meta"
	case CarrierMCPTask:
		return "mcp.task"
	case CarrierJSONRPCData:
		return "jsonrpc.data"
	case CarrierA2AErrorData:
		return "a2a.error_data"
	case CarrierRPCStatus:
		return "rpc.status"
	case CarrierA2AStatus:
		return "a2a.status"
	case CarrierA2AMetadata:
		return "a2a.metadata"
	}
	return "none"
}

// Protocol is the agent protocol that a carrier belongs to.
type Protocol uint8

// The protocols that the draft has bindings for, and none.
const (
	ProtocolUnknown Protocol = iota
	ProtocolMCP
	ProtocolA2A
)

// Protocol returns the protocol if the carrier alone tells it. A bare object
// and the data of a JSON-RPC error may belong to either.
func (c Carrier) Protocol() Protocol {
	switch c {
	case CarrierMCPMeta, CarrierMCPTask:
		return ProtocolMCP
	case CarrierA2AErrorData, CarrierRPCStatus, CarrierA2AStatus, CarrierA2AMetadata:
		return ProtocolA2A
	}
	return ProtocolUnknown
}

// IsProtocolError reports whether the carrier is an error of the protocol
// exchange; the others report that accepted work failed, or do not tell.
func (c Carrier) IsProtocolError() bool {
	switch c {
	case CarrierMCPTask, CarrierJSONRPCData, CarrierA2AErrorData, CarrierRPCStatus:
		return true
	}
	return false
}

// Found is an object and where it was.
type Found struct {
	Object  Object
	Carrier Carrier
}

// Received returns the error that a harness reports when this object reached it
// from a peer: over MCP the object itself, of origin tool unless it says
// otherwise (draft 7.3); over A2A an upstream.agent_failed around it (8.4, see
// Wrap). otherwise is the protocol to assume where the carrier tells none; with
// ProtocolUnknown the object is returned as it is.
func (f Found) Received(otherwise Protocol) Object {
	protocol := f.Carrier.Protocol()
	if protocol == ProtocolUnknown {
		protocol = otherwise
	}
	switch protocol {
	case ProtocolA2A:
		return Wrap(f.Object)
	case ProtocolMCP:
		if f.Object.Origin == "" {
			f.Object.Origin = registry.OriginTool
		}
	}
	return f.Object
}
