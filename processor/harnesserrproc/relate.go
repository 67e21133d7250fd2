package harnesserrproc

import (
	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/causality"
	"github.com/harnesserr/harnesserr/registry"
	"github.com/harnesserr/harnesserr/signal"
)

// causalityScratch is the working memory of relating.
type causalityScratch struct {
	relater  causality.Relater
	spans    []causality.Span
	failures []causality.Failure
	back     []int32 // from causality's failures to batch.fails
}

// relate finds which failures of the batch are one, and passes codes and causes up to those that failed for them.
func (b *batch) relate() {
	s := &b.trace
	s.spans, s.failures, s.back = s.spans[:0], s.failures[:0], s.back[:0]
	for i := range b.spans {
		info := &b.spans[i]
		sp := causality.Span{
			Trace: info.span.TraceID(), ID: info.span.SpanID(), Parent: info.span.ParentSpanID(),
			Start: uint64(info.span.StartTimestamp()), End: uint64(info.span.EndTimestamp()), Role: causalRole(info),
			Operation: uint8(info.operation), Peer: info.peer, Recognised: info.recognised,
			Error: info.span.Status().Code() == 2, Failure: -1,
		}
		if info.failure >= 0 {
			if f := &b.fails[info.failure]; f.verdict.Code != "" && f.verdict.Class.Failure() {
				sp.Failure = int32(len(s.failures))
				s.failures = append(s.failures, causalFailure(f, int32(i)))
				s.back = append(s.back, info.failure)
			}
		}
		s.spans = append(s.spans, sp)
	}
	s.relater.Relate(s.spans, s.failures)
	for i := range s.failures {
		f := &b.fails[s.back[i]]
		f.propagated, f.handled, f.mirror = s.failures[i].Propagated, s.failures[i].Handled, s.failures[i].Mirror
	}
	for _, i := range s.relater.Order() {
		if c := s.failures[i].Cause; c >= 0 {
			b.fails[s.back[i]].inherit(&b.fails[s.back[c]].verdict)
		}
	}
	clear(s.spans)
	clear(s.failures)
}

func causalRole(info *spanInfo) causality.Role {
	switch {
	case !info.exchange:
		return causality.Internal
	case info.answer, roleOf(info.span.Kind()) == signal.RoleServer:
		return causality.Server
	case roleOf(info.span.Kind()) == signal.RoleClient:
		return causality.Client
	}
	return causality.Internal
}

func causalFailure(f *failing, span int32) causality.Failure {
	v := &f.verdict
	return causality.Failure{
		Span: span, Code: v.Code, Type: f.typ, Message: f.message, Status: f.status, Causes: v.Causes[:v.NumCauses],
		Vague: v.Vague, Delegated: v.Code == registry.UpstreamAgentFailed,
	}
}

// inherit makes a failure that has no evidence of its own the failure below it, and names that as the cause of one that
// has. What an earlier pass wrote stays.
func (f *failing) inherit(below *signal.Verdict) {
	if f.settled {
		return
	}
	f.verdict.Inherit(below)
}
