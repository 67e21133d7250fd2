package harnesserrproc

import (
	"context"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/redact"
)

// writer returns the writer of verdicts; what it copies from the record is cleaned and counted under place.
func (b *batch) writer(ctx context.Context, place string) writer {
	return writer{errorType: b.p.cfg.ErrorType, unknown: b.p.cfg.Unknown, clean: func(s string, k redact.Kind) string {
		out := b.p.cleaner.Clean(s, k, &b.clean)
		b.p.tel.redactions(ctx, &b.clean, place)
		return out
	}}
}

// text cleans one string and counts under place.
func (b *batch) text(ctx context.Context, s string, k redact.Kind, place string) string {
	if s == "" {
		return s
	}
	out := b.p.cleaner.Clean(s, k, &b.clean)
	b.p.tel.redactions(ctx, &b.clean, place)
	return out
}

// errorTexts are the attributes that hold text of a failure, and what kind of text it is.
var errorTexts = map[string]redact.Kind{
	"exception.message": redact.Text, "exception.stacktrace": redact.StackTrace, "error.message": redact.Text, "error": redact.Text,
	"error_message": redact.Text, "error.stack_trace": redact.StackTrace, "litellm.provider.error.stack_trace": redact.StackTrace,
	"langfuse.observation.status_message": redact.Text, "mcp.error.message": redact.Text, "gen_ai.tool.error": redact.Text,
	"gen_ai.execution.error": redact.Text, "gen_ai.framework.error.message": redact.Text, "error.type": redact.Text,
	"exception.type": redact.Text, attrOriginal: redact.Text,
}

// cleanSpan cleans every text of a failing span.
func (b *batch) cleanSpan(ctx context.Context, span ptrace.Span) {
	if s := span.Status().Message(); s != "" {
		if c := b.text(ctx, s, redact.Text, "status"); c != s {
			span.Status().SetMessage(c)
		}
	}
	if c := b.text(ctx, span.Name(), redact.Name, "name"); c != span.Name() {
		span.SetName(c)
	}
	b.cleanAttributes(ctx, span.Attributes(), "attribute")
	for _, e := range span.Events().All() {
		if c := b.text(ctx, e.Name(), redact.Name, "event"); c != e.Name() {
			e.SetName(c)
		}
		b.cleanAttributes(ctx, e.Attributes(), "event")
	}
	for _, l := range span.Links().All() {
		b.cleanAttributes(ctx, l.Attributes(), "link")
	}
}

// cleanAttributes cleans the attributes that hold text of a failure.
func (b *batch) cleanAttributes(ctx context.Context, attrs pcommon.Map, place string) {
	for k, v := range attrs.All() {
		if kind, ok := errorTexts[k]; ok && v.Type() == pcommon.ValueTypeStr {
			if c := b.text(ctx, v.Str(), kind, place); c != v.Str() {
				v.SetStr(c)
			}
		}
	}
}

// cleanLog cleans every text of a failing log record.
func (b *batch) cleanLog(ctx context.Context, lr plog.LogRecord) {
	b.cleanAttributes(ctx, lr.Attributes(), "attribute")
}

func (b *batch) cleanPayload(context.Context, *record) {}
