// Package problem is the harness error object of
// draft-ouchi-agent-harness-errors: an RFC 9457 problem details object whose
// member code says, in words that vendors share, why an AI agent failed.
//
// # The object (draft sections 3 and 4)
//
// [Object] holds the members. [Parse] reads one leniently, as a consumer must:
// both type URIs are the same type, unknown members are ignored, and a member
// of the wrong type is dropped without taking the object along. [ParseStrict]
// and [Object.Validate] are for producers and tests; their errors name the path.
// [Object.Encode] refuses to write what Validate rejects, always writes the
// members in the same order and leaves status out unless it is set (6.2).
//
// # Where it travels (draft sections 6 to 8)
//
// The draft puts the object into application/problem+json bodies, into the data
// member of JSON-RPC errors, under a key of MCP's _meta and into data parts of
// A2A status messages; A2A 1.0 forces it into an array of typed values. [Find]
// and [FindTree] recognise all of these and say in [Found] which it was, because
// the way an object was received changes what it means: received from an MCP
// server it speaks of a tool (7.3, [Found.Received]), received from a remote
// agent it is the cause of an upstream.agent_failed (8.4, [Wrap]). [FindEmbedded]
// looks inside the message of an exception. [Maybe] is the test for hot paths; it
// allocates nothing.
//
// # For authors of harnesses
//
// [MCPResponse], [MCPToolResult], [MCPError], [A2AStatus], [A2AError],
// [A2AExtension] and [WriteHTTP] write what draft 6.1, 7.2, 8.1, 8.2 and 8.3 ask
// for; [FromMCP], [FromA2A] and [FromHTTP] read it back as 7.3 and 8.4 describe,
// also where the peer sent no object.
//
// # Hostile input
//
// Objects come from other parties. Reading is linear in the size of the input
// and never recurses deeper than a constant: text beyond [MaxText] is not read,
// carriers are searched [MaxDepth] levels deep, and of the causes [MaxCauses]
// are kept, the innermost always among them (8.5). The strings of an object,
// above all model_feedback, may carry secrets and injected instructions (draft
// section 10); this package hands them on as they are.
package problem
