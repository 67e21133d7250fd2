package cases

import (
	"fmt"
	"math/rand/v2"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

// wide is the batch with attributes of an application's own added to every span, up to n.
func wide(b samplebatch.Batch, n int) ptrace.Traces {
	td := b.Traces()
	eachSpan(td, func(s ptrace.Span) {
		for i := s.Attributes().Len(); i < n; i++ {
			s.Attributes().PutStr(fmt.Sprintf("app.attribute.%03d", i), "value")
		}
	})
	return td
}

// logs are events of coding agents, which report their calls in log records: each second one an API call, the others
// tool results. The given share failed.
func logs(n int, failing float64) plog.Logs {
	r := rand.New(rand.NewPCG(1, 1))
	ld := plog.NewLogs()
	rl := ld.ResourceLogs().AppendEmpty()
	rl.Resource().Attributes().PutStr("service.name", "claude-code")
	sl := rl.ScopeLogs().AppendEmpty()
	sl.Scope().SetName("com.anthropic.claude_code.events")
	for i := range n {
		lr := sl.LogRecords().AppendEmpty()
		lr.SetSeverityNumber(plog.SeverityNumberInfo)
		lr.SetTimestamp(pcommon.Timestamp(1_796_000_000_000_000_000 + i*1_000_000))
		a := lr.Attributes()
		a.PutStr("session.id", fmt.Sprintf("sess-%04d", i%50))
		a.PutStr("terminal.type", "tmux")
		a.PutInt("event.sequence", int64(i))
		a.PutStr("prompt.id", fmt.Sprintf("prompt-%d", i/4))
		failed := r.Float64() < failing
		if i%2 == 0 {
			apiCall(lr, failed)
		} else {
			toolResult(lr, failed)
		}
		a.PutInt("duration_ms", int64(100+i%900))
	}
	return ld
}

func apiCall(lr plog.LogRecord, failed bool) {
	a := lr.Attributes()
	a.PutStr("model", "claude-sonnet-5")
	if !failed {
		lr.Body().SetStr("claude_code.api_request")
		a.PutStr("event.name", "api_request")
		a.PutInt("input_tokens", 812)
		a.PutInt("output_tokens", 96)
		return
	}
	lr.Body().SetStr("claude_code.api_error")
	a.PutStr("event.name", "api_error")
	a.PutStr("error", `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
	a.PutStr("status_code", "529")
	a.PutInt("attempt", 3)
}

func toolResult(lr plog.LogRecord, failed bool) {
	lr.Body().SetStr("claude_code.tool_result")
	a := lr.Attributes()
	a.PutStr("event.name", "tool_result")
	a.PutStr("tool_name", "Bash")
	a.PutBool("success", !failed)
	if failed {
		a.PutStr("error", "Command timed out after 2m 0.0s")
	}
}

// points are histogram points of the duration of model calls; the given share has an error.type that is not a
// registry code yet.
func points(n int, failing float64) pmetric.Metrics {
	r := rand.New(rand.NewPCG(1, 1))
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("service.name", "agent")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("gen_ai.client.operation.duration")
	m.SetUnit("s")
	h := m.SetEmptyHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	for i := range n {
		p := h.DataPoints().AppendEmpty()
		a := p.Attributes()
		a.PutStr("gen_ai.operation.name", "chat")
		a.PutStr("gen_ai.provider.name", "openai")
		a.PutStr("gen_ai.request.model", fmt.Sprintf("gpt-5.4-%04d", i)) // each point is a series of its own
		a.PutStr("server.address", "api.openai.example")
		if r.Float64() < failing {
			a.PutStr("error.type", samplebatch.ExceptionTypes[r.IntN(len(samplebatch.ExceptionTypes))])
		}
		p.SetCount(10)
		p.SetSum(12)
		p.ExplicitBounds().FromRaw([]float64{0.1, 1, 10})
		p.BucketCounts().FromRaw([]uint64{1, 4, 4, 1})
	}
	return md
}
