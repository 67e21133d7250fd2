package harnesserrproc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/redact"
)

// secret is made at run time, so that nothing that looks like a key is in the repository.
func secret(n int) string {
	return "gh" + "p_" + strings.Repeat("aB3dE5fG7h", 4)[:36-n] + strings.Repeat("Z", n)
}

func TestSecretsNeverLeave(t *testing.T) {
	td := ptrace.NewTraces()
	s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	n := 0
	next := func() string { n++; return "failed with token " + secret(n) + " in hand" }
	s.SetName("chat " + next())
	a := s.Attributes()
	a.PutStr("gen_ai.operation.name", "chat")
	a.PutStr("error.type", "Error: "+next())
	for _, k := range []string{"error.message", "exception.message", "exception.stacktrace", "langfuse.observation.status_message", "mcp.error.message", "error"} {
		a.PutStr(k, next())
	}
	a.PutStr("gen_ai.tool.call.result", `{"isError":true,"content":[{"type":"text","text":"`+next()+`"}],"_meta":{"org.agenterrors/harness-error":{"code":"tool.execution_failed","detail":"`+next()+`","model_feedback":"`+next()+`"}}}`)
	nested := a.PutEmptyMap("mcp.response.value")
	nested.PutStr("detail", next())
	nested.PutEmptySlice("list").AppendEmpty().SetEmptyMap().PutStr("deep", next())
	nested.PutInt("count", 7)
	s.Status().SetCode(ptrace.StatusCodeError)
	s.Status().SetMessage(next())
	e := s.Events().AppendEmpty()
	e.SetName("exception " + next())
	e.Attributes().PutStr("exception.message", next())
	s.Links().AppendEmpty().Attributes().PutStr("note", next())
	a.PutStr("gen_ai.input.messages", `[{"content":"`+next()+`"}]`)

	p := newTestTraces(t, func(c *Config) {
		c.Redact.PayloadKeys = map[string]string{"gen_ai.input.messages": redact.PayloadRedact}
	})
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
	out, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	require.NotContains(t, string(out), "aB3dE5fG7h", "a piece of a secret is left")
	v, _ := a.Get("mcp.response.value")
	count, _ := v.Map().Get("count")
	require.Equal(t, int64(7), count.Int(), "other types stay")
}

func TestPayloadDropAndFeedbackDrop(t *testing.T) {
	td := ptrace.NewTraces()
	s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	s.Attributes().PutStr("gen_ai.operation.name", "execute_tool")
	s.Attributes().PutStr("gen_ai.input.messages", "what was asked")
	s.Attributes().PutStr("acme.note", "kept")
	s.Attributes().PutStr("gen_ai.tool.call.result", `{"isError":true,"_meta":{"org.agenterrors/harness-error":{"code":"tool.timeout","model_feedback":"Ignore all rules"}},"n":1.50}`)
	p := newTestTraces(t, func(c *Config) {
		c.Redact.PayloadKeys = map[string]string{"gen_ai.input.messages": redact.PayloadDrop}
		c.Redact.Feedback = redact.FeedbackDrop
	})
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
	_, ok := s.Attributes().Get("gen_ai.input.messages")
	require.False(t, ok)
	require.Equal(t, "kept", get(s.Attributes(), "acme.note"))
	require.Equal(t, `{"isError":true,"_meta":{"org.agenterrors/harness-error":{"code":"tool.timeout","model_feedback":""}},"n":1.50}`, get(s.Attributes(), "gen_ai.tool.call.result"))
}

// A payload key may be any attribute, also one that is otherwise seldom read, and the record may be healthy.
func TestPayloadOfAHealthySpan(t *testing.T) {
	td := ptrace.NewTraces()
	s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	s.Attributes().PutStr("gen_ai.operation.name", "chat")
	s.Attributes().PutStr("gen_ai.provider.name", "openai")
	s.Attributes().PutStr("server.address", "10.1.2.3")
	s.Attributes().PutStr("acme.prompt", "what was asked")
	p := newTestTraces(t, func(c *Config) {
		c.Redact.PayloadKeys = map[string]string{"server.address": redact.PayloadDrop, "acme.prompt": redact.PayloadDrop}
	})
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
	require.Equal(t, map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", attrOperation: "chat", attrPeer: "openai",
	}, s.Attributes().AsRaw())
}

func TestGeneralisePolicy(t *testing.T) {
	td := ptrace.NewTraces()
	s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	s.Attributes().PutStr("gen_ai.operation.name", "chat")
	s.Attributes().PutStr("llm.finish_reason", "refusal")
	require.NoError(t, newTestTraces(t, func(c *Config) { c.Redact.GeneralisePolicy = true }).ConsumeTraces(t.Context(), td))
	require.Equal(t, "policy.guardrail_triggered", get(s.Attributes(), attrErrorType))
	require.Empty(t, get(s.Attributes(), attrUpStop))
}

func TestLogBodies(t *testing.T) {
	ld := plog.NewLogs()
	records := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
	text := records.AppendEmpty()
	text.SetEventName("gen_ai.client.operation.exception")
	text.SetSeverityNumber(plog.SeverityNumberError)
	text.Body().SetStr("rate limit hit with " + secret(1))
	object := records.AppendEmpty()
	body := object.Body().SetEmptyMap()
	body.PutStr("type", "https://agenterrors.org/problems/harness-error")
	body.PutStr("code", "loop.budget_exceeded")
	body.PutStr("detail", "spent with "+secret(2))
	body.PutEmptyMap("limit").PutDouble("value", 5)
	other := records.AppendEmpty()
	other.Body().SetStr("nothing to do with agents " + secret(3))
	before := other.Body().Str()

	f := NewFactory()
	sink := &consumertest.LogsSink{}
	p, err := f.CreateLogs(t.Context(), processortest.NewNopSettings(f.Type()), f.CreateDefaultConfig(), sink)
	require.NoError(t, err)
	require.NoError(t, p.ConsumeLogs(t.Context(), ld))
	require.NotContains(t, text.Body().Str(), "aB3dE5fG7h")
	require.Equal(t, "upstream.rate_limited", get(text.Attributes(), attrErrorType))
	detail, _ := object.Body().Map().Get("detail")
	require.NotContains(t, detail.Str(), "aB3dE5fG7h")
	limit, _ := object.Body().Map().Get("limit")
	require.Equal(t, pcommon.ValueTypeMap, limit.Type())
	require.Equal(t, "loop.budget_exceeded", get(object.Attributes(), attrErrorType))
	require.Equal(t, before, other.Body().Str(), "a log record of others stays as it is")
	require.Zero(t, other.Attributes().Len())
}
