package signal

import (
	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// Class is the kind of failure that dashboards keep apart (harness.error.class).
type Class uint8

// The classes. The first three count as failures.
const (
	ClassNone Class = iota
	// ClassTask: the work was accepted and ended badly.
	ClassTask
	// ClassProtocol: the peer understood the request but would or could not serve it, or broke the contract.
	ClassProtocol
	// ClassTransport: nothing was served: network, timeout, capacity, credentials.
	ClassTransport
	// ClassInterrupted: the operation waits for a human, input or credentials. Not a failure.
	ClassInterrupted
	// ClassExpected: a lost race, a requested cancel, a negotiation probe. Not a failure.
	ClassExpected
	numClasses
)

var classNames = [numClasses]string{
	ClassTask: "task_failure", ClassProtocol: "protocol_error", ClassTransport: "transport_failure",
	ClassInterrupted: "interrupted", ClassExpected: "expected",
}

// String returns the value of harness.error.class.
func (c Class) String() string {
	if c < numClasses {
		return classNames[c]
	}
	return ""
}

// Failure reports whether the class counts as a failure.
func (c Class) Failure() bool { return c == ClassTask || c == ClassProtocol || c == ClassTransport }

// Tri is a boolean that may be unknown.
type Tri uint8

// The three values.
const (
	Unknown Tri = iota
	False
	True
)

// TriOf returns the Tri of a known boolean.
func TriOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// Bool returns the value and whether it is known.
func (t Tri) Bool() (value, known bool) { return t == True, t != Unknown }

// Kind is the kind of evidence that decided (harness.error.evidence).
type Kind uint8

// The kinds of evidence.
const (
	KindNone Kind = iota
	KindRule
	KindObject
	KindCode
	KindA2AReason
	KindA2ACode
	KindA2AState
	KindMCPCode
	KindMCPToolError
	KindLabby
	KindRTA
	KindProviderCode
	KindMessage
	KindException
	KindHTTPStatus
	KindGRPCStatus
	KindStopReason
	KindStatus
	KindFallback
	numKinds
)

var kindNames = [numKinds]string{
	KindRule: "rule", KindObject: "object", KindCode: "code", KindA2AReason: "a2a.reason", KindA2ACode: "a2a.code",
	KindA2AState: "a2a.state", KindMCPCode: "mcp.code", KindMCPToolError: "mcp.tool_error", KindLabby: "labby",
	KindRTA: "rta", KindProviderCode: "provider.code", KindMessage: "message", KindException: "exception",
	KindHTTPStatus: "http.status", KindGRPCStatus: "grpc.status", KindStopReason: "stop_reason", KindStatus: "status",
	KindFallback: "fallback",
}

// String returns the value of harness.error.evidence.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return ""
}

// Upstream is the raw detail of a vendor or peer behind a verdict (draft section 4.11).
type Upstream struct {
	Provider   string
	Status     int // HTTP status; 0 is none
	Code       string
	Reason     string
	StopReason string
	TaskState  string
}

// Verdict is what the evidence of one record amounts to. Strings either come from the tables or from the evidence, so
// they are valid as long as the evidence is.
type Verdict struct {
	// Code is a registry code, a private x- code, or empty: no failure (or a class without a code).
	Code string
	// Class of the failure; ClassNone when there is none.
	Class Class
	// Origin as registered or as an object says; empty for private codes that do not say.
	Origin registry.Origin
	// Retryable and ModelRecoverable are hints (draft sections 4.3 and 4.4).
	Retryable, ModelRecoverable Tri
	// Action is what would help.
	Action Action
	// Evidence is the kind of evidence that decided, Rule the table row (file:line) that did, empty for objects and codes.
	Evidence Kind
	Rule     string
	// Vague says that the evidence was general (a bare class such as RuntimeError, a status alone): a failure further down
	// the trace explains it better.
	Vague bool
	// Repeats says that the record repeats a failure that another record of the same source reports.
	Repeats bool
	// Tool is the name of the tool that an envelope names.
	Tool string
	// RPCTask marks a failed task on an exchange that succeeded: the code is not the exchange's own error type.
	RPCTask bool
	// RetryAfter is the delay asked for in seconds; negative is none.
	RetryAfter float64
	// Attempts and MaxAttempts count tries; negative is none.
	Attempts, MaxAttempts int
	Upstream              Upstream
	// SideEffects says what a failed call may have done (none_expected, possible, unknown); labby envelopes have it.
	SideEffects string
	// Causes are the codes behind this one, newest first; only the first NumCauses are set.
	Causes    [maxCauses]string
	NumCauses int
	// RootOrigin is the origin of the innermost cause, where an object gave it.
	RootOrigin registry.Origin
	// Object is the received harness error object that decided, if one did.
	Object *problem.Object
}

// maxCauses is how many causes a verdict names; objects nested deeper keep the innermost (draft section 8.5).
const maxCauses = 16

// Reset makes v the verdict of a record without a failure.
func (v *Verdict) Reset() { *v = Verdict{RetryAfter: -1, Attempts: -1, MaxAttempts: -1} }

func (v *Verdict) addCause(code string) {
	if code == "" || code == v.Code {
		return
	}
	for _, c := range v.Causes[:v.NumCauses] {
		if c == code {
			return
		}
	}
	if v.NumCauses == maxCauses {
		v.NumCauses--
	}
	v.Causes[v.NumCauses] = code
	v.NumCauses++
}

// ClassOf returns the class of that name, or ClassNone.
func ClassOf(name string) Class {
	for c := ClassTask; c < numClasses; c++ {
		if classNames[c] == name {
			return c
		}
	}
	return ClassNone
}

// Inherit tells v of the failure right below it in the trace. A failure without evidence of its own becomes that failure;
// any other names it, and what was behind it, among its causes.
func (v *Verdict) Inherit(below *Verdict) {
	if v.Vague {
		class := v.Class
		if below.Class.Failure() {
			class = below.Class
		}
		v.Code, v.Origin, v.Retryable, v.ModelRecoverable = below.Code, below.Origin, below.Retryable, below.ModelRecoverable
		v.Action, v.Evidence, v.Rule, v.Class = below.Action, below.Evidence, below.Rule, class
		return
	}
	v.addCause(below.Code)
	for _, c := range below.Causes[:below.NumCauses] {
		v.addCause(c)
	}
	switch {
	case below.RootOrigin != "":
		v.RootOrigin = below.RootOrigin
	case v.Code != below.Code:
		v.RootOrigin = below.Origin
	}
}

// Generalise hides which guard stopped an operation: every policy.* code becomes policy.guardrail_triggered (draft
// section 10), and the words of the vendor go.
func (v *Verdict) Generalise() {
	if registry.Category(v.Code) != registry.Category(registry.PolicyGuardrailTriggered) || v.Code == registry.PolicyGuardrailTriggered {
		return
	}
	v.Code = registry.PolicyGuardrailTriggered
	v.Origin = originOf(v.Code)
	v.Upstream = Upstream{Provider: v.Upstream.Provider}
	v.NumCauses, v.RootOrigin, v.Object = 0, "", nil
}
