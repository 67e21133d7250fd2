package main

import (
	"fmt"
	"strconv"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The services and the parties they ask.
const (
	support  = "support-planner" // OpenTelemetry GenAI conventions
	research = "research-agent"  // OpenTelemetry GenAI conventions, Agent2Agent
	invoices = "invoice-bot"     // OpenInference from LangGraph
)

const (
	scopeOTel      = "opentelemetry.instrumentation.genai"
	scopeMCP       = "opentelemetry.instrumentation.mcp"
	scopeA2A       = "a2a-python-sdk"
	scopeInference = "openinference.instrumentation.langchain"
	scopeHTTP      = "opentelemetry.instrumentation.httpx"
)

// model is a model and who serves it.
type model struct{ provider, name, host string }

var (
	gpt    = model{"openai", "gpt-5.4", "api.openai.com"}
	mini   = model{"openai", "gpt-5.4-mini", "api.openai.com"}
	claude = model{"anthropic", "claude-sonnet-4-5", "api.anthropic.com"}
	gemini = model{"gcp.gemini", "gemini-3-pro", "generativelanguage.googleapis.com"}
	nova   = model{"aws.bedrock", "us.amazon.nova-pro-v1:0", "bedrock-runtime.us-east-1.amazonaws.com"}
)

// agent is the span of a whole run.
func (r *run) agent(name string) *node {
	return r.span(nil, scopeOTel, "invoke_agent "+name, ptrace.SpanKindInternal, 20*time.Millisecond,
		attrs{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", name})
}

// chat is a model call; nothing is wrong with it until a failure is added.
func (n *node) chat(m model) *node {
	return n.r.span(n, scopeOTel, "chat "+m.name, ptrace.SpanKindClient, 900*time.Millisecond, attrs{
		"gen_ai.operation.name", "chat", "gen_ai.provider.name", m.provider, "gen_ai.request.model", m.name, "server.address", m.host,
	})
}

// answers ends a chat as it should.
func (n *node) answers(reason string) *node {
	return n.set(attrs{"gen_ai.response.finish_reasons", []string{reason}, "gen_ai.usage.output_tokens", 80 + n.r.w.rnd.IntN(600)})
}

// http is the request below an operation, which is none of ours.
func (n *node) http(host string, status int) *node {
	h := n.r.span(n, scopeHTTP, "POST", ptrace.SpanKindClient, 5*time.Millisecond,
		attrs{"http.request.method", "POST", "server.address", host, "http.response.status_code", status})
	if status >= 400 {
		h.fails("")
	}
	return h
}

// tool is a call of a tool of an MCP server, seen from the client.
func (n *node) tool(server, tool string) *node {
	return n.r.span(n, scopeMCP, "tools/call "+tool, ptrace.SpanKindClient, 180*time.Millisecond, attrs{
		"mcp.method.name", "tools/call", "gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", tool, "mcp.server.name", server,
	})
}

// local is a call of a tool in the process of the agent.
func (n *node) local(tool string) *node {
	return n.r.span(n, scopeOTel, "execute_tool "+tool, ptrace.SpanKindInternal, 60*time.Millisecond,
		attrs{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", tool, "gen_ai.tool.type", "function"})
}

// mcp is another request to an MCP server.
func (n *node) mcp(server, method string) *node {
	return n.r.span(n, scopeMCP, method, ptrace.SpanKindClient, 40*time.Millisecond, attrs{"mcp.method.name", method, "mcp.server.name", server})
}

// a2a is a request to a remote agent.
func (n *node) a2a(peer, method string) *node {
	return n.r.span(n, scopeA2A, method, ptrace.SpanKindClient, 700*time.Millisecond, attrs{
		"a2a.method.name", method, "a2a.protocol.version", "1.0", "gen_ai.agent.name", peer, "server.address", peer + ".example.com",
	})
}

// state gives the task of an A2A call a state.
func (n *node) state(state string) *node { return n.set(attrs{"a2a.task.state", state}) }

// refused is a JSON-RPC error of the remote agent, with the ErrorInfo that A2A 1.0 puts into its data.
func (n *node) refused(code int, reason, message string) *node {
	return n.set(attrs{"error.type", strconv.Itoa(code)}).fails(fmt.Sprintf(
		`{"code":%d,"message":%q,"data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q,"domain":"a2a-protocol.org"}]}`,
		code, message, reason))
}

// supportRun answers a customer: two model calls around a look into the CRM.
func (w *world) supportRun() *run {
	r := w.run(support)
	a := r.agent(support)
	c := a.chat(gpt).answers("tool_calls")
	c.http(gpt.host, 200)
	a.mcp("crm", "tools/list")
	a.tool("crm", "find_customer")
	a.chat(gpt).answers("stop")
	return r
}

// researchRun reads, asks a remote agent to translate, and sums up.
func (w *world) researchRun() *run {
	r := w.run(research)
	a := r.agent(research)
	a.chat(claude).answers("tool_use")
	a.tool("web-search", "search")
	a.a2a("translator", "SendMessage").state("TASK_STATE_COMPLETED").http("translator.example.com", 200)
	a.chat(gemini).answers("STOP")
	return r
}

// invoiceRun is a LangGraph workflow with a model on Bedrock.
func (w *world) invoiceRun() *run {
	r := w.run(invoices)
	g := r.graph()
	g.llm(nova)
	g.tool("erp", "post_invoice")
	g.a2a("ledger", "SendMessage").state("TASK_STATE_COMPLETED")
	return r
}

func (r *run) graph() *node {
	return r.span(nil, scopeInference, "LangGraph", ptrace.SpanKindInternal, 15*time.Millisecond, attrs{"openinference.span.kind", "CHAIN"})
}

func (n *node) llm(m model) *node {
	return n.r.span(n, scopeInference, "ChatBedrockConverse", ptrace.SpanKindInternal, 700*time.Millisecond, attrs{
		"openinference.span.kind", "LLM", "llm.provider", m.provider, "llm.model_name", m.name, "gen_ai.request.model", m.name,
	})
}

// claudeCode and codex are coding agents: all they have is log records.
func (w *world) claudeCode(add ...func(*events)) *events {
	e := w.events("claude-code", "com.anthropic.claude_code.events")
	e.claude("api_request", attrs{"duration_ms", "2100"})
	e.claude("tool_result", attrs{"tool_name", "Edit", "success", "true"})
	for _, f := range add {
		f(e)
	}
	return e
}

func (e *events) claude(name string, a attrs) {
	e.add("claude_code."+name, append(attrs{"event.name", name, "model", claude.name}, a...))
}

func (w *world) codex(add ...func(*events)) *events {
	e := w.events("codex_cli_rs", "codex_otel.log_only")
	e.codex("api_request", attrs{"http.response.status_code", 200, "attempt", 1})
	e.codex("tool_result", attrs{"tool_name", "shell", "success", "true"})
	for _, f := range add {
		f(e)
	}
	return e
}

func (e *events) codex(name string, a attrs) {
	e.add("", append(attrs{"event.name", "codex." + name, "model", "gpt-5-codex"}, a...))
}
