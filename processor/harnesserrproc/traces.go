package harnesserrproc

import (
	"context"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/signal"
)

// spanInfo is what is kept of a span until the batch is known: of those that are not healthy at first sight and of the
// others in their traces; of every span, where decisions are observed. Operation and the like are known of spans that were
// described: healthy spans are described again only if somebody needs it.
type spanInfo struct {
	span       ptrace.Span
	peer       string
	failure    int32 // index into batch.fails, or -1
	scope      int32 // index into batch.scopes
	order      int32 // among all spans of the batch
	operation  signal.Operation
	recognised bool
	loud       bool // not healthy at first sight
	described  bool
	exchange   bool // half of an exchange over an agent protocol
	answer     bool // the answering half, where the span's kind does not say so
}

// failing is a failing record between decision and writing.
type failing struct {
	verdict signal.Verdict
	// typ, message and status identify the failure when spans are related.
	typ, message, status        string
	propagated, handled, mirror bool
	original                    string // the type it had, cleaned
	settled                     bool   // written by an earlier pass: only relations may be added
	own                         bool   // an earlier pass wrote something
	renamed                     bool   // the name of the span is to be cleaned
	annotation                  annotation
}

func (p *normalizer) traces(ctx context.Context, td ptrace.Traces) (ptrace.Traces, error) {
	b, before := p.begin(ctx), 0
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			b.scopes = append(b.scopes, b.scopeNamed(ss.Scope().Name()))
			spans, scope := ss.Spans(), int32(len(b.scopes)-1)
			b.each(ctx, "traces", spans.Len(), func(i int) { b.look(ctx, spans.At(i), scope, before+i) })
			before += spans.Len()
		}
	}
	// Decided one after the other, what deciding needs stays in the caches of the processor.
	b.each(ctx, "traces", len(b.spans), func(i int) {
		if b.spans[i].loud {
			b.decide(ctx, &b.spans[i])
		}
	})
	if p.cfg.Causality && len(b.fails) > 0 {
		b.guard(ctx, "traces", func() { b.relate(ctx, td) })
	}
	for i := range b.spans {
		if b.spans[i].failure >= 0 {
			b.guard(ctx, "traces", func() { b.writeSpan(ctx, &b.spans[i]) })
		}
	}
	b.observeSpans()
	return td, p.end(ctx, b, "traces")
}

// look is the first look at a span. One that is not ours, or is healthy, is done with; the others are noted.
func (b *batch) look(ctx context.Context, span ptrace.Span, scope int32, order int) {
	r, attrs := &b.rec, span.Attributes()
	if !r.claim(b.scopes[scope], span) {
		if b.obs != nil {
			b.spans = append(b.spans, spanInfo{span: span, scope: scope, order: int32(order), failure: -1})
		}
		return
	}
	b.seen++
	loud := span.Status().Code() == ptrace.StatusCodeError || span.Events().Len() > 0
	if !loud && b.sparing && r.quiet(b.p.engine, attrs) {
		return
	}
	info := spanInfo{span: span, scope: scope, order: int32(order), failure: -1, recognised: true, loud: loud || b.sparing}
	if !info.loud {
		r.scanBrief(attrs)
		if info.loud = !r.scannedQuiet(b.p.engine); !info.loud {
			b.finish(ctx, attrs, b.describe(ctx, &info, span.Name()))
		}
	}
	if info.loud || b.obs != nil {
		b.spans = append(b.spans, info)
	}
}

// decide decides a span that is not healthy at first sight; failures are written once the whole batch is known.
func (b *batch) decide(ctx context.Context, info *spanInfo) {
	r, span := &b.rec, info.span
	r.scan(span.Attributes())
	name := b.cleanName(span.Name())
	a := b.describe(ctx, info, name)
	r.ev.Reset()
	r.gather(b.p)
	r.spanEvidence(span)
	r.realtime(b.p.engine)
	if f := b.fail(a); f != nil {
		f.status, f.renamed = span.Status().Message(), name != span.Name()
		info.failure = int32(len(b.fails) - 1)
	}
	b.finish(ctx, span.Attributes(), a)
}

// describe settles what a span that was just scanned did, and to whom. The name of one that may have failed is the cleaned
// one, as the next pass will find it.
func (b *batch) describe(ctx context.Context, info *spanInfo, name string) annotation {
	r := &b.rec
	r.role = roleOf(info.span.Kind())
	r.identify(b.p, b.scopes[info.scope], name)
	a := b.annotate(ctx, name)
	info.operation, info.peer, info.described = r.operation, a.peer, true
	info.exchange = r.protocol != signal.ProtocolNone
	info.answer = r.protocol == signal.ProtocolMCP && r.method == "" && r.present(r.keys.answer)
	return a
}

// finish does to a recognised record what is done to all of them. It comes after everything was read: writing may move
// the attributes.
func (b *batch) finish(ctx context.Context, attrs pcommon.Map, a annotation) {
	b.cleanPayload(ctx, attrs)
	if b.p.cfg.Annotate == annotateAll {
		a.write(attrs, b.rec.found&lookOwn != 0)
	}
}

// settled takes over the verdict of an earlier pass: what an agent's own collector wrote is not decided again.
func (r *record) settled(v *signal.Verdict) bool {
	if !r.present(r.keys.ownClass) {
		return false
	}
	v.Reset()
	v.Code = r.text(r.keys.ownCode)
	v.Class = signal.ClassOf(r.text(r.keys.ownClass))
	return v.Class != signal.ClassNone
}

// annotate names operation, peer and method of the record.
func (b *batch) annotate(ctx context.Context, name string) annotation {
	r := &b.rec
	return annotation{operation: r.operation.String(), peer: b.peerName(ctx, r.peerOf(b.p, name)), method: r.methodName()}
}

// peerName is the name that is written for a peer.
func (b *batch) peerName(ctx context.Context, peer string) string {
	n, ok := b.rec.peers.get(peer)
	if !ok {
		n.name, n.folded = b.p.peers.Name(peer, b.now)
		b.rec.peers.put(peer, n, false)
	}
	if n.folded {
		b.p.tel.folded(ctx)
	}
	return n.name
}

// fail decides the record at hand and keeps the verdict until the batch is known; nil if it did not fail.
func (b *batch) fail(a annotation) *failing {
	r, n := &b.rec, len(b.fails)
	b.fails = slices.Grow(b.fails, 1)
	f := &b.fails[:n+1][n] // empty but for the verdict on a record before that did not fail
	if !r.settled(&f.verdict) && !r.decider.Decide(&r.ev, &f.verdict) {
		return nil
	}
	b.fails = b.fails[:n+1]
	f.annotation, f.settled, f.own = a, r.present(r.keys.ownClass), r.found&lookOwn != 0
	if b.p.cfg.Redact.GeneralisePolicy {
		f.verdict.Generalise()
	}
	if n := len(r.ev.Exceptions); n > 0 {
		f.typ, f.message = r.ev.Exceptions[n-1].Type, r.ev.Exceptions[n-1].Message
	}
	return f
}

// writeSpan writes the verdict of one span.
func (b *batch) writeSpan(ctx context.Context, info *spanInfo) {
	f := &b.fails[info.failure]
	attrs := info.span.Attributes()
	b.cleanSpan(ctx, info.span, f.renamed) // first, while there is less to look at
	if !f.settled {
		room(attrs, &f.verdict)
		if b.p.cfg.Annotate == annotateFailures {
			f.annotation.write(attrs, f.own)
		}
		f.original = b.writer(ctx, f.own).verdict(attrs, &f.verdict)
		b.count(ctx, f, "traces")
		if b.p.cfg.SetStatus && f.verdict.Class.Failure() && !f.verdict.RPCTask && info.span.Status().Code() == ptrace.StatusCodeUnset {
			info.span.Status().SetCode(ptrace.StatusCodeError)
		}
	}
	writeRelations(attrs, f)
}

func writeRelations(attrs pcommon.Map, f *failing) {
	if f.propagated {
		putBool(attrs, attrPropagated, true)
	}
	if f.handled {
		putBool(attrs, attrHandled, true)
	}
	if f.mirror {
		putBool(attrs, attrMirror, true)
	}
}

// count feeds the processor's own metrics.
func (b *batch) count(ctx context.Context, f *failing, sig string) {
	if f.verdict.Code == "" {
		return
	}
	b.counts[classified{f.verdict.Code, f.verdict.Evidence}]++
	if f.verdict.Evidence == signal.KindFallback {
		b.p.tel.fallback(ctx, sig, f.original)
	}
}

func roleOf(k ptrace.SpanKind) signal.Role {
	switch k {
	case ptrace.SpanKindClient, ptrace.SpanKindProducer:
		return signal.RoleClient
	case ptrace.SpanKindServer, ptrace.SpanKindConsumer:
		return signal.RoleServer
	}
	return signal.RoleInternal
}

// spanEvidence adds what stands on the span itself: status, exceptions and other events.
func (r *record) spanEvidence(span ptrace.Span) {
	ev := &r.ev
	switch span.Status().Code() {
	case ptrace.StatusCodeError:
		ev.Status = signal.StatusError
	case ptrace.StatusCodeOk:
		if ev.Status == signal.StatusUnset {
			ev.Status = signal.StatusOK
		}
	}
	for _, e := range span.Events().All() {
		r.event(e)
	}
	r.addStatus(span.Status().Message())
}

// addStatus adds the status description, unless it only repeats an exception's message.
func (r *record) addStatus(s string) {
	for i := range r.ev.Exceptions {
		if r.ev.Exceptions[i].Message == s {
			return
		}
	}
	r.addMessage(s)
}

// event adds what one span event shows.
func (r *record) event(e ptrace.SpanEvent) {
	switch e.Name() {
	case "exception", "gen_ai.client.operation.exception", "error":
		r.exception(e.Attributes())
	case "gen_ai.choice":
		if v, ok := e.Attributes().Get("finish_reason"); ok {
			r.addStops(v)
		}
		if v, ok := e.Attributes().Get("gen_ai.event.content"); ok {
			r.answer(v)
		}
	case "gen_ai.client.inference.operation.details", "gen_ai.content.completion":
		if v, ok := e.Attributes().Get("gen_ai.output.messages"); ok {
			r.outputStops(v)
		}
		if v, ok := e.Attributes().Get("gen_ai.response.finish_reasons"); ok {
			r.addStops(v)
		}
	case "":
		if _, ok := e.Attributes().Get("exception.type"); ok {
			r.exception(e.Attributes())
		}
	}
}

// exception adds one recorded exception; the same one recorded twice is one.
func (r *record) exception(attrs pcommon.Map) {
	x := signal.Exception{Type: get(attrs, "exception.type"), Message: get(attrs, "exception.message"), Stack: get(attrs, "exception.stacktrace")}
	if x == (signal.Exception{}) {
		return
	}
	for _, seen := range r.ev.Exceptions {
		if seen.Type == x.Type && seen.Message == x.Message {
			return
		}
	}
	r.ev.Exceptions = append(r.ev.Exceptions, x)
}

func get(m pcommon.Map, key string) string {
	if v, ok := m.Get(key); ok {
		return textOf(v)
	}
	return ""
}
