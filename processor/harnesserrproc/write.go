package harnesserrproc

import (
	"context"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/redact"
	"github.com/harnesserr/harnesserr/signal"
)

// The attributes that the processor writes. Their meaning is in the README.
const (
	attrErrorType   = "error.type"
	attrOperation   = "harness.operation"
	attrPeer        = "harness.peer"
	attrMethod      = "harness.method"
	attrCode        = "harness.error.code"
	attrClass       = "harness.error.class"
	attrOrigin      = "harness.error.origin"
	attrRetryable   = "harness.error.retryable"
	attrRecoverable = "harness.error.model_recoverable"
	attrAction      = "harness.error.action"
	attrEvidence    = "harness.error.evidence"
	attrOriginal    = "harness.error.original_type"
	attrRetryAfter  = "harness.error.retry_after"
	attrAttempts    = "harness.error.attempts"
	attrMaxAttempts = "harness.error.max_attempts"
	attrLimitName   = "harness.error.limit.name"
	attrLimitUnit   = "harness.error.limit.unit"
	attrLimitValue  = "harness.error.limit.value"
	attrLimitSeen   = "harness.error.limit.observed"
	attrRunID       = "harness.error.location.run_id"
	attrTurn        = "harness.error.location.turn"
	attrToolName    = "harness.error.location.tool_name"
	attrToolCallID  = "harness.error.location.tool_call_id"
	attrPointer     = "harness.error.location.pointer"
	attrUpProvider  = "harness.error.upstream.provider"
	attrUpStatus    = "harness.error.upstream.status"
	attrUpCode      = "harness.error.upstream.code"
	attrUpReason    = "harness.error.upstream.reason"
	attrUpStop      = "harness.error.upstream.stop_reason"
	attrUpTaskState = "harness.error.upstream.task_state"
	attrCauseCodes  = "harness.error.cause.codes"
	attrRootCode    = "harness.error.root_cause.code"
	attrRootOrigin  = "harness.error.root_cause.origin"
	attrPropagated  = "harness.error.propagated"
	attrHandled     = "harness.error.handled"
	attrMirror      = "harness.error.mirror"
	attrSideEffects = "harness.error.side_effects"
	maxOriginal     = 256 // bytes of harness.error.original_type
	maxUpstream     = 256 // bytes of a raw vendor detail
	usualCount      = 13  // what a failure gets: annotation, error.type, code, class, origin, two booleans, action, evidence, a relation
	causesCount     = 3   // what causes add
)

// putNew writes a string attribute that most likely is not there yet.
func putNew(m pcommon.Map, key, value string) {
	if value != "" {
		m.PutStr(key, value)
	}
}

// putFunc returns the cheaper way to write to a record that an earlier pass has written to, or has not.
func putFunc(before bool) func(m pcommon.Map, key, value string) {
	if before {
		return putStr
	}
	return putNew
}

// putStr writes a string attribute unless it has the value already: a record that is up to date costs no write.
func putStr(m pcommon.Map, key, value string) {
	if value == "" {
		return
	}
	v, ok := m.GetOrPutEmpty(key)
	if ok && v.Type() == pcommon.ValueTypeStr && v.Str() == value {
		return
	}
	v.SetStr(value)
}

func putBool(m pcommon.Map, key string, value bool) {
	v, ok := m.GetOrPutEmpty(key)
	if ok && v.Type() == pcommon.ValueTypeBool && v.Bool() == value {
		return
	}
	v.SetBool(value)
}

func putTri(m pcommon.Map, key string, t signal.Tri) {
	if value, known := t.Bool(); known {
		putBool(m, key, value)
	}
}

func putInt(m pcommon.Map, key string, value int64) { m.PutInt(key, value) }

// annotation is what every recognised record gets.
type annotation struct {
	operation, peer, method string
}

// write writes the annotation; before says that an earlier pass has been there.
func (a annotation) write(m pcommon.Map, before bool) {
	put := putFunc(before)
	put(m, attrOperation, a.operation)
	put(m, attrPeer, a.peer)
	put(m, attrMethod, a.method)
}

// writer writes verdicts as the configuration says. What it copies from the record is cleaned first.
type writer struct {
	*batch
	ctx context.Context // of the call that the batch is of
	put func(m pcommon.Map, key, value string)
}

// writer returns the writer of verdicts; before says that an earlier pass has written to the record.
func (b *batch) writer(ctx context.Context, before bool) writer {
	return writer{b, ctx, putFunc(before)}
}

func (w writer) clean(s string) string { return w.text(w.ctx, s, redact.Text, placeAttribute) }

// room makes room for what a failure gets, at once.
func room(m pcommon.Map, v *signal.Verdict) {
	n := usualCount
	if v.NumCauses > 0 {
		n += causesCount
	}
	if v.Upstream.Status != 0 {
		n++
	}
	for _, s := range [...]string{v.Upstream.Provider, v.Upstream.Code, v.Upstream.Reason, v.Upstream.StopReason, v.Upstream.TaskState} {
		if s != "" {
			n++
		}
	}
	m.EnsureCapacity(m.Len() + n)
}

// verdict writes a verdict onto the attributes of a span or log record. It returns the error.type that stood there, cleaned.
func (w writer) verdict(m pcommon.Map, v *signal.Verdict) (original string) {
	before := get(m, attrErrorType)
	if before != "" {
		original = bound(w.clean(before), maxOriginal)
	}
	if w.typed(v) && before != v.Code && (w.p.cfg.ErrorType == typeReplace || w.p.cfg.ErrorType == typeAdd && before == "") {
		if before != "" {
			if _, kept := m.Get(attrOriginal); !kept {
				m.PutStr(attrOriginal, original)
			}
		}
		m.PutStr(attrErrorType, v.Code)
	}
	w.put(m, attrCode, v.Code)
	w.put(m, attrClass, v.Class.String())
	if v.Code == "" {
		return original
	}
	w.put(m, attrOrigin, string(v.Origin))
	putTri(m, attrRetryable, v.Retryable)
	putTri(m, attrRecoverable, v.ModelRecoverable)
	w.put(m, attrAction, v.Action.String())
	w.put(m, attrEvidence, v.Evidence.String())
	w.put(m, attrSideEffects, v.SideEffects)
	w.upstream(m, &v.Upstream)
	w.numbers(m, v)
	if v.Object != nil {
		w.object(m, v.Object)
	}
	w.causes(m, v)
	return original
}

// typed reports whether the record's error.type becomes the code: on failures, but not on an exchange that succeeded in
// carrying a failed task, and not on failures that nothing explains if those are to be left alone.
func (w writer) typed(v *signal.Verdict) bool {
	return v.Class.Failure() && !v.RPCTask && v.Code != "" && (v.Evidence != signal.KindFallback || w.p.cfg.Unknown == unknownGeneric)
}

func (w writer) upstream(m pcommon.Map, u *signal.Upstream) {
	w.raw(m, attrUpProvider, u.Provider)
	if u.Status != 0 {
		putInt(m, attrUpStatus, int64(u.Status))
	}
	w.raw(m, attrUpCode, u.Code)
	w.raw(m, attrUpReason, u.Reason)
	w.raw(m, attrUpStop, u.StopReason)
	w.raw(m, attrUpTaskState, u.TaskState)
}

// raw writes a detail in a vendor's own words.
func (w writer) raw(m pcommon.Map, key, value string) {
	if value != "" {
		w.put(m, key, bound(w.clean(value), maxUpstream))
	}
}

func (w writer) numbers(m pcommon.Map, v *signal.Verdict) {
	if v.RetryAfter >= 0 {
		m.PutDouble(attrRetryAfter, v.RetryAfter)
	}
	if v.Attempts >= 0 {
		putInt(m, attrAttempts, int64(v.Attempts))
	}
	if v.MaxAttempts >= 0 {
		putInt(m, attrMaxAttempts, int64(v.MaxAttempts))
	}
}

// object writes what only a received object can say: limit and location.
func (w writer) object(m pcommon.Map, o *problem.Object) {
	if l := o.Limit; l != nil {
		w.raw(m, attrLimitName, l.Name)
		w.raw(m, attrLimitUnit, l.Unit)
		if l.Value != nil {
			m.PutDouble(attrLimitValue, *l.Value)
		}
		if l.Observed != nil {
			m.PutDouble(attrLimitSeen, *l.Observed)
		}
	}
	if l := o.Location; l != nil {
		w.raw(m, attrRunID, l.RunID)
		if l.Turn > 0 {
			putInt(m, attrTurn, l.Turn)
		}
		w.raw(m, attrToolName, l.ToolName)
		w.raw(m, attrToolCallID, l.ToolCallID)
		w.raw(m, attrPointer, l.Pointer)
	}
}

func (w writer) causes(m pcommon.Map, v *signal.Verdict) {
	if v.NumCauses == 0 {
		return
	}
	list := m.PutEmptySlice(attrCauseCodes)
	list.EnsureCapacity(v.NumCauses)
	for _, c := range v.Causes[:v.NumCauses] {
		list.AppendEmpty().SetStr(c)
	}
	if root := v.RootCode(); root != "" {
		w.put(m, attrRootCode, root)
		w.put(m, attrRootOrigin, string(v.RootOrigin))
	}
}

// bound cuts s at a rune's end so that it is no longer than n bytes.
func bound(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
