package problem

import "github.com/harnesserr/harnesserr/registry"

// ToolResult is a tools/call result of MCP that reports a tool execution error
// (draft 7.2).
type ToolResult struct {
	IsError bool              `json:"isError"`
	Content []TextContent     `json:"content"`
	Meta    map[string]Object `json:"_meta"`
}

// TextContent is a content item of MCP that the model sees.
type TextContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// MCPToolResult reports o as a tool execution error, which the model sees and
// can react to: model_feedback, or else detail, as text, and the object under
// MetaKey. The text goes into the model's context; put nothing into detail that
// does not belong there (draft 7.2, 10).
func MCPToolResult(o Object) ToolResult {
	o.Status = 0
	text := o.ModelFeedback
	if text == "" {
		text = o.summary()
	}
	return ToolResult{
		IsError: true,
		Content: []TextContent{{Type: "text", Text: text}},
		Meta:    map[string]Object{MetaKey: o},
	}
}

// MCPError reports o as a JSON-RPC error, for requests that could not be
// processed as a tool call at all. The code is the one of table 4.
func MCPError(o Object) RPCError {
	o.Status = 0
	code := registry.Channel(o.Code)
	if code == registry.MCPToolError {
		code = registry.MCPInternalError
	}
	return RPCError{Code: int(code), Message: o.summary(), Data: o}
}

// MCPResponse answers the tools/call request id with o, in the way that draft
// 7.2 gives its code: as a tool execution error or as a JSON-RPC error.
func MCPResponse(id any, o Object) RPCResponse {
	r := RPCResponse{JSONRPC: "2.0", ID: id}
	if registry.Channel(o.Code) == registry.MCPToolError {
		r.Result = MCPToolResult(o)
	} else {
		e := MCPError(o)
		r.Error = &e
	}
	return r
}

// FromMCP reads the answer to a tools/call request, a JSON-RPC response or its
// result alone, as draft 7.3 asks of a client: the object the server sent, with
// origin tool where it names none, or else what table 5 makes of isError and of
// the JSON-RPC code. It reports false if the answer is no failure or is not JSON.
// Newer codes of MCP, on which the table is silent, are a matter of the request
// (-32020 to -32022), or wait for the user and are no failure (-32042).
//
// Table 5 tells two meanings of -32602 apart by whether the server offers the
// tool that the model chose; toolOffered says so.
func FromMCP(text []byte, toolOffered bool) (Object, bool) {
	if f, ok := Find(text); ok {
		return f.Received(ProtocolMCP), true
	}
	a, ok := readAnswer(text)
	switch {
	case !ok:
		return Object{}, false
	case a.err != nil && a.err.code != mcpElicitation:
		o := New(mcpCode(a.err.code, toolOffered), "")
		o.Upstream = a.err.upstream("mcp")
		return o, true
	case a.isError:
		o := New(registry.ToolExecutionFailed, "")
		o.Upstream = &Upstream{Provider: "mcp"}
		return o, true
	}
	return Object{}, false
}

const mcpElicitation = -32042

// mcpCode is table 5 for JSON-RPC codes.
func mcpCode(code int64, toolOffered bool) string {
	switch code {
	case -32602:
		if toolOffered {
			return registry.OutputInvalidToolArguments
		}
		return registry.OutputUnknownTool
	case -32601:
		return registry.ToolNotAvailable
	case -32700, -32600:
		return registry.HarnessInternalError
	case -32020, -32021, -32022:
		return registry.UpstreamInvalidRequest
	}
	return registry.ToolExecutionFailed
}
