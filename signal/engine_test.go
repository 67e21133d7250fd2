package signal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuiltInTablesCompile(t *testing.T) {
	e, err := New(nil)
	require.NoError(t, err)
	require.NoError(t, check(e.rules, e.concepts))
	require.Less(t, e.text.load(), 25, "share of the text scanner's bitmap that is set, in percent")
}

// A condition of very many parts still has to hold: its weight does not wrap around to none.
func TestManyConditions(t *testing.T) {
	when := strings.TrimSpace(strings.Repeat("attr.acme.x=y ", 64))
	e, err := New([]UserRule{{Where: "rules[0]", Match: "type", Value: "acme.Boom", When: when, Code: "x-acme.boom"}})
	require.NoError(t, err)
	var v Verdict
	ev := Evidence{Status: StatusError, ErrorType: "acme.Boom"}
	require.True(t, e.NewDecider().Decide(&ev, &v))
	require.NotEqual(t, "x-acme.boom", v.Code)
	ev.Words = append(ev.Words, Word{Key: "acme.x", Value: "y"})
	require.True(t, e.NewDecider().Decide(&ev, &v))
	require.Equal(t, "x-acme.boom", v.Code)
}

// An exact name counts with its package only; without the word, another package's class of the same name counts too.
func TestExactNames(t *testing.T) {
	rule := UserRule{Where: "rules[0]", Match: "type", Value: "acme.errors.NothingHere", Code: "x-acme.nothing"}
	for _, tt := range []struct{ set, name, code string }{
		{"", "acme.errors.NothingHere", "x-acme.nothing"}, {"", "other.NothingHere", "x-acme.nothing"}, {"", "NothingHere", "x-acme.nothing"},
		{"exact", "acme.errors.NothingHere", "x-acme.nothing"}, {"exact", "acme.v2.NothingHere", "x-acme.nothing"},
		{"exact", "other.NothingHere", "harness.internal_error"}, {"exact", "NothingHere", "harness.internal_error"},
	} {
		rule.Set = tt.set
		e, err := New([]UserRule{rule})
		require.NoError(t, err)
		var v Verdict
		require.True(t, e.NewDecider().Decide(&Evidence{Status: StatusError, ErrorType: tt.name}, &v))
		require.Equal(t, tt.code, v.Code, "%+v", tt)
	}
}

// Codes that SDKs put into the text alone.
func TestCodesInTexts(t *testing.T) {
	for _, tt := range []struct {
		protocol       Protocol
		operation      Operation
		text           string
		code, upstream string
	}{
		{ProtocolMCP, OpExecuteTool, "MCP error -32601: Method not found", "tool.not_available", "-32601"},
		{ProtocolMCP, OpExecuteTool, "Mcp error: -32602: invalid params", "output.invalid_tool_arguments", "-32602"},
		{ProtocolMCP, OpExecuteTool, "MCP error -32602: Output validation error: no structured content", "tool.execution_failed", "-32602"},
		{ProtocolMCP, OpExecuteTool, "MCP error -32042", "", ""},
		{ProtocolNone, OpChat, "MCP error -32601: Method not found", "harness.internal_error", ""},
		{ProtocolNone, OpChat, "14 UNAVAILABLE: No connection established", "upstream.unavailable", ""},
		{ProtocolNone, OpChat, "8 RESOURCE_EXHAUSTED: quota", "upstream.rate_limited", ""},
		{ProtocolNone, OpChat, "14 days: too long", "harness.internal_error", ""},
	} {
		var v Verdict
		ev := Evidence{Operation: tt.operation, Protocol: tt.protocol, Status: StatusError, Exceptions: []Exception{{Type: "Error", Message: tt.text}}}
		Default().NewDecider().Decide(&ev, &v)
		require.Equal(t, tt.code, v.Code, tt.text)
		if tt.upstream != "" {
			require.Equal(t, tt.upstream, v.Upstream.Code, tt.text)
		}
	}
}
