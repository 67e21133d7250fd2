package signal

import (
	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// object takes the verdict from a harness error object that the record carries. It returns false where no object says a
// code, so that the other evidence is asked.
func (dc *Decider) object(ev *Evidence, v *Verdict) bool {
	f := preferred(ev.Found)
	if f == nil {
		return false
	}
	class := ClassNone
	if f.Carrier.IsProtocolError() {
		class = ClassProtocol
	}
	o := f.Object
	switch {
	case ev.Role == RoleServer || f.Carrier == problem.CarrierBare && ev.Protocol != ProtocolMCP:
		// The record's own error (an object without a carrier is what its producer says of itself).
	case f.Carrier.Protocol() == problem.ProtocolA2A || ev.Protocol == ProtocolA2A:
		o = f.Received(problem.ProtocolA2A)
		if class == ClassNone {
			class = ClassTask
		}
		v.RPCTask = !f.Carrier.IsProtocolError() && operationGroups[ev.Operation] == GroupA2A
	default:
		o = f.Received(problem.ProtocolMCP)
	}
	v.fill(&o)
	v.Evidence, v.Class = KindObject, class
	if class == ClassNone {
		v.Class = classOfCode(v.Code, ev.groups())
	}
	if v.Upstream.Status == 0 {
		v.Upstream.Status = ev.HTTPStatus
	}
	if v.Upstream.Code == "" {
		v.Upstream.Code = ev.RPCCode
	}
	v.Action = dc.action(v)
	return true
}

// preferred picks the object that a protocol's own carrier brought before one that merely stands on the record.
func preferred(found []problem.Found) *problem.Found {
	var best *problem.Found
	for i := range found {
		f := &found[i]
		if f.Object.Code != "" && (best == nil || best.Carrier == problem.CarrierBare && f.Carrier != problem.CarrierBare) {
			best = f
		}
	}
	return best
}

// fill copies an object's members.
func (v *Verdict) fill(o *problem.Object) {
	v.Code, v.Origin, v.Object = o.Code, o.EffectiveOrigin(), o
	if b, known := o.IsRetryable(); known {
		v.Retryable = TriOf(b)
	}
	if b, known := o.IsModelRecoverable(); known {
		v.ModelRecoverable = TriOf(b)
	}
	if o.RetryAfter != nil {
		v.RetryAfter = *o.RetryAfter
	}
	if o.Attempts != nil {
		v.Attempts = int(*o.Attempts)
	}
	if o.MaxAttempts != nil {
		v.MaxAttempts = int(*o.MaxAttempts)
	}
	if u := o.Upstream; u != nil {
		v.Upstream = Upstream{Provider: u.Provider, Status: u.Status, Code: u.Code, Reason: u.Reason, StopReason: u.StopReason, TaskState: u.TaskState}
	}
	for _, c := range o.CauseCodes() {
		v.addCause(c)
	}
	if inner := o.Innermost(); inner != nil && inner != o {
		v.RootOrigin = inner.EffectiveOrigin()
	}
}

// RootCode returns the code of the innermost cause, or "".
func (v *Verdict) RootCode() string {
	if v.NumCauses == 0 || v.RootOrigin == "" {
		return ""
	}
	return v.Causes[v.NumCauses-1]
}

// originOf is the registered origin of a code.
func originOf(code string) registry.Origin {
	entry, _ := registry.Lookup(code)
	return entry.Origin
}
