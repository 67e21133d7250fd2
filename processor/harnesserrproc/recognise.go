package harnesserrproc

import (
	"strings"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// recognised reports whether the record is GenAI or agent telemetry. Records of other conventions (HTTP, RPC, DB) are ours
// only with a marker of their own: names that baggage copies onto them are none.
func (r *record) recognised(sc *scope) bool {
	return sc.owns(r.found)
}

func (sc *scope) owns(found look) bool {
	return found&lookMarker != 0 || sc.agent && (found&lookForeign == 0 || sc.protocol == signal.ProtocolA2A)
}

// operations are the names of operations in all conventions, folded as by fold.
var operations = map[string]signal.Operation{
	"chat": signal.OpChat, "generatecontent": signal.OpChat, "llm": signal.OpChat, "llmcall": signal.OpChat, "generation": signal.OpChat,
	"chatmodel": signal.OpChat, "chatclient": signal.OpChat, "llmrequest": signal.OpChat, "fetchresponse": signal.OpChat, "message": signal.OpChat,
	"responses": signal.OpChat, "response": signal.OpChat, "realtime": signal.OpChat,
	"textcompletion": signal.OpTextCompletion, "completion": signal.OpTextCompletion,
	"embeddings": signal.OpEmbeddings, "embedding": signal.OpEmbeddings, "embed": signal.OpEmbeddings,
	"executetool": signal.OpExecuteTool, "tool": signal.OpExecuteTool, "toolcall": signal.OpExecuteTool, "toolexecution": signal.OpExecuteTool,
	"scheduletoolcalls": signal.OpExecuteTool, "function": signal.OpExecuteTool, "runningtool": signal.OpExecuteTool,
	"invokeagent": signal.OpInvokeAgent, "agent": signal.OpInvokeAgent, "agentcall": signal.OpInvokeAgent, "agentstep": signal.OpInvokeAgent,
	"agentrun": signal.OpInvokeAgent, "plan": signal.OpInvokeAgent, "executeeventloopcycle": signal.OpInvokeAgent, "orchestratetools": signal.OpInvokeAgent,
	"createagent":    signal.OpCreateAgent,
	"invokeworkflow": signal.OpInvokeWorkflow, "workflow": signal.OpInvokeWorkflow, "chain": signal.OpInvokeWorkflow, "task": signal.OpInvokeWorkflow,
	"retrieval": signal.OpRetrieval, "retriever": signal.OpRetrieval, "rerank": signal.OpRetrieval, "reranker": signal.OpRetrieval,
	"vectorstore": signal.OpRetrieval, "searchmemory": signal.OpRetrieval,
	"guardrail": signal.OpGuardrail, "applyguardrail": signal.OpGuardrail,
	"mcp": signal.OpMCP, "a2a": signal.OpA2A,
}

// operationName is what the name of an operation amounts to.
type operationName struct {
	operation signal.Operation
	known     bool
}

// operationNamed reads one name of an operation.
func (r *record) operationNamed(name string) (signal.Operation, bool) {
	n, ok := r.ops.get(name)
	if !ok {
		n.operation, n.known = foldOperation(name)
		r.ops.put(name, n, true)
	}
	return n.operation, n.known
}

func foldOperation(name string) (signal.Operation, bool) {
	var buf [32]byte
	key := buf[:0]
	for i := 0; i < len(name) && len(key) < len(buf); i++ {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			key = append(key, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			key = append(key, c)
		}
	}
	op, ok := operations[string(key)]
	return op, ok
}

// identify settles protocol, method, operation, provider and framework of a recognised record.
func (r *record) identify(p *normalizer, sc *scope, name string) {
	r.protocol, r.framework, r.method = sc.protocol, sc.framework, ""
	if m := r.text(r.keys.methodMCP); m != "" {
		r.protocol, r.method = signal.ProtocolMCP, m
	} else if m := r.text(r.keys.methodA2A); m != "" || r.present(r.keys.state) {
		r.protocol, r.method = signal.ProtocolA2A, m
	} else if sc.protocol == signal.ProtocolA2A {
		r.method = r.text(r.keys.methodRPC)
	}
	r.providers(p, sc)
	r.operation = r.operationOf(name)
}

// providers settles who serves the model, and which framework calls it.
func (r *record) providers(p *normalizer, sc *scope) {
	r.provider = ""
	for _, ids := range [...][]keys.ID{r.keys.providerError, r.keys.provider, r.keys.providerPrefix} {
		for _, id := range ids {
			if !r.has(id) {
				continue
			}
			n := r.providerNamed(p, textOf(r.vals[id]))
			if n.framework != "" {
				r.framework = n.framework
			}
			if r.provider = n.provider; r.provider != "" {
				return
			}
		}
	}
	r.provider = sc.provider
}

// providerName is what a recorded provider amounts to.
type providerName struct{ provider, framework string }

// maxNamed bounds the spellings of providers that are remembered.
const maxNamed = 256

// providerNamed returns the canonical name of a provider. A handful of spellings make up all telemetry, so they are
// remembered.
func (r *record) providerNamed(p *normalizer, raw string) providerName {
	if n, ok := r.providerNames.get(raw); ok {
		return n
	}
	if n, ok := r.spellings[raw]; ok {
		return n
	}
	provider, framework := p.names.Provider(raw)
	n := providerName{strings.Clone(provider), framework}
	if len(r.spellings) < maxNamed && len(raw) <= maxPeer {
		key := strings.Clone(raw)
		r.spellings[key] = n
		r.providerNames.put(key, n, false)
	}
	return n
}

// operationOf reads the operation in the conventions' own order of preference.
func (r *record) operationOf(name string) signal.Operation {
	k := r.keys
	if s := r.text(k.operation); s != "" {
		if op, ok := r.operationNamed(s); ok {
			return op
		}
	}
	if s := r.text(k.opVercel); s != "" {
		return vercelOperation(s)
	}
	if s := r.text(k.opKind); s != "" {
		if op, ok := r.operationNamed(s); ok {
			return op
		}
	}
	if s := r.text(k.opClaude); s != "" && strings.HasPrefix(name, "claude_code.") {
		if op, ok := r.operationNamed(s); ok {
			return op
		}
	}
	if s := r.text(k.opHaystack); s != "" {
		return haystackOperation(s)
	}
	switch {
	case r.protocol == signal.ProtocolMCP && (r.method == "tools/call" || r.method == "" && r.present(k.peerTool)):
		return signal.OpExecuteTool
	case r.protocol == signal.ProtocolMCP:
		return signal.OpMCP
	case r.protocol == signal.ProtocolA2A:
		return signal.OpA2A
	case r.present(k.guardrailType) || r.present(k.guardrailVerdict) || r.present(k.peerGuardrail):
		return signal.OpGuardrail
	case r.present(k.peerTool):
		return signal.OpExecuteTool
	}
	return r.operationByName(name)
}

// operationByName is the last resort, for instrumentations that name the operation in the span's name alone.
func (r *record) operationByName(name string) signal.Operation {
	r.complete()
	first, _, _ := strings.Cut(name, " ")
	if op, ok := r.operationNamed(first); ok {
		return op
	}
	switch {
	case strings.HasSuffix(first, ".tool"):
		return signal.OpExecuteTool
	case strings.HasPrefix(name, "agent_run"), strings.HasPrefix(name, "agent run"), first == "invocation":
		return signal.OpInvokeAgent
	case strings.HasPrefix(name, "running tool"):
		return signal.OpExecuteTool
	case first == "call_llm", r.present(r.keys.model), r.present(r.keys.finish):
		return signal.OpChat
	}
	return signal.OpOther
}

// vercelOperation reads ai.operationId of the Vercel AI SDK.
func vercelOperation(id string) signal.Operation {
	switch {
	case strings.HasPrefix(id, "ai.toolCall"):
		return signal.OpExecuteTool
	case strings.HasPrefix(id, "ai.embed"):
		return signal.OpEmbeddings
	case strings.HasPrefix(id, "ai.rerank"):
		return signal.OpRetrieval
	case strings.HasPrefix(id, "ai.agent"):
		return signal.OpInvokeAgent
	}
	return signal.OpChat
}

// haystackOperation reads the class of a Haystack component.
func haystackOperation(component string) signal.Operation {
	switch {
	case strings.Contains(component, "Generator"):
		return signal.OpChat
	case strings.Contains(component, "Embedder"):
		return signal.OpEmbeddings
	case strings.Contains(component, "Retriever"), strings.Contains(component, "Ranker"):
		return signal.OpRetrieval
	case strings.Contains(component, "Tool"):
		return signal.OpExecuteTool
	case strings.Contains(component, "Agent"):
		return signal.OpInvokeAgent
	}
	return signal.OpOther
}

// methods are the values of harness.method: the methods of MCP and A2A in both spellings of the latter.
var methods = map[string]string{}

func init() {
	for _, m := range strings.Fields(`initialize ping tools/list tools/call resources/list resources/templates/list resources/read
		resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel roots/list
		sampling/createMessage elicitation/create server/discover tasks/get tasks/list tasks/cancel tasks/result
		notifications/initialized notifications/cancelled notifications/progress notifications/message
		notifications/tools/list_changed notifications/resources/list_changed notifications/resources/updated
		notifications/prompts/list_changed notifications/roots/list_changed notifications/tasks/status
		SendMessage SendStreamingMessage GetTask ListTasks CancelTask SubscribeToTask GetExtendedAgentCard
		CreateTaskPushNotificationConfig GetTaskPushNotificationConfig ListTaskPushNotificationConfigs
		DeleteTaskPushNotificationConfig`) {
		methods[m] = m
	}
	for old, m := range map[string]string{
		"message/send": "SendMessage", "message/stream": "SendStreamingMessage", "tasks/resubscribe": "SubscribeToTask",
		"agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard", "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
		"tasks/pushNotificationConfig/get":  "GetTaskPushNotificationConfig",
		"tasks/pushNotificationConfig/list": "ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
	} {
		methods[old] = m
	}
}

// methodName returns the value of harness.method, or "".
func (r *record) methodName() string {
	if r.method == "" {
		return ""
	}
	if r.protocol == signal.ProtocolA2A {
		switch r.method {
		case "tasks/get":
			return "GetTask"
		case "tasks/cancel":
			return "CancelTask"
		case "tasks/list":
			return "ListTasks"
		}
	}
	if m, ok := methods[r.method]; ok {
		return m
	}
	return "other"
}
