package harnesserrproc

import (
	"maps"
	"slices"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/redact"
	"github.com/harnesserr/harnesserr/signal"
)

// roles are the attributes that matter, by what they are (internal/keys/attributes.tsv), resolved once.
type roles struct {
	*keys.Set

	operation, opVercel, opKind, opClaude, opHaystack     []keys.ID
	methodMCP, methodA2A, methodRPC                       []keys.ID
	providerError, provider, providerPrefix, model        []keys.ID
	errorType, excType, excMessage, excStack, message     []keys.ID
	http, rpc, grpc, code, state, stateScoped             []keys.ID
	finish, output, response, result, payload             []keys.ID
	level, success, outcome, event, eventKind, retryAfter []keys.ID
	guardrailType, guardrailValue                         []keys.ID
	guardrailVerdict, guardrailAction                     []keys.ID
	peerService, peerAgent, peerSource, peerMCP           []keys.ID
	peerAddress, peerURL, peerTool, peerGuardrail         []keys.ID
	ownOperation, ownCode, ownClass, answer, rta, rtaCode []keys.ID
	words                                                 []keys.ID
	// looks say what a first look makes of each attribute, by keys.ID.
	looks []look
	// traits are what is known of an attribute by its slot alone, heads whose it is as far as its first bytes tell.
	traits *keys.Traits
	heads  *keys.Heads
	// texts are the attributes that hold text of a failure, or answers that may, by keys.ID.
	texts []textKind
}

// textKind is the kind of text that an attribute holds, if it holds any.
type textKind struct {
	kind redact.Kind
	is   bool
}

// textRoles says which roles are texts of a failure.
var textRoles = map[string]redact.Kind{
	"message": redact.Text, "exception.message": redact.Text, "exception.type": redact.Text, "exception.stack": redact.StackTrace,
	"error.type": redact.Text, "code": redact.Text, "own.original": redact.Text,
	"result": redact.Payload, "response": redact.Payload, "payload": redact.Payload,
}

func newRoles(e *signal.Engine, cfg *Config) (*roles, error) {
	matched, asked := e.Attributes()
	set, err := keys.New([]keys.Extra{
		{Role: "word", Flags: keys.Evidence, Names: matched},
		{Role: "word.asked", Names: asked},
		{Role: "payload", Flags: keys.Evidence, Names: cfg.Payload.Keys},
		{Role: "content", Names: slices.Sorted(maps.Keys(cfg.Redact.PayloadKeys))},
	})
	if err != nil {
		return nil, err
	}
	r := &roles{Set: set}
	read := map[string]bool{"word": true, "word.asked": true}
	for role, ids := range map[string]*[]keys.ID{
		"operation": &r.operation, "operation.vercel": &r.opVercel, "operation.kind": &r.opKind, "operation.claude": &r.opClaude,
		"operation.haystack": &r.opHaystack, "method.mcp": &r.methodMCP, "method.a2a": &r.methodA2A, "method.rpc": &r.methodRPC,
		"provider.error": &r.providerError, "provider": &r.provider, "provider.prefix": &r.providerPrefix, "model": &r.model,
		"error.type": &r.errorType, "exception.type": &r.excType, "exception.message": &r.excMessage, "exception.stack": &r.excStack,
		"message": &r.message, "http": &r.http, "rpc": &r.rpc, "grpc": &r.grpc, "code": &r.code, "state": &r.state,
		"state.scoped": &r.stateScoped, "finish": &r.finish, "output": &r.output, "response": &r.response, "result": &r.result,
		"payload": &r.payload, "level": &r.level, "success": &r.success, "outcome": &r.outcome, "event": &r.event,
		"event.kind": &r.eventKind, "retry.after": &r.retryAfter, "guardrail.type": &r.guardrailType, "guardrail.value": &r.guardrailValue,
		"guardrail.verdict": &r.guardrailVerdict, "guardrail.action": &r.guardrailAction, "peer.service": &r.peerService,
		"peer.agent": &r.peerAgent, "peer.source": &r.peerSource, "peer.mcp": &r.peerMCP, "peer.address": &r.peerAddress,
		"peer.url": &r.peerURL, "peer.tool": &r.peerTool, "peer.guardrail": &r.peerGuardrail, "own.operation": &r.ownOperation,
		"rta": &r.rta, "rta.code": &r.rtaCode, "own.code": &r.ownCode, "own.class": &r.ownClass,
	} {
		*ids = set.Role(role)
		read[role] = true
	}
	r.texts = make([]textKind, set.Len())
	for role, kind := range textRoles {
		for _, id := range set.Role(role) {
			r.texts[id] = textKind{kind, true}
		}
	}
	r.answer = []keys.ID{set.Find("mcp.response.value")} // OpenLLMetry's writer of an answer
	for _, name := range append(matched, asked...) {
		r.words = append(r.words, set.Find(name))
	}
	return r, r.sift(
		func(id keys.ID) bool {
			return read[set.RoleOf(id)] || slices.Contains(r.words, id) || slices.Contains(r.answer, id)
		},
		func(id keys.ID) bool { return cfg.Redact.PayloadKeys[set.Name(id)] != "" },
	)
}
