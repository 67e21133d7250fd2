package signal

import "github.com/harnesserr/harnesserr/registry"

// labby reads the kind of an envelope; one that the table doesn't list takes the row for any other.
func (d *decision) labby() {
	l := &d.ev.Labby
	if !d.best(MatchKind, squash(d.buf[:0], l.Kind), rankState, KindLabby, &typeName{last: l.Kind}) {
		d.best(MatchKind, append(d.buf[:0], "any"...), rankState, KindLabby, &typeName{last: l.Kind})
	}
}

// advise lets an envelope's own words win over the defaults of its kind.
func (l *Labby) advise(v *Verdict) {
	if o := l.origin(v.Code); o != "" {
		v.Origin = o
	}
	switch l.SameArguments {
	case "safe":
		v.Retryable = True
	case "conditional":
		v.Retryable = TriOf(l.Action == "retry_later")
	case "discouraged", "never":
		v.Retryable = False
	}
	switch l.Action {
	case "revise_and_retry":
		v.Action, v.ModelRecoverable = ActionRepair, True
	case "retry_later":
		v.Action, v.Retryable = ActionRetry, True
	case "reauthenticate":
		v.Action, v.Retryable, v.ModelRecoverable = ActionReauthenticate, False, False
	case "confirm", "start_dependency":
		v.Action, v.Retryable, v.ModelRecoverable = ActionEscalate, False, False
	case "rediscover":
		v.Action, v.Retryable, v.ModelRecoverable = ActionReconcile, False, True
	case "reduce_work":
		v.Action, v.Retryable, v.ModelRecoverable = ActionAdjustLimit, False, True
	case "inspect_and_escalate":
		v.Action = ActionEscalate
	case "do_not_retry":
		v.Action, v.Retryable, v.ModelRecoverable = ActionNone, False, False
	}
	if l.SideEffects != "" {
		v.SideEffects = l.SideEffects
	}
	if l.RetryAfterMS > 0 {
		v.RetryAfter = l.RetryAfterMS / 1000
	}
	if l.Upstream != "" {
		v.Upstream.Provider = l.Upstream
	}
	v.Upstream.Code, v.Tool = l.Kind, l.Tool
}

// origin maps the part of labby in which a failure arose to an origin of the draft.
func (l *Labby) origin(code string) registry.Origin {
	if registry.Category(code) == registry.CategoryUpstream {
		return registry.OriginUpstream
	}
	switch l.Origin {
	case "validation", "discovery":
		if registry.Category(code) == registry.CategoryOutput {
			return registry.OriginModel
		}
		return registry.OriginHarness
	case "policy", "budget", "runtime":
		return registry.OriginHarness
	case "tool_execution", "code_mode":
		return registry.OriginTool
	case "upstream_transport", "bridge":
		return registry.OriginUpstream
	}
	return ""
}
