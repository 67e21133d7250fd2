package signal

import "github.com/harnesserr/harnesserr/registry"

// Action is what would help after a failure (harness.error.action): one closed scale for the hints of the draft, the
// recovery advice of labby envelopes and the decisions of an A2A client.
type Action uint8

// The actions.
const (
	ActionUnset Action = iota
	// ActionRetry: send the same again, later.
	ActionRetry
	// ActionRepair: tell the model, it can correct itself.
	ActionRepair
	// ActionAdjustLimit: raise a limit or ask for less.
	ActionAdjustLimit
	// ActionFixRequest: change the request or the configuration behind it.
	ActionFixRequest
	// ActionReauthenticate: renew or fix credentials.
	ActionReauthenticate
	// ActionReconcile: read the peer's state again and accept it.
	ActionReconcile
	// ActionDegrade: go on without the capability.
	ActionDegrade
	// ActionEscalate: a human has to look.
	ActionEscalate
	// ActionNone: nothing to do.
	ActionNone
	numActions
)

var actionNames = [numActions]string{
	ActionRetry: "retry", ActionRepair: "repair", ActionAdjustLimit: "adjust_limit", ActionFixRequest: "fix_request",
	ActionReauthenticate: "reauthenticate", ActionReconcile: "reconcile", ActionDegrade: "degrade",
	ActionEscalate: "escalate", ActionNone: "none",
}

// String returns the value of harness.error.action.
func (a Action) String() string {
	if a < numActions {
		return actionNames[a]
	}
	return ""
}

func actionOf(name string) (Action, bool) {
	for a := ActionRetry; a < numActions; a++ {
		if actionNames[a] == name {
			return a, true
		}
	}
	return ActionUnset, false
}

// action chooses what would help once code, class and the two hints stand. The order is: what the evidence advised, what
// the A2A reason says, what the table says of the code; the hints then correct an advice they contradict.
func (dc *Decider) action(v *Verdict) Action {
	if v.Action != ActionUnset {
		return v.Action
	}
	if v.Upstream.Reason != "" {
		if a, ok := dc.e.reasonActions[v.Upstream.Reason]; ok {
			return a
		}
	}
	switch v.Class {
	case ClassInterrupted:
		return ActionEscalate
	case ClassExpected:
		return ActionNone
	}
	f := dc.codes.get(dc.seed, v.Code, dc.e.fact)
	a, known := f.action, f.advised
	switch {
	case a == ActionRetry && v.Retryable == False:
		return ActionEscalate
	case v.Retryable == True && (a == ActionEscalate || a == ActionFixRequest || a == ActionReauthenticate):
		return ActionRetry
	case a == ActionRepair && v.ModelRecoverable == False:
		return ActionEscalate
	case !known && v.ModelRecoverable == True:
		return ActionRepair
	}
	return a
}

// fact is what a code implies.
type fact struct {
	origin                      registry.Origin
	retryable, modelRecoverable Tri
	action                      Action
	advised                     bool // the table of actions has it
}

func (e *Engine) fact(code string) fact {
	f := fact{action: ActionEscalate}
	if entry, ok := registry.Lookup(code); ok {
		f.origin, f.retryable, f.modelRecoverable = entry.Origin, TriOf(entry.Retryable), TriOf(entry.ModelRecoverable)
	}
	if a, ok := e.codeActions[code]; ok {
		f.action, f.advised = a, true
	}
	return f
}

// classOfCode is the class of a code when the kind of evidence does not say (spec of the classes: DESIGN, section 3).
func classOfCode(code string, groups Group) Class {
	switch code {
	case registry.UpstreamInvalidRequest, registry.UpstreamInvalidResponse:
		return ClassProtocol
	case registry.UpstreamAgentFailed:
		return ClassTask
	case registry.ToolNotAvailable:
		return ClassTransport
	case registry.ToolTimeout:
		if groups&(GroupMCP|GroupA2A) != 0 {
			return ClassTransport
		}
		return ClassTask
	case registry.HarnessCancelled:
		return ClassExpected
	}
	if registry.Category(code) == "upstream" {
		return ClassTransport
	}
	return ClassTask
}
