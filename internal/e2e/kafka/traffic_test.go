package kafka

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Every run of an agent is a trace of four spans: a model call, two tool calls and the run. Of four runs, one fails because
// its model call is rate limited, one survives a tool call that fails, as the second one succeeds, two go well.
const spansPerTrace = 4

// traffic sends runs of agents, and knows the right counts.
type traffic struct {
	client ptraceotlp.GRPCClient
	traces int
	// spans and failures are the span ids of what was sent, and of the failures that no other explains.
	spans, failures map[pcommon.SpanID]bool
}

func newTraffic(t *testing.T, address string) *traffic {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return &traffic{
		client: ptraceotlp.NewGRPCClient(conn),
		spans:  map[pcommon.SpanID]bool{}, failures: map[pcommon.SpanID]bool{},
	}
}

// send sends n runs: first the calls, then, in another request and thus another message, the second tool calls and the runs.
// The pause between the two is what a grouping has to bridge.
func (f *traffic) send(t *testing.T, n int, pause time.Duration) {
	t.Helper()
	calls, runs := ptrace.NewTraces(), ptrace.NewTraces()
	callSpans, runSpans := scope(calls), scope(runs)
	for range n {
		f.addRun(callSpans, runSpans)
	}
	f.export(t, calls)
	time.Sleep(pause)
	f.export(t, runs)
}

func (f *traffic) export(t *testing.T, td ptrace.Traces) {
	t.Helper()
	_, err := f.client.Export(t.Context(), ptraceotlp.NewExportRequestFromTraces(td))
	require.NoError(t, err)
}

func scope(td ptrace.Traces) ptrace.SpanSlice {
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "planner")
	return rs.ScopeSpans().AppendEmpty().Spans()
}

func (f *traffic) addRun(calls, runs ptrace.SpanSlice) {
	i := f.traces
	f.traces++
	root := f.addSpan(runs, i, 0, "invoke_agent")
	chat := f.addSpan(calls, i, 1, "chat")
	chat.Attributes().PutStr("gen_ai.provider.name", "anthropic")
	tool := f.addSpan(calls, i, 2, "execute_tool")
	tool.Attributes().PutStr("gen_ai.tool.name", "grep")
	again := f.addSpan(runs, i, 3, "execute_tool")
	again.Attributes().PutStr("gen_ai.tool.name", "grep")
	switch i % 4 {
	case 0:
		fail(chat, "429", "429 Too Many Requests")
		chat.Attributes().PutInt("http.response.status_code", 429)
		fail(root, "429", "429 Too Many Requests")
		f.failures[chat.SpanID()] = true
	case 1:
		fail(tool, "tool_error", "no such file")
	}
}

func (f *traffic) addSpan(to ptrace.SpanSlice, trace, n int, operation string) ptrace.Span {
	var traceID pcommon.TraceID
	binary.BigEndian.PutUint64(traceID[:], 0xa9e17)
	binary.BigEndian.PutUint64(traceID[8:], uint64(trace)+1)
	id := func(n int) (id pcommon.SpanID) {
		binary.BigEndian.PutUint64(id[:], uint64(trace*spansPerTrace+n+1))
		return id
	}
	s := to.AppendEmpty()
	s.SetTraceID(traceID)
	s.SetSpanID(id(n))
	if n > 0 {
		s.SetParentSpanID(id(0))
		s.SetKind(ptrace.SpanKindClient)
	}
	s.SetName(operation)
	start := time.Now().Add(time.Duration(n) * time.Millisecond)
	s.SetStartTimestamp(pcommon.NewTimestampFromTime(start))
	s.SetEndTimestamp(pcommon.NewTimestampFromTime(start.Add(time.Millisecond)))
	s.Attributes().PutStr("gen_ai.operation.name", operation)
	f.spans[s.SpanID()] = true
	return s
}

func fail(s ptrace.Span, kind, message string) {
	s.Status().SetCode(ptrace.StatusCodeError)
	s.Status().SetMessage(message)
	s.Attributes().PutStr("error.type", kind)
}

// counts are the calls by code, and by how failures relate, as in "code propagated handled".
func (f *traffic) counts() map[string]float64 {
	quarter := float64(f.traces / 4)
	return map[string]float64{
		"":                                 float64(f.traces*spansPerTrace) - 3*quarter,
		"upstream.rate_limited":            quarter,
		"upstream.rate_limited propagated": quarter,
		"tool.execution_failed handled":    quarter,
	}
}

func key(labels map[string]string) string {
	k := labels["harness_error_code"]
	for _, relation := range []string{"propagated", "handled", "mirror"} {
		if labels["harness_error_"+relation] == "true" {
			k += fmt.Sprint(" ", relation)
		}
	}
	return k
}
