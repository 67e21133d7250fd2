package harnesserrproc

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// TestRoundTrip: what the helpers of package problem write, the processor reads back, with the same code, for every code
// and every carrier.
func TestRoundTrip(t *testing.T) {
	p := newTestTraces(t, nil)
	for _, entry := range registry.All() {
		o := problem.New(entry.Code, "what happened")
		_, _, httpBody, err := problem.HTTPResponse(o)
		require.NoError(t, err)
		for name, tt := range map[string]struct {
			attrs    map[string]string
			text     any
			where    string
			kind     ptrace.SpanKind
			received bool // over A2A: the outer code says that the remote agent failed
		}{
			"mcp":  {attrs: map[string]string{"mcp.method.name": "tools/call"}, where: "mcp.response.value", text: problem.MCPResponse(1, o), kind: ptrace.SpanKindClient},
			"http": {attrs: map[string]string{"gen_ai.operation.name": "invoke_agent"}, where: "http.response.body.content", text: json.RawMessage(httpBody), kind: ptrace.SpanKindClient},
			"a2a 0.3 task": {attrs: map[string]string{"a2a.method.name": "SendMessage"}, where: "gen_ai.agent.a2a.response",
				text: map[string]any{"status": problem.A2AStatus(problem.A2A03, "m1", o)}, kind: ptrace.SpanKindClient, received: true},
			"a2a 1.0 task": {attrs: map[string]string{"a2a.method.name": "SendMessage"}, where: "gen_ai.agent.a2a.response",
				text: map[string]any{"task": map[string]any{"status": problem.A2AStatus(problem.A2A10, "m1", o)}}, kind: ptrace.SpanKindClient, received: true},
			"a2a 1.0 error": {attrs: map[string]string{"a2a.method.name": "SendMessage"}, where: "gen_ai.agent.a2a.response",
				text: map[string]any{"error": problem.A2AError(problem.A2A10, -32603, o)}, kind: ptrace.SpanKindClient, received: true},
			"a2a task, on the agent's side": {attrs: map[string]string{"a2a.method.name": "SendMessage"}, where: "gen_ai.agent.a2a.response",
				text: map[string]any{"status": problem.A2AStatus(problem.A2A03, "m1", o)}, kind: ptrace.SpanKindServer},
		} {
			t.Run(entry.Code+"/"+name, func(t *testing.T) {
				text, err := json.Marshal(tt.text)
				require.NoError(t, err)
				td := ptrace.NewTraces()
				s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
				s.SetKind(tt.kind)
				for k, v := range tt.attrs {
					s.Attributes().PutStr(k, v)
				}
				s.Attributes().PutStr(tt.where, string(text))
				require.NoError(t, p.ConsumeTraces(t.Context(), td))
				code := get(s.Attributes(), attrCode)
				if tt.received {
					require.Equal(t, registry.UpstreamAgentFailed, code)
					causes, ok := s.Attributes().Get(attrCauseCodes)
					if entry.Code != code {
						require.True(t, ok)
						code = causes.Slice().At(0).Str()
					}
				}
				require.Equal(t, entry.Code, code)
				require.Equal(t, "object", get(s.Attributes(), attrEvidence))
			})
		}
	}
}

// TestRegistryCodes: a registry code on error.type stays, and what the registry says of it is written beside it.
func TestRegistryCodes(t *testing.T) {
	p := newTestTraces(t, nil)
	for _, entry := range registry.All() {
		td := ptrace.NewTraces()
		s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
		s.Attributes().PutStr("gen_ai.operation.name", "invoke_agent")
		s.Attributes().PutStr("error.type", entry.Code)
		s.Status().SetCode(ptrace.StatusCodeError)
		require.NoError(t, p.ConsumeTraces(t.Context(), td))
		attrs := s.Attributes()
		require.Equal(t, entry.Code, get(attrs, attrErrorType))
		require.Equal(t, entry.Code, get(attrs, attrCode))
		require.Equal(t, string(entry.Origin), get(attrs, attrOrigin))
		require.Equal(t, entry.Retryable, boolOf(t, attrs, attrRetryable), entry.Code)
		require.Equal(t, entry.ModelRecoverable, boolOf(t, attrs, attrRecoverable), entry.Code)
		require.Equal(t, "code", get(attrs, attrEvidence))
		require.Empty(t, get(attrs, attrOriginal))
	}
}

func boolOf(t *testing.T, m pcommon.Map, key string) bool {
	t.Helper()
	v, ok := m.Get(key)
	require.True(t, ok, key)
	return v.Bool()
}
