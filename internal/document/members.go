package document

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/problem"
)

// limit returns the limit that was exceeded. Without its name and value there is
// none (draft 4.9).
func (r reader) limit() *problem.Limit {
	l := problem.Limit{
		Name:     r.first(attrLimitName),
		Value:    r.number(attrLimitValue),
		Observed: r.number(attrLimitObserved),
		Unit:     r.first(attrLimitUnit),
	}
	if l.Name == "" || l.Value == nil {
		return nil
	}
	return &l
}

// location returns the place in the run. A run is what the failing side called
// it, else the conversation, else the session, else the trace.
func (r reader) location(d *Document) *problem.Location {
	l := problem.Location{
		RunID:      r.first(attrLocationRunID, attrConversationID, attrSessionID),
		ToolName:   r.first(attrLocationToolName, attrToolName),
		ToolCallID: r.first(attrLocationToolCallID, attrToolCallID),
	}
	if l.RunID == "" && !d.TraceID.IsEmpty() {
		l.RunID = d.TraceID.String()
	}
	if turn := r.integer(attrLocationTurn, 1); turn != nil {
		l.Turn = *turn
	}
	if pointer := r.first(attrLocationPointer); isPointer(pointer) {
		l.Pointer = pointer
	}
	if l == (problem.Location{}) {
		return nil
	}
	return &l
}

// isPointer reports whether s is still a JSON Pointer (RFC 6901): redaction may
// have cut into it.
func isPointer(s string) bool {
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(s)
	return strings.HasPrefix(s, "/") && !strings.Contains(rest, "~")
}

func (r reader) upstream() *problem.Upstream {
	u := problem.Upstream{
		Provider:   r.first(attrUpstreamProvider),
		Code:       r.first(attrUpstreamCode),
		Reason:     r.first(attrUpstreamReason),
		StopReason: r.first(attrUpstreamStopReason),
		TaskState:  r.first(attrUpstreamTaskState),
	}
	if status := r.integer(attrUpstreamStatus, 100); status != nil && *status <= 599 {
		u.Status = int(*status)
	}
	if u == (problem.Upstream{}) {
		return nil
	}
	return &u
}

// causes returns the errors behind this one, newest first. The attributes know
// their codes, and the origin of the root.
func (r reader) causes() []problem.Object {
	var out []problem.Object
	if codes, ok := r.attrs.Get(attrCauseCodes); ok && codes.Type() == pcommon.ValueTypeSlice {
		for _, v := range codes.Slice().All() {
			if v.Type() == pcommon.ValueTypeStr {
				out = r.appendCause(out, v.Str())
			}
		}
	}
	root := text(r.attrs, attrRootCauseCode)
	if len(out) == 0 || out[len(out)-1].Code != root {
		out = r.appendCause(out, root)
	}
	if origin := r.origin(attrRootCauseOrigin); origin != "" && len(out) > 0 && out[len(out)-1].Code == root {
		out[len(out)-1].Origin = origin
	}
	return problem.Trim(problem.Object{Causes: out}).Causes
}

func (r reader) appendCause(causes []problem.Object, code string) []problem.Object {
	if !validCode(code) || r.clean(code) != code {
		return causes
	}
	cause := problem.New(code, "")
	cause.Title = title(code)
	return append(causes, cause)
}
