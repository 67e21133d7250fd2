package document

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// genericTitle is the title of the problem type (draft section 3), for codes
// that have none in the registry.
const genericTitle = "Agent Harness Error"

// Builder makes documents. It is safe for concurrent use.
type Builder struct {
	Selector
	clean *cleaner
}

// NewBuilder returns a builder for a valid configuration.
func NewBuilder(cfg Config) (*Builder, error) {
	clean, err := newCleaner(cfg.MaxDetailBytes)
	if err != nil {
		return nil, err
	}
	return &Builder{Selector: NewSelector(cfg), clean: clean}, nil
}

// Clean makes foreign text fit for a log or a document, in at most 256 bytes.
func (b *Builder) Clean(text string) string { return b.clean.text(text) }

// FromSpan returns the document of a span.
func (b *Builder) FromSpan(resource pcommon.Resource, span ptrace.Span) Document {
	failed := span.EndTimestamp()
	if failed == 0 {
		failed = span.StartTimestamp()
	}
	d := Document{Time: failed, Observed: failed, TraceID: span.TraceID(), SpanID: span.SpanID()}
	b.fill(&d, resource, span.Attributes())
	d.Object.Detail = b.clean.detail(spanDetail(span))
	return d
}

// spanDetail is the status message, else the message of the last exception, else
// what instrumentation left in an attribute.
func spanDetail(span ptrace.Span) string {
	if message := span.Status().Message(); message != "" {
		return message
	}
	for i := span.Events().Len() - 1; i >= 0; i-- {
		if event := span.Events().At(i); event.Name() == eventException {
			if message := text(event.Attributes(), attrExceptionMessage); message != "" {
				return message
			}
		}
	}
	return text(span.Attributes(), messageAttributes...)
}

// FromLog returns the document of a log record.
func (b *Builder) FromLog(resource pcommon.Resource, record plog.LogRecord) Document {
	failed := record.Timestamp()
	if failed == 0 {
		failed = record.ObservedTimestamp()
	}
	observed := record.ObservedTimestamp()
	if observed == 0 {
		observed = failed
	}
	d := Document{Time: failed, Observed: observed, TraceID: record.TraceID(), SpanID: record.SpanID()}
	b.fill(&d, resource, record.Attributes())
	d.Object.Detail = b.clean.detail(logDetail(record))
	return d
}

// logDetail is what instrumentation left in an attribute, else a body of text
// that says more than the event's name.
func logDetail(record plog.LogRecord) string {
	if message := text(record.Attributes(), messageAttributes...); message != "" {
		return message
	}
	if body := record.Body(); body.Type() == pcommon.ValueTypeStr && body.Str() != record.EventName() {
		return body.Str()
	}
	return ""
}

func text(attrs pcommon.Map, keys ...string) string {
	for _, key := range keys {
		if v, ok := attrs.Get(key); ok && v.Type() == pcommon.ValueTypeStr && v.Str() != "" {
			return v.Str()
		}
	}
	return ""
}

// fill sets everything but times, ids and detail.
func (b *Builder) fill(d *Document, resource pcommon.Resource, attrs pcommon.Map) {
	r := reader{attrs: attrs, clean: b.clean.text}
	d.Class = r.first(attrClass)
	d.Action = r.first(attrAction)
	d.SideEffects = r.first(attrSideEffects)
	d.Peer = r.first(attrPeer)
	d.Operation = r.first(attrOperation)
	d.Method = r.first(attrMethod)
	d.Service = reader{attrs: resource.Attributes(), clean: b.clean.text}.first(attrServiceName)
	d.Propagated = isTrue(attrs, attrPropagated)
	d.Mirror = isTrue(attrs, attrMirror)
	d.Handled = isTrue(attrs, attrHandled)

	o := &d.Object
	o.Code = r.code()
	o.Title = title(o.Code)
	if o.Origin = r.origin(attrOrigin); o.Origin == "" {
		o.Origin = o.EffectiveOrigin()
	}
	o.Instance = instance(d.TraceID, d.SpanID)
	o.Retryable = r.flag(attrRetryable)
	o.ModelRecoverable = r.flag(attrModelRecoverable)
	if after := r.number(attrRetryAfter); after != nil && *after >= 0 {
		o.RetryAfter = after
	}
	o.Attempts = r.integer(attrAttempts, 0)
	o.MaxAttempts = r.integer(attrMaxAttempts, 0)
	o.Limit = r.limit()
	o.Location = r.location(d)
	o.Upstream = r.upstream()
	o.Causes = r.causes()
}

// title is the registered title of the code, else that of the problem type.
func title(code string) string {
	if entry, ok := registry.Lookup(code); ok {
		return entry.Title
	}
	return genericTitle
}

// code returns harness.error.code, else a code on error.type, else the code for
// "a reason not covered by any other" (draft 5.3): a document needs one.
func (r reader) code() string {
	for _, key := range []string{attrCode, attrErrorType} {
		// What redaction would change is no code, whatever its syntax.
		if v := text(r.attrs, key); validCode(v) && r.clean(v) == v {
			return v
		}
	}
	return registry.HarnessInternalError
}

func validCode(code string) bool { return len(code) <= problem.MaxCode && registry.Valid(code) }

func (r reader) origin(key string) registry.Origin {
	if origin := registry.Origin(text(r.attrs, key)); origin.Known() {
		return origin
	}
	return ""
}
