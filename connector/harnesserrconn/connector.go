package harnesserrconn

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/internal/document"
)

// eventName is the event name of the records.
const eventName = "harness.error"

// eventConnector makes an event of each failure.
type eventConnector struct {
	component.StartFunc
	component.ShutdownFunc
	builder *document.Builder
	next    consumer.Logs
}

// Capabilities says that the connector leaves its input as it is.
func (*eventConnector) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: false}
}

// ConsumeTraces passes on an event for each span that is a counted failure.
func (c *eventConnector) ConsumeTraces(ctx context.Context, td ptrace.Traces) error {
	var out events
	for _, rs := range td.ResourceSpans().All() {
		out.resource(rs.Resource(), rs.SchemaUrl())
		for _, ss := range rs.ScopeSpans().All() {
			out.scope(ss.Scope(), ss.SchemaUrl())
			for _, span := range ss.Spans().All() {
				if c.builder.Selects(span.Attributes()) {
					record := out.add()
					if err := fill(record, c.builder.FromSpan(rs.Resource(), span)); err != nil {
						return err
					}
					record.SetFlags(plog.DefaultLogRecordFlags.WithIsSampled(span.Flags()&1 == 1))
				}
			}
		}
	}
	return out.send(ctx, c.next)
}

// ConsumeLogs passes on an event for each log record that is a counted failure.
func (c *eventConnector) ConsumeLogs(ctx context.Context, ld plog.Logs) error {
	var out events
	for _, rl := range ld.ResourceLogs().All() {
		out.resource(rl.Resource(), rl.SchemaUrl())
		for _, sl := range rl.ScopeLogs().All() {
			out.scope(sl.Scope(), sl.SchemaUrl())
			for _, from := range sl.LogRecords().All() {
				if c.builder.Selects(from.Attributes()) {
					record := out.add()
					if err := fill(record, c.builder.FromLog(rl.Resource(), from)); err != nil {
						return err
					}
					record.SetFlags(from.Flags())
				}
			}
		}
	}
	return out.send(ctx, c.next)
}

// fill writes the document into the record. The code stands in error.type as
// well (draft section 6.4), for backends that index attributes only. The event
// says that another record owns the failure, so that nobody counts it again, not
// even behind a second collector that reads the document in the body.
func fill(record plog.LogRecord, doc document.Document) error {
	severity := doc.Severity()
	record.SetEventName(eventName)
	record.SetTimestamp(doc.Time)
	record.SetObservedTimestamp(doc.Observed)
	record.SetSeverityNumber(severity)
	record.SetSeverityText(severityText(severity))
	record.SetTraceID(doc.TraceID)
	record.SetSpanID(doc.SpanID)
	record.Attributes().PutStr("error.type", doc.Object.Code)
	record.Attributes().PutBool("harness.error.propagated", true)
	return doc.PutMap(record.Body().SetEmptyMap())
}

func severityText(n plog.SeverityNumber) string {
	if n == plog.SeverityNumberError {
		return "ERROR"
	}
	return "WARN"
}

// events collects records under the resource and the scope that they come from,
// which it copies at the first record only.
type events struct {
	logs        plog.Logs
	resourceIn  pcommon.Resource
	resourceURL string
	scopeIn     pcommon.InstrumentationScope
	scopeURL    string

	resourceOut plog.ResourceLogs
	scopeOut    plog.ScopeLogs
	hasLogs     bool
	hasResource bool
	hasScope    bool
}

func (e *events) resource(r pcommon.Resource, schemaURL string) {
	e.resourceIn, e.resourceURL, e.hasResource, e.hasScope = r, schemaURL, false, false
}

func (e *events) scope(s pcommon.InstrumentationScope, schemaURL string) {
	e.scopeIn, e.scopeURL, e.hasScope = s, schemaURL, false
}

func (e *events) add() plog.LogRecord {
	if !e.hasLogs {
		e.logs, e.hasLogs = plog.NewLogs(), true
	}
	if !e.hasResource {
		e.resourceOut, e.hasResource = e.logs.ResourceLogs().AppendEmpty(), true
		e.resourceIn.CopyTo(e.resourceOut.Resource())
		e.resourceOut.SetSchemaUrl(e.resourceURL)
	}
	if !e.hasScope {
		e.scopeOut, e.hasScope = e.resourceOut.ScopeLogs().AppendEmpty(), true
		e.scopeIn.CopyTo(e.scopeOut.Scope())
		e.scopeOut.SetSchemaUrl(e.scopeURL)
	}
	return e.scopeOut.LogRecords().AppendEmpty()
}

func (e *events) send(ctx context.Context, next consumer.Logs) error {
	if !e.hasLogs {
		return nil
	}
	return next.ConsumeLogs(ctx, e.logs)
}
