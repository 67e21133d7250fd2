package harnesserrproc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
	"github.com/harnesserr/harnesserr/signal"
)

func newTestEngine(t *testing.T) *signal.Engine {
	t.Helper()
	return signal.Default()
}

// TestForeignSpansStayIdentical: spans of other conventions are not touched, not by one byte.
func TestForeignSpansStayIdentical(t *testing.T) {
	td := samplebatch.Batch{Spans: 200, Seed: 3, Failing: 0.5, Plain: true}.Traces()
	for _, extra := range []string{"gen_ai.agent.name", "gen_ai.conversation.id", "session.id"} {
		td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes().PutStr(extra, "copied by baggage")
	}
	before := protoOf(t, td)
	require.NoError(t, newTestTraces(t, nil).ConsumeTraces(t.Context(), td))
	require.Equal(t, before, protoOf(t, td))
}

// TestHostileContent: content that no instrumentation should write passes through or is classified.
func TestHostileContent(t *testing.T) {
	for name, change := range map[string]func(ptrace.Span){
		"1 MB strings": func(s ptrace.Span) {
			s.Status().SetMessage(strings.Repeat("rate limit ", 100_000))
			s.Attributes().PutStr("gen_ai.tool.call.result", strings.Repeat(`{"isError":true,`, 70_000))
		},
		"invalid UTF-8": func(s ptrace.Span) {
			s.SetName("chat \xff\xfe")
			s.Status().SetMessage("\xc3\x28 timeout")
			s.Attributes().PutStr("error.type", "\xf0\x28\x8c\x28")
		},
		"wrong types": func(s ptrace.Span) {
			s.Attributes().PutStr("http.response.status_code", "four")
			s.Attributes().PutBool("error.type", true)
			s.Attributes().PutDouble("gen_ai.response.finish_reasons", 3.5)
			s.Attributes().PutEmptyMap("gen_ai.provider.name").PutStr("name", "openai")
			s.Attributes().PutEmptyBytes("exception.message").FromRaw([]byte{0, 1, 2, 255})
			s.Attributes().PutInt("gen_ai.operation.name", 7)
		},
		"deep nesting": func(s ptrace.Span) {
			v := s.Attributes().PutEmpty("output.value")
			for range 500 {
				v = v.SetEmptyMap().PutEmpty("error")
			}
			v.SetStr("end")
		},
		"arrays of mixed types": func(s ptrace.Span) {
			list := s.Attributes().PutEmptySlice("gen_ai.response.finish_reasons")
			list.AppendEmpty().SetInt(2)
			list.AppendEmpty().SetBool(true)
			list.AppendEmpty().SetEmptyMap().PutStr("a", "b")
			list.AppendEmpty().SetStr("length")
		},
		"no ids, no names": func(s ptrace.Span) {
			s.SetTraceID(pcommon.TraceID{})
			s.SetSpanID(pcommon.SpanID{})
			s.SetName("")
			s.Events().AppendEmpty().Attributes().PutStr("exception.type", "openai.RateLimitError")
		},
		"cut JSON": func(s ptrace.Span) {
			s.Attributes().PutStr("gen_ai.output.messages", `[{"role":"assistant","finish_reason":"leng`)
			s.Attributes().PutStr("gcp.vertex.agent.llm_response", `{"error_code":"SAF`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			td := ptrace.NewTraces()
			s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
			s.Attributes().PutStr("gen_ai.request.model", "m")
			s.SetSpanID(pcommon.SpanID{1})
			s.Status().SetCode(ptrace.StatusCodeError)
			change(s)
			require.NoError(t, newTestTraces(t, func(c *Config) { c.ErrorMode = modePropagate }).ConsumeTraces(t.Context(), td))
			require.Equal(t, 1, td.SpanCount())
			v, ok := s.Attributes().Get(attrCode)
			require.True(t, ok, "a span with status ERROR has a code")
			require.NotEmpty(t, v.Str())
		})
	}
}

func TestEmptyBatches(t *testing.T) {
	p := newTestTraces(t, nil)
	td := ptrace.NewTraces()
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
	td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
}
