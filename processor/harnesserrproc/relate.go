package harnesserrproc

import (
	"context"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

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
	at       []int32 // from causality's spans to batch.spans
	traces   map[pcommon.TraceID]struct{}
	bits     [256]uint64 // of the last bytes of their ids
	parents  map[pcommon.SpanID]struct{}
}

// relate finds which failures of the batch are one, and passes codes and causes up to those that failed for them. Only
// the spans of traces with failures are looked at.
func (b *batch) relate(ctx context.Context, td ptrace.Traces) {
	s := &b.trace
	s.collect(b, td)
	for i := range s.spans {
		info := &b.spans[s.at[i]]
		if f := info.failure; f >= 0 && b.fails[f].verdict.Code != "" && b.fails[f].verdict.Class.Failure() {
			s.spans[i].Failure = int32(len(s.failures))
			s.failures = append(s.failures, causalFailure(&b.fails[f], int32(i)))
			s.back = append(s.back, f)
		}
	}
	b.describeAttempts(ctx)
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

// collect takes the spans of traces in which something failed, those that are not ours too, because they connect. A bit
// for the last bytes of the trace id spares most others the look-up.
func (s *causalityScratch) collect(b *batch, td ptrace.Traces) {
	s.spans, s.failures, s.back, s.at = s.spans[:0], s.failures[:0], s.back[:0], s.at[:0]
	if s.traces == nil {
		s.traces = map[pcommon.TraceID]struct{}{}
	}
	clear(s.traces)
	clear(s.bits[:])
	for i := range b.spans {
		if b.spans[i].failure >= 0 {
			id := b.spans[i].span.TraceID()
			s.traces[id] = struct{}{}
			s.bits[id[15]] |= 1 << (id[14] & 63)
		}
	}
	noted, next, scope, order := len(b.spans), 0, int32(-1), int32(-1) // the noted ones are in the order of td
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			scope++
			for _, span := range ss.Spans().All() {
				order++
				id := span.TraceID()
				if s.bits[id[15]]>>(id[14]&63)&1 == 0 {
					continue
				}
				if _, ok := s.traces[id]; !ok {
					continue
				}
				for next < noted && b.spans[next].order < order {
					next++
				}
				at := int32(next)
				if next == noted || b.spans[next].order != order {
					at = int32(len(b.spans))
					b.spans = append(b.spans, spanInfo{span: span, scope: scope, order: order, failure: -1, recognised: b.rec.claim(b.scopes[scope], span)})
				}
				s.spans, s.at = append(s.spans, causalSpan(&b.spans[at])), append(s.at, at)
			}
		}
	}
}

func causalSpan(info *spanInfo) causality.Span {
	span := info.span
	return causality.Span{
		Trace: span.TraceID(), ID: span.SpanID(), Parent: span.ParentSpanID(),
		Start: uint64(span.StartTimestamp()), End: uint64(span.EndTimestamp()), Role: causalRole(info),
		Operation: uint8(info.operation), Peer: info.peer, Recognised: info.recognised,
		Error: span.Status().Code() == ptrace.StatusCodeError, Failure: -1,
	}
}

// describeAttempts describes the healthy spans that stand beside a failing one: they may be a later attempt that worked.
func (b *batch) describeAttempts(ctx context.Context) {
	s := &b.trace
	if s.parents == nil {
		s.parents = map[pcommon.SpanID]struct{}{}
	}
	clear(s.parents)
	for i := range s.failures {
		s.parents[s.spans[s.failures[i].Span].Parent] = struct{}{}
	}
	for i := range s.spans {
		info := &b.spans[s.at[i]]
		if info.described || !info.recognised {
			continue
		}
		if _, ok := s.parents[s.spans[i].Parent]; ok {
			b.rec.scan(info.span.Attributes())
			b.describe(ctx, info, info.span.Name())
			s.spans[i] = causalSpan(info)
		}
	}
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
