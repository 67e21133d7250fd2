package document

import (
	"slices"
	"strings"
)

// The attributes that the processor writes on a failing record.
const (
	attrPrefix = "harness."

	attrOperation = "harness.operation"
	attrPeer      = "harness.peer"
	attrMethod    = "harness.method"

	attrCode             = "harness.error.code"
	attrClass            = "harness.error.class"
	attrOrigin           = "harness.error.origin"
	attrRetryable        = "harness.error.retryable"
	attrModelRecoverable = "harness.error.model_recoverable"
	attrAction           = "harness.error.action"
	attrRetryAfter       = "harness.error.retry_after"
	attrAttempts         = "harness.error.attempts"
	attrMaxAttempts      = "harness.error.max_attempts"
	attrSideEffects      = "harness.error.side_effects"

	attrLimitName     = "harness.error.limit.name"
	attrLimitUnit     = "harness.error.limit.unit"
	attrLimitValue    = "harness.error.limit.value"
	attrLimitObserved = "harness.error.limit.observed"

	attrLocationRunID      = "harness.error.location.run_id"
	attrLocationTurn       = "harness.error.location.turn"
	attrLocationToolName   = "harness.error.location.tool_name"
	attrLocationToolCallID = "harness.error.location.tool_call_id"
	attrLocationPointer    = "harness.error.location.pointer"

	attrUpstreamProvider   = "harness.error.upstream.provider"
	attrUpstreamStatus     = "harness.error.upstream.status"
	attrUpstreamCode       = "harness.error.upstream.code"
	attrUpstreamReason     = "harness.error.upstream.reason"
	attrUpstreamStopReason = "harness.error.upstream.stop_reason"
	attrUpstreamTaskState  = "harness.error.upstream.task_state"

	attrCauseCodes      = "harness.error.cause.codes"
	attrRootCauseCode   = "harness.error.root_cause.code"
	attrRootCauseOrigin = "harness.error.root_cause.origin"

	attrPropagated = "harness.error.propagated"
	attrMirror     = "harness.error.mirror"
	attrHandled    = "harness.error.handled"
)

// Attributes of the semantic conventions that complete a document.
const (
	attrErrorType        = "error.type"
	attrExceptionMessage = "exception.message"
	attrConversationID   = "gen_ai.conversation.id"
	attrSessionID        = "session.id"
	attrToolName         = "gen_ai.tool.name"
	attrToolCallID       = "gen_ai.tool.call.id"
	attrServiceName      = "service.name"

	eventException = "exception"
)

// messageAttributes are where instrumentations leave the text of an error, the
// most specific first.
var messageAttributes = []string{
	attrExceptionMessage,
	"error.message",
	"error", // coding agents
	"mcp.error.message",
	"langfuse.observation.status_message",
}

// needed reports whether a document can hold anything of the attribute. The
// rest of a record, prompts and tool results above all, has no business in a
// queue of failures, least of all in one on a disk.
func needed(key string) bool {
	if strings.HasPrefix(key, attrPrefix) {
		return true
	}
	switch key {
	case attrErrorType, attrConversationID, attrSessionID, attrToolName, attrToolCallID:
		return true
	}
	return slices.Contains(messageAttributes, key)
}
