package harnesserrproc

import (
	"context"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/signal"
)

// observer sees every decision; nil in a collector.
type observer = func(observe.Record)

func observerOf(ctx context.Context) observer { return observe.From(ctx) }

// observeSpans reports the spans of the batch in input order.
func (b *batch) observeSpans() {
	if b.obs == nil {
		return
	}
	for i := range b.spans {
		info := &b.spans[i]
		attrs := info.span.Attributes()
		rec := observe.Record{
			Signal: "trace", Name: info.span.Name(), TraceID: info.span.TraceID().String(), SpanID: info.span.SpanID().String(),
			Recognised: info.recognised, Verdict: &signal.Verdict{}, ErrorType: get(attrs, attrErrorType), Original: get(attrs, attrOriginal),
		}
		if info.recognised {
			rec.Operation, rec.Peer, rec.Method = info.operation.String(), info.peer, get(attrs, attrMethod)
		}
		if info.failure >= 0 {
			b.fails[info.failure].observe(&rec)
		}
		b.obs(rec)
	}
}

// observe adds what failed to a record's report.
func (f *failing) observe(rec *observe.Record) {
	rec.Verdict, rec.Propagated, rec.Handled, rec.Mirror = &f.verdict, f.propagated, f.handled, f.mirror
	rec.Message = f.message
	if rec.Message == "" {
		rec.Message = f.status
	}
}
