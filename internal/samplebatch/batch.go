// Package samplebatch makes the span batches that benchmarks and soak tests run on: what agent harnesses produce, with
// 8 to 20 attributes a span and a given share of failures. The same seed gives the same batch.
package samplebatch

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// Batch describes a generated batch.
type Batch struct {
	Spans   int
	Failing float64 // share of spans that failed
	Seed    uint64
	Plain   bool // only spans of other conventions: HTTP clients
	Varied  bool // no two failures have the same stack trace
}

// Default is the batch every benchmark uses: 1000 spans, 5% of them failing.
var Default = Batch{Spans: 1000, Failing: 0.05, Seed: 20260101}

// FinishReasons are the finish reasons that failing chat spans end with. The
// first ones are used by the generated data, the rest only by statement lists.
var FinishReasons = []string{
	"content_filter", "length", "refusal", "error", "max_tokens", "SAFETY", "RECITATION",
	"MALFORMED_FUNCTION_CALL", "guardrail_intervened", "model_context_window_exceeded",
}

// ExceptionTypes are the exception types that failing spans record.
var ExceptionTypes = []string{
	"openai.RateLimitError", "openai.APITimeoutError", "anthropic.OverloadedError",
	"anthropic.APIConnectionError", "httpx.ReadTimeout", "botocore.errorfactory.ThrottlingException",
	"mcp.shared.exceptions.McpError", "asyncio.TimeoutError", "json.decoder.JSONDecodeError",
	"pydantic_core._pydantic_core.ValidationError", "java.net.SocketTimeoutException", "a2a.client.A2AClientHTTPError",
}

var (
	models    = []string{"gpt-5.4", "gpt-5.4-mini", "claude-opus-4-6", "claude-haiku-4-5", "gemini-3-pro", "llama-4-70b"}
	providers = []string{"openai", "azure.ai.openai", "anthropic", "aws.bedrock", "gcp.vertex_ai", "vllm"}
	tools     = []string{"read_file", "write_file", "search", "run_tests", "http_get", "sql_query"}
	stack     = strings.Repeat("  File \"/app/agent/loop.py\", line 214, in step\n    reply = await client.responses.create(**kwargs)\n", 12)
)

// Traces builds the batch: 10 resources with 2 scopes each, spans of five
// kinds with 8 to 20 attributes.
func (b Batch) Traces() ptrace.Traces {
	r := rand.New(rand.NewPCG(b.Seed, 1))
	td := ptrace.NewTraces()
	per := b.Spans / 20
	n := 0
	for res := range 10 {
		rs := td.ResourceSpans().AppendEmpty()
		ra := rs.Resource().Attributes()
		ra.PutStr("service.name", fmt.Sprintf("agent-%d", res))
		ra.PutStr("service.instance.id", fmt.Sprintf("agent-%d-0", res))
		ra.PutStr("service.version", "1.4.2")
		ra.PutStr("telemetry.sdk.language", "python")
		ra.PutStr("telemetry.sdk.name", "opentelemetry")
		for sc := range 2 {
			ss := rs.ScopeSpans().AppendEmpty()
			ss.Scope().SetName([]string{"opentelemetry.instrumentation.openai_v2", "mcp.client"}[sc])
			ss.Scope().SetVersion("2.3b0")
			for range per {
				b.fillSpan(ss.Spans().AppendEmpty(), r, n, r.Float64() < b.Failing)
				n++
			}
		}
	}
	return td
}

func (b Batch) fillSpan(s ptrace.Span, r *rand.Rand, n int, failing bool) {
	var tid pcommon.TraceID
	var sid pcommon.SpanID
	for i := range tid {
		tid[i] = byte(r.Uint32())
	}
	for i := range sid {
		sid[i] = byte(r.Uint32())
	}
	s.SetTraceID(tid)
	s.SetSpanID(sid)
	s.SetKind(ptrace.SpanKindClient)
	start := uint64(1_796_000_000_000_000_000) + uint64(n)*1_000_000
	s.SetStartTimestamp(pcommon.Timestamp(start))
	s.SetEndTimestamp(pcommon.Timestamp(start + uint64(20+r.IntN(8000))*1_000_000))

	a := s.Attributes()
	a.EnsureCapacity(22)
	m := r.IntN(len(models))
	common := func(op string) {
		a.PutStr("gen_ai.operation.name", op)
		a.PutStr("gen_ai.provider.name", providers[m])
		a.PutStr("gen_ai.conversation.id", fmt.Sprintf("conv_%08x", r.Uint32()))
		a.PutStr("gen_ai.agent.name", "coder")
		a.PutStr("gen_ai.agent.id", fmt.Sprintf("asst_%08x", r.Uint32()))
		a.PutStr("server.address", "api."+providers[m]+".example")
		a.PutInt("server.port", 443)
	}
	chat := false
	k := r.IntN(10)
	if b.Plain {
		k = 9
	}
	switch {
	case k < 4: // chat: 20 attributes
		chat = true
		common("chat")
		s.SetName("chat " + models[m])
		a.PutStr("gen_ai.request.model", models[m])
		a.PutStr("gen_ai.response.model", models[m]+"-2026-03-01")
		a.PutStr("gen_ai.response.id", fmt.Sprintf("resp_%016x", r.Uint64()))
		a.PutInt("gen_ai.usage.input_tokens", int64(r.IntN(20000)))
		a.PutInt("gen_ai.usage.output_tokens", int64(r.IntN(4000)))
		a.PutInt("gen_ai.request.max_tokens", 4096)
		a.PutDouble("gen_ai.request.temperature", 0.7)
		a.PutDouble("gen_ai.request.top_p", 1)
		a.PutStr("gen_ai.output.type", "text")
		a.PutStr("openai.request.service_tier", "default")
		a.PutStr("url.full", "https://api."+providers[m]+".example/v1/responses?run="+fmt.Sprint(n))
		a.PutInt("http.response.status_code", 200)
		a.PutEmptySlice("gen_ai.response.finish_reasons").AppendEmpty().SetStr("stop")
	case k < 7: // MCP tool call: 14 attributes
		common("execute_tool")
		t := tools[r.IntN(len(tools))]
		s.SetName("execute_tool " + t)
		a.PutStr("gen_ai.tool.name", t)
		a.PutStr("gen_ai.tool.call.id", fmt.Sprintf("call_%012x", r.Uint64()))
		a.PutStr("gen_ai.tool.type", "function")
		a.PutStr("mcp.method.name", "tools/call")
		a.PutStr("mcp.session.id", fmt.Sprintf("%016x", r.Uint64()))
		a.PutStr("jsonrpc.request.id", fmt.Sprint(n))
		a.PutStr("network.transport", "tcp")
	case k < 8: // agent to agent: 10 attributes
		common("invoke_agent")
		s.SetName("invoke_agent planner")
		a.PutStr("rpc.system", "jsonrpc")
		a.PutStr("rpc.method", "message/send")
		a.PutStr("a2a.task.id", fmt.Sprintf("task_%012x", r.Uint64()))
	case k < 9: // embeddings: 10 attributes
		common("embeddings")
		s.SetName("embeddings text-embedding-4")
		a.PutStr("gen_ai.request.model", "text-embedding-4")
		a.PutInt("gen_ai.usage.input_tokens", int64(r.IntN(8000)))
		a.PutInt("gen_ai.embeddings.dimension.count", 1536)
	default: // plain HTTP client: 8 attributes
		s.SetName("POST")
		a.PutStr("http.request.method", "POST")
		a.PutStr("url.full", "https://api."+providers[m]+".example/v1/chat/completions")
		a.PutStr("server.address", "api."+providers[m]+".example")
		a.PutInt("server.port", 443)
		a.PutInt("http.response.status_code", 200)
		a.PutStr("network.protocol.version", "1.1")
		a.PutStr("user_agent.original", "OpenAI/Python 2.8.1")
		a.PutInt("http.request.resend_count", 0)
	}
	if !failing {
		return
	}
	s.Status().SetCode(ptrace.StatusCodeError)
	if chat && r.IntN(2) == 0 {
		v, _ := a.Get("gen_ai.response.finish_reasons")
		v.Slice().At(0).SetStr(FinishReasons[r.IntN(len(FinishReasons))])
		s.Status().SetMessage("generation stopped")
		return
	}
	x := ExceptionTypes[r.IntN(len(ExceptionTypes))]
	s.Status().SetMessage(x + requestMark + fmt.Sprint(n) + " failed")
	ev := s.Events().AppendEmpty()
	ev.SetName("exception")
	ev.Attributes().PutStr("exception.type", x)
	ev.Attributes().PutStr("exception.message", "Error code: 429 - {'error': {'message': 'Rate limit reached for org-abc on tokens per min (TPM)', 'type': 'tokens'}}")
	trace := stack
	if b.Varied {
		trace = stackAt(n)
	}
	ev.Attributes().PutStr("exception.stacktrace", trace)
}

const requestMark = ": request req_"

func stackAt(line int) string {
	return strings.ReplaceAll(stack, "line 214", fmt.Sprint("line ", line))
}

// Renew gives the failures of a batch request ids that none had before, and new stack traces if it is a varied one: what is
// processed again and again would otherwise be met again word for word. It returns the next number to renew from.
func Renew(td ptrace.Traces, number int) int {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				x, _, ok := strings.Cut(s.Status().Message(), requestMark)
				if !ok {
					continue
				}
				number++
				s.Status().SetMessage(x + requestMark + fmt.Sprint(number) + " failed")
				for _, ev := range s.Events().All() {
					if trace, ok := ev.Attributes().Get("exception.stacktrace"); ok && trace.Str() != stack {
						trace.SetStr(stackAt(number))
					}
				}
			}
		}
	}
	return number
}
