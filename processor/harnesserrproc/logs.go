package harnesserrproc

import (
	"context"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/signal"
)

func (p *normalizer) logs(ctx context.Context, ld plog.Logs) (plog.Logs, error) {
	b := p.begin(ctx)
	index := 0
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			b.scope = b.scopeNamed(sl.Scope().Name())
			for _, lr := range sl.LogRecords().All() {
				clear(b.fails)
				b.fails = b.fails[:0]
				seen := b.seen
				b.guard(ctx, "logs", func() { b.logRecord(ctx, lr) })
				b.observeLog(lr, index, b.seen > seen)
				index++
			}
		}
	}
	return ld, p.end(ctx, b, "logs")
}

// logRecord decides and writes one log record. Records stand alone: what relates failures is in the spans.
func (b *batch) logRecord(ctx context.Context, lr plog.LogRecord) {
	p, r := b.p, &b.rec
	r.scanAny(lr.Attributes())
	r.role = signal.RoleUnknown
	event := eventName(r, lr, b.scope)
	r.ev.Reset()
	if !r.recognisedLog(p, lr, event, b.scope) {
		return
	}
	b.seen++
	name := b.cleanName(event)
	r.identify(p, b.scope, name)
	r.logOperation(name)
	a := b.annotate(ctx, name)
	r.ev.Event = event
	r.found |= lookEvidence // the event itself is evidence, and rules may ask for any attribute
	r.gather(p)
	r.logEvidence(lr, event)
	r.realtime(p.engine)
	f := b.fail(a)
	b.finish(ctx, lr.Attributes(), a)
	if f == nil {
		return
	}
	b.cleanLog(ctx, lr)
	f.propagated = f.verdict.Repeats || p.cfg.Logs.Twins == twinsMark && !lr.SpanID().IsEmpty()
	if !f.settled {
		room(lr.Attributes(), &f.verdict)
		if p.cfg.Annotate == annotateFailures {
			a.write(lr.Attributes(), f.own)
		}
		f.original = b.writer(ctx, f.own).verdict(lr.Attributes(), &f.verdict)
		b.count(ctx, f, "logs")
	}
	writeRelations(lr.Attributes(), f)
}

// vendors are the prefixes of the events of coding agents, by the vendor they ask.
var vendors = []struct{ prefix, framework, provider string }{
	{"claude_code.", "claude-code", "anthropic"}, {"codex.", "codex", "openai"}, {"gemini_cli.", "gemini-cli", "gcp.gemini"},
}

// eventName returns the name of an event from the places where SDKs put it: the field, an attribute, or the body. Claude
// Code leaves its prefix out of the attribute.
func eventName(r *record, lr plog.LogRecord, sc *scope) string {
	name := lr.EventName()
	if name == "" {
		name = r.text(r.keys.event)
	}
	body := ""
	if lr.Body().Type() == pcommon.ValueTypeStr {
		body = lr.Body().Str()
	}
	if !strings.Contains(name, ".") {
		for _, v := range vendors {
			switch {
			case strings.HasPrefix(body, v.prefix) && len(body) < 80:
				return body
			case name != "" && sc.framework == v.framework:
				return v.prefix + name
			}
		}
	}
	return name
}

// failureEvent is the event that connector/harnesserrconn makes of a failure that is counted already.
const failureEvent = "harness.error"

// recognisedLog reports whether the record is GenAI or agent telemetry: by its event, its scope, a marker, or a harness
// error object or labby envelope that it carries.
func (r *record) recognisedLog(p *normalizer, lr plog.LogRecord, event string, sc *scope) bool {
	switch {
	case event == failureEvent:
		return false
	case strings.HasPrefix(event, "gen_ai."), strings.HasPrefix(event, "mcp."), strings.HasPrefix(event, "a2a."), p.engine.WantsEvent(event):
		return true
	case r.recognised(sc):
		return true
	}
	for _, v := range vendors {
		if strings.HasPrefix(event, v.prefix) {
			return true
		}
	}
	r.object(p, lr.Body())
	r.envelope(lr.Body())
	return len(r.ev.Found) > 0 || r.ev.Labby.Kind != ""
}

// logOperation names the operation of an event that does not say it.
func (r *record) logOperation(event string) {
	for _, v := range vendors {
		rest, ok := strings.CutPrefix(event, v.prefix)
		if !ok {
			continue
		}
		r.framework, r.provider = v.framework, v.provider
		r.operation = codingOperation(rest)
		return
	}
	if r.operation == signal.OpOther && strings.HasPrefix(event, "gen_ai.client.") {
		r.operation = signal.OpChat
	}
}

func codingOperation(event string) signal.Operation {
	switch {
	case strings.HasPrefix(event, "api_"), strings.HasPrefix(event, "sse_"), strings.HasPrefix(event, "websocket"),
		strings.HasPrefix(event, "chat."), strings.HasPrefix(event, "network_retry"), event == "malformed_json_response":
		return signal.OpChat
	case strings.HasPrefix(event, "tool"), strings.HasPrefix(event, "sandbox"), strings.HasPrefix(event, "conseca"):
		return signal.OpExecuteTool
	case strings.HasPrefix(event, "mcp_"):
		return signal.OpMCP
	}
	return signal.OpInvokeAgent
}

// logEvidence adds what the record's severity, event and body show.
func (r *record) logEvidence(lr plog.LogRecord, event string) {
	ev := &r.ev
	if lr.SeverityNumber() >= plog.SeverityNumberError || event == "gen_ai.client.operation.exception" ||
		len(ev.Exceptions) > 0 || len(ev.Messages) > 0 {
		ev.Status = signal.StatusError
	}
	switch body := lr.Body(); body.Type() {
	case pcommon.ValueTypeMap:
		if v, ok := body.Map().Get("finish_reason"); ok {
			r.addStops(v)
		}
		if len(ev.Found) == 0 && hasObject(body.Map()) {
			if f, ok := problem.FindTree(body.AsRaw()); ok {
				ev.Found = append(ev.Found, f)
			}
		}
	case pcommon.ValueTypeStr:
		s := body.Str()
		if ev.Status == signal.StatusError && s != event {
			r.addMessage(s)
		}
		if strings.Contains(s, `"finish_reason"`) {
			r.answer(body)
		}
	}
	if ev.Labby.Kind == "" {
		r.envelope(lr.Body())
	}
}

// hasObject is a cheap look for a harness error object or a carrier of one.
func hasObject(m pcommon.Map) bool {
	if v, ok := m.Get("type"); ok && v.Type() == pcommon.ValueTypeStr && problem.IsType(v.Str()) {
		return true
	}
	for _, k := range [...]string{"error", "result", "_meta", "status", "task", "statusUpdate", "message", "data"} {
		if _, ok := m.Get(k); ok {
			return true
		}
	}
	return false
}

// observeLog reports the decision on a log record.
func (b *batch) observeLog(lr plog.LogRecord, index int, recognised bool) {
	if b.obs == nil {
		return
	}
	r := &b.rec
	rec := observe.Record{
		Signal: "log", Name: eventName(r, lr, b.scope), Index: index, Recognised: recognised, Verdict: &signal.Verdict{},
		ErrorType: get(lr.Attributes(), attrErrorType), Original: get(lr.Attributes(), attrOriginal),
	}
	if !lr.TraceID().IsEmpty() {
		rec.TraceID = lr.TraceID().String()
	}
	if !lr.SpanID().IsEmpty() {
		rec.SpanID = lr.SpanID().String()
	}
	if recognised {
		rec.Operation, rec.Peer, rec.Method = r.operation.String(), get(lr.Attributes(), attrPeer), get(lr.Attributes(), attrMethod)
	}
	if len(b.fails) > 0 {
		b.fails[0].observe(&rec)
	}
	b.obs(rec)
}
