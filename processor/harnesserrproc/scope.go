package harnesserrproc

import (
	"strings"

	"github.com/harnesserr/harnesserr/signal"
)

// scope is what the name of an instrumentation scope says of all its records.
type scope struct {
	name string
	// agent: every record of the scope is GenAI or agent telemetry, with or without a marker attribute.
	agent     bool
	framework string
	protocol  signal.Protocol
	// provider is the vendor of a coding agent.
	provider string
}

// knownScopes are scope names and prefixes (ending in *) of instrumentations whose records may carry no marker.
var knownScopes = []scope{
	{name: "a2a-python-sdk", agent: true, protocol: signal.ProtocolA2A},
	{name: "A2A", agent: true, protocol: signal.ProtocolA2A},
	{name: "A2A.*", agent: true, protocol: signal.ProtocolA2A},
	{name: "mcp-python-sdk", agent: true, protocol: signal.ProtocolMCP},
	{name: "Experimental.ModelContextProtocol", agent: true, protocol: signal.ProtocolMCP},
	{name: "opentelemetry.instrumentation.mcp", agent: true, protocol: signal.ProtocolMCP},
	{name: "gcp.vertex.agent", agent: true, framework: "google-adk"},
	{name: "strands.telemetry.tracer", agent: true, framework: "strands"},
	{name: "ai", agent: true, framework: "vercel-ai"},
	{name: "haystack*", agent: true, framework: "haystack"},
	{name: "langsmith", agent: true, framework: "langchain"},
	{name: "langfuse-sdk", agent: true},
	{name: "gemini-cli", agent: true, framework: "gemini-cli", provider: "gcp.gemini"},
	{name: "openlit.*", agent: true},
	{name: "agent_framework", agent: true, framework: "microsoft-agent-framework"},
	{name: "Microsoft.Agents.AI*", agent: true, framework: "microsoft-agent-framework"},
	{name: "Experimental.Microsoft.Agents.AI*", agent: true, framework: "microsoft-agent-framework"},
	{name: "Experimental.Microsoft.Extensions.AI*", agent: true, framework: "microsoft-extensions-ai"},
	{name: "Microsoft.SemanticKernel*", agent: true, framework: "semantic-kernel"},
	{name: "semantic_kernel*", agent: true, framework: "semantic-kernel"},
	{name: "pydantic-ai", agent: true, framework: "pydantic-ai"},
	{name: "autogen*", agent: true, framework: "autogen"},
	{name: "com.anthropic.claude_code*", agent: true, framework: "claude-code", provider: "anthropic"},
	{name: "codex_otel*", agent: true, framework: "codex", provider: "openai"},
	{name: "codex_cli*", agent: true, framework: "codex", provider: "openai"},
	{name: "openinference.instrumentation.langchain", framework: "langchain"},
	{name: "openinference.instrumentation.openai_agents", framework: "openai-agents"},
	{name: "openinference.instrumentation.crewai", framework: "crewai"},
	{name: "openinference.instrumentation.llama_index", framework: "llama-index"},
	{name: "openinference.instrumentation.smolagents", framework: "smolagents"},
	{name: "openinference.instrumentation.dspy", framework: "dspy"},
	{name: "openinference.instrumentation.agno", framework: "agno"},
	{name: "openinference.instrumentation.haystack", framework: "haystack"},
	{name: "opentelemetry.instrumentation.langchain", framework: "langchain"},
	{name: "opentelemetry.instrumentation.openai_agents", framework: "openai-agents"},
	{name: "opentelemetry.instrumentation.crewai", framework: "crewai"},
	{name: "opentelemetry.instrumentation.llamaindex", framework: "llama-index"},
	{name: "litellm", framework: "litellm"},
}

// scopes are knownScopes in two parts: whole names, and prefixes without their star.
var scopes = func() (s struct {
	whole    map[string]*scope
	prefixes []*scope
	unknown  scope
}) {
	s.whole = map[string]*scope{}
	for i := range knownScopes {
		known := &knownScopes[i]
		if prefix, ok := strings.CutSuffix(known.name, "*"); ok {
			known.name = prefix
			s.prefixes = append(s.prefixes, known)
		} else {
			s.whole[known.name] = known
		}
	}
	return s
}()

// scopeNamed looks a scope up. The same few come with every batch.
func (b *batch) scopeNamed(name string) *scope {
	s, ok := b.named.get(name)
	if !ok {
		s = scopeOf(name)
		b.named.put(name, s, true)
	}
	return s
}

func scopeOf(name string) *scope {
	if s := scopes.whole[name]; s != nil {
		return s
	}
	for _, s := range scopes.prefixes {
		if strings.HasPrefix(name, s.name) {
			return s
		}
	}
	return &scopes.unknown
}
