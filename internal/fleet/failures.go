package main

import (
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// failure is something that goes wrong in a run, in the dialect of whoever reports it.
type failure struct {
	name string
	code string // what it should become; "" for control flow and expected outcomes without a code
	run  func(w *world) *run
}

// supportTurn, researchTurn and invoiceTurn are runs that begin well; f adds what comes next.
func supportTurn(f func(a *node)) func(*world) *run {
	return func(w *world) *run {
		r := w.run(support)
		a := r.agent(support)
		a.tool("crm", "find_customer")
		f(a)
		return r
	}
}

func researchTurn(f func(a *node)) func(*world) *run {
	return func(w *world) *run {
		r := w.run(research)
		a := r.agent(research)
		a.chat(claude).answers("end_turn")
		f(a)
		return r
	}
}

func invoiceTurn(f func(g *node)) func(*world) *run {
	return func(w *world) *run {
		r := w.run(invoices)
		g := r.graph()
		g.llm(nova)
		f(g)
		return r
	}
}

const (
	rateLimit = "Error code: 429 - {'error': {'message': 'Rate limit reached for requests', 'type': 'requests', 'code': 'rate_limit_exceeded'}}"
	overload  = "Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}"
)

var (
	// rateLimited ends the run; retried is the same trouble, overcome by a second attempt.
	rateLimited = failure{"openai rate limit", "upstream.rate_limited", supportTurn(func(a *node) {
		c := a.chat(gpt)
		c.http(gpt.host, 429)
		c.set(attrs{"error.type", "openai.RateLimitError"}).raised("openai.RateLimitError", rateLimit)
		a.raised("openai.RateLimitError", rateLimit)
	})}
	retried = failure{"openai rate limit, tried again", "upstream.rate_limited", supportTurn(func(a *node) {
		a.chat(gpt).set(attrs{"error.type", "openai.RateLimitError"}).raised("openai.RateLimitError", rateLimit)
		a.chat(gpt).answers("stop")
	})}
	overloaded = failure{"anthropic overloaded", "upstream.overloaded", researchTurn(func(a *node) {
		a.chat(claude).set(attrs{"error.type", "anthropic.OverloadedError", "http.response.status_code", 529}).raised("anthropic.OverloadedError", overload)
		a.raised("anthropic.OverloadedError", overload)
	})}
	// brokenContract is what the ledger agent answers after its upgrade.
	brokenContract = failure{"ledger breaks the contract", "upstream.invalid_response", invoiceTurn(func(g *node) {
		g.a2a("ledger", "SendMessage").refused(-32006, "INVALID_AGENT_RESPONSE", "Invalid agent response")
	})}
	versionGap = failure{"ledger leaves old clients behind", "upstream.invalid_request", researchTurn(func(a *node) {
		a.a2a("ledger", "SendMessage").refused(-32009, "VERSION_NOT_SUPPORTED", "Version not supported")
	})}
)

// everyday are failures that happen on any day, one after the other.
func everyday() []failure {
	return []failure{
		{"openai answer cut", "output.truncated", supportTurn(func(a *node) { a.chat(mini).answers("length") })},
		{"ledger task failed", "upstream.agent_failed", invoiceTurn(func(g *node) { g.a2a("ledger", "SendMessage").state("TASK_STATE_FAILED") })},
		{"tool says it failed", "tool.execution_failed", supportTurn(func(a *node) {
			a.tool("crm", "update_customer").set(attrs{"error.type", "tool_error"}).fails("customer 4711 is locked by another user")
		})},
		{"race lost", "upstream.invalid_request", researchTurn(func(a *node) {
			a.a2a("translator", "CancelTask").refused(-32002, "TASK_NOT_CANCELABLE", "Task cannot be canceled")
		})},
		{"gemini answer cut", "output.truncated", researchTurn(func(a *node) { a.chat(gemini).answers("MAX_TOKENS") })},
		{"LangGraph recursion limit", "loop.max_turns_exceeded", func(w *world) *run {
			r := w.run(invoices)
			g := r.graph()
			g.llm(nova)
			g.tool("erp", "find_order")
			g.llm(nova)
			g.raised("langgraph.errors.GraphRecursionError", "Recursion limit of 25 reached without hitting a stop condition.")
			return r
		}},
		{"anthropic refuses", "policy.model_refusal", researchTurn(func(a *node) { a.chat(claude).answers("refusal") })},
		{"waits for a person", "", researchTurn(func(a *node) { a.a2a("translator", "SendMessage").state("TASK_STATE_INPUT_REQUIRED") })},
		{"bedrock throttles", "upstream.rate_limited", invoiceTurn(func(g *node) {
			g.chat(nova).set(attrs{"rpc.system", "aws-api", "error.type", "ThrottlingException", "http.status_code", 429}).
				fails("An error occurred (ThrottlingException) when calling the Converse operation: Too many requests")
		})},
		{"wrong tool arguments", "output.invalid_tool_arguments", supportTurn(func(a *node) {
			a.tool("crm", "book_meeting").set(attrs{"error.type", "-32602", "rpc.response.status_code", "-32602"}).fails("Missing required argument 'date'")
		})},
		{"unknown tool", "output.unknown_tool", supportTurn(func(a *node) {
			a.tool("crm", "find_custmer").set(attrs{"error.type", "-32602", "rpc.response.status_code", "-32602"}).fails("Unknown tool: 'find_custmer'")
		})},
		{"MCP resource missing", "upstream.invalid_request", researchTurn(func(a *node) {
			a.mcp("web-search", "resources/read").set(attrs{"error.type", "-32002", "rpc.response.status_code", "-32002"}).fails("Resource not found")
		})},
		{"tool timeout", "tool.timeout", researchTurn(func(a *node) {
			n := a.tool("web-search", "fetch_page").set(attrs{"error.type", "timeout"})
			n.reach(n.s.StartTimestamp().AsTime().Add(30 * time.Second))
			n.fails("Timed out while waiting for response to ClientRequest. Waited 30.0 seconds.")
		})},
		{"prompt too long", "context.window_exceeded", supportTurn(func(a *node) {
			a.chat(gpt).set(attrs{"error.type", "openai.BadRequestError"}).raised("openai.BadRequestError",
				"Error code: 400 - {'error': {'message': \"This model's maximum context length is 400000 tokens.\", 'type': 'invalid_request_error', 'code': 'context_length_exceeded'}}")
		})},
		{"content filter", "policy.content_filtered", supportTurn(func(a *node) { a.chat(gpt).answers("content_filter") })},
		{"gemini blocks the prompt", "policy.content_filtered", researchTurn(func(a *node) { a.chat(gemini).set(attrs{"error.type", "BLOCKED_SAFETY"}) })},
		{"translator rejects", "policy.model_refusal", researchTurn(func(a *node) { a.a2a("translator", "SendMessage").state("TASK_STATE_REJECTED") })},
		{"task forgotten", "upstream.invalid_request", researchTurn(func(a *node) {
			a.a2a("translator", "GetTask").refused(-32001, "TASK_NOT_FOUND", "Task not found")
		})},
		{"translator away", "upstream.unavailable", researchTurn(func(a *node) {
			a.a2a("translator", "SendMessage").set(attrs{"error.type", "UNAVAILABLE", "rpc.status_code", "UNAVAILABLE"}).fails("connection reset")
			a.fails("connection reset")
		})},
		{"key revoked", "upstream.authentication_failed", researchTurn(func(a *node) {
			a.chat(gemini).set(attrs{"error.type", "google.genai.errors.ClientError", "http.response.status_code", 401}).
				raised("google.genai.errors.ClientError", "401 UNAUTHENTICATED. {'error': {'code': 401, 'message': 'Request had invalid authentication credentials.', 'status': 'UNAUTHENTICATED'}}")
		})},
		{"turns used up", "loop.max_turns_exceeded", supportTurn(func(a *node) {
			a.raised("agents.exceptions.MaxTurnsExceeded", "Max turns (10) exceeded")
		})},
		{"guardrail", "policy.guardrail_triggered", supportTurn(func(a *node) {
			a.raised("agents.exceptions.InputGuardrailTripwireTriggered", "Guardrail InputGuardrail triggered tripwire")
		})},
		{"cancelled by the user", "harness.cancelled", supportTurn(func(a *node) {
			a.raised("asyncio.exceptions.CancelledError", "")
		})},
		{"nobody knows this error", "tool.execution_failed", invoiceTurn(func(g *node) {
			// Terminal colours and a home directory: the processor removes them.
			g.local("reconcile").set(attrs{"error.type", "acme.LedgerDriftError"}).
				raised("acme.LedgerDriftError", "\x1b[31mledger drifted by 3 rows\x1b[0m, see /home/ana/ledger/drift.log")
		})},
		{"schema broken", "output.schema_violation", researchTurn(func(a *node) {
			a.raised("pydantic_core._pydantic_core.ValidationError", "1 validation error for Invoice\ntotal\n  Input should be a valid number")
		})},
		{"answer is no JSON", "output.malformed", invoiceTurn(func(g *node) {
			g.raised("langchain_core.exceptions.OutputParserException", "Invalid json output: Here is the invoice:")
		})},
		{"output validation given up", "output.retries_exhausted", supportTurn(func(a *node) {
			a.raised("pydantic_ai.exceptions.UnexpectedModelBehavior", "Exceeded maximum retries (2) for output validation")
		})},
		{"tokens used up", "loop.budget_exceeded", supportTurn(func(a *node) {
			a.raised("pydantic_ai.exceptions.UsageLimitExceeded", "Exceeded the total_tokens_limit of 50000 (total_tokens=50312)")
		})},
		{"LangGraph node timeout", "loop.timeout", invoiceTurn(func(g *node) {
			g.raised("langgraph.errors.NodeTimeoutError", "Node 'reconcile' exceeded its run timeout of 60s")
		})},
		{"agents hand over in circles", "loop.repetition_detected", researchTurn(func(a *node) {
			a.fails("Repetitive handoff detected")
		})},
		{"tool server gone", "tool.not_available", researchTurn(func(a *node) {
			a.tool("web-search", "search").set(attrs{"error.type", "mcp_connection_failed_error"}).fails("MCP server web-search could not be reached")
		})},
		{"tool not allowed", "tool.permission_denied", supportTurn(func(a *node) {
			a.local("export_customers").set(attrs{"error.type", "PermissionError"}).raised("PermissionError", "export_customers is not on the allow list of this agent")
		})},
		{"sandbox", "tool.sandbox_violation", invoiceTurn(func(g *node) {
			g.local("run_script").fails("sandbox error: sandbox denied exec error, exit code: 1, stdout: , stderr: ")
		})},
		{"harness breaks", "harness.internal_error", supportTurn(func(a *node) {
			a.set(attrs{"result.subtype", "error_during_execution"}).fails("")
		})},
		{"no answer", "output.empty", researchTurn(func(a *node) { a.chat(gemini).set(attrs{"error.type", "NO_CANDIDATES"}) })},
	}
}

// mirrored is one A2A call seen by the caller and by the remote agent, which fails: one failure, told twice.
func (w *world) mirrored() []*run {
	caller := w.run(research)
	a := caller.agent(research)
	c := a.a2a("translator", "SendMessage").set(attrs{"error.type", "-32603"}).fails("Internal error")
	remote := w.run("translator")
	remote.trace = caller.trace
	s := remote.span(nil, scopeA2A, "SendMessage", ptrace.SpanKindServer, 30*time.Millisecond, attrs{"a2a.method.name", "SendMessage", "a2a.protocol.version", "1.0"})
	s.s.SetParentSpanID(c.s.SpanID())
	s.set(attrs{"error.type", "-32603"}).fails("Internal error")
	return []*run{caller, remote}
}
