package harnesserrproc

import (
	"context"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/merge"
	"github.com/harnesserr/harnesserr/redact"
	"github.com/harnesserr/harnesserr/signal"
)

func (p *normalizer) metrics(ctx context.Context, md pmetric.Metrics) (pmetric.Metrics, error) {
	b := p.begin(ctx)
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			b.scope = b.scopeNamed(sm.Scope().Name())
			for _, m := range sm.Metrics().All() {
				b.metric(ctx, m)
			}
		}
	}
	return md, p.end(ctx, b, "metrics")
}

// metric rewrites the error.type of a metric's points and joins those that become equal.
func (b *batch) metric(ctx context.Context, m pmetric.Metric) {
	var was merge.Was
	eachPoint(m, func(i int, attrs pcommon.Map) {
		clear(b.fails)
		b.fails = b.fails[:0]
		seen := b.seen
		b.guard(ctx, "metrics", func() {
			if before, changed := b.point(ctx, m.Name(), attrs); changed {
				if was == nil {
					was = merge.Was{}
				}
				was[i] = before
			}
		})
		b.observePoint(m.Name(), i, attrs, b.seen > seen)
	})
	if was != nil {
		b.guard(ctx, "metrics", func() { b.p.tel.unmerged(ctx, merge.Metric(m, was)) })
	}
}

// eachPoint calls f with the attributes of every data point.
func eachPoint(m pmetric.Metric, f func(i int, attrs pcommon.Map)) {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		for i, p := range m.Sum().DataPoints().All() {
			f(i, p.Attributes())
		}
	case pmetric.MetricTypeGauge:
		for i, p := range m.Gauge().DataPoints().All() {
			f(i, p.Attributes())
		}
	case pmetric.MetricTypeHistogram:
		for i, p := range m.Histogram().DataPoints().All() {
			f(i, p.Attributes())
		}
	case pmetric.MetricTypeExponentialHistogram:
		for i, p := range m.ExponentialHistogram().DataPoints().All() {
			f(i, p.Attributes())
		}
	case pmetric.MetricTypeSummary:
		for i, p := range m.Summary().DataPoints().All() {
			f(i, p.Attributes())
		}
	}
}

// agentMetrics are the prefixes of the names of GenAI and agent metrics.
var agentMetrics = []string{"gen_ai.", "mcp.", "a2a.", "claude_code.", "codex.", "gemini_cli.", "llm."}

// foreignMetrics are those of other conventions, also when their points carry a marker.
var foreignMetrics = []string{"http.", "db.", "rpc.", "messaging.", "dns.", "system.", "process."}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// point decides one data point and returns its former error.type if that changed. A point has no other evidence; without
// error.type it counts successes.
func (b *batch) point(ctx context.Context, name string, attrs pcommon.Map) (before string, changed bool) {
	p, r := b.p, &b.rec
	if hasPrefix(name, foreignMetrics) {
		return "", false
	}
	r.scanAny(attrs)
	if !hasPrefix(name, agentMetrics) && !r.recognised(b.scope) || !hasPrefix(name, agentMetrics) && r.found&lookForeign != 0 {
		return "", false
	}
	b.seen++
	errorType := r.text(r.keys.errorType)
	if errorType == "" || p.cfg.Metrics == metricsOff {
		return "", false
	}
	r.role = signal.RoleUnknown
	r.identify(p, b.scope, name)
	r.pointOperation(name)
	r.ev.Reset()
	r.ev.Operation, r.ev.Protocol, r.ev.Method = r.operation, r.protocol, r.method
	r.ev.Provider, r.ev.Framework, r.ev.ErrorType = r.provider, r.framework, errorType
	f := b.fail(annotation{})
	if f == nil {
		return "", false
	}
	v := &f.verdict
	if !v.Class.Failure() || v.Code == "" || v.Code == errorType || v.Evidence == signal.KindFallback && p.cfg.Unknown == unknownKeep || p.cfg.ErrorType != typeReplace {
		return "", false
	}
	f.original = b.text(ctx, errorType, redact.Text, placeAttribute)
	b.count(ctx, f, "metrics")
	attrs.PutStr(attrErrorType, v.Code)
	return errorType, true
}

// pointOperation names the operation of a metric that does not say it: gen_ai.execute_tool.duration.
func (r *record) pointOperation(name string) {
	switch {
	case strings.HasPrefix(name, "mcp."):
		r.protocol = signal.ProtocolMCP
		if r.operation == signal.OpOther {
			r.operation = signal.OpMCP
		}
		return
	case strings.HasPrefix(name, "a2a."):
		r.protocol = signal.ProtocolA2A
		if r.operation == signal.OpOther {
			r.operation = signal.OpA2A
		}
		return
	case r.operation != signal.OpOther:
		return
	}
	for _, part := range strings.Split(name, ".") {
		if op, ok := r.operationNamed(part); ok {
			r.operation = op
			return
		}
	}
	if strings.HasPrefix(name, "gen_ai.") || strings.HasPrefix(name, "llm.") {
		r.operation = signal.OpChat
	}
}

// observePoint reports the decision on a data point.
func (b *batch) observePoint(name string, index int, attrs pcommon.Map, recognised bool) {
	if b.obs == nil {
		return
	}
	rec := observe.Record{Signal: "metric", Name: name, Index: index, Recognised: recognised, Verdict: &signal.Verdict{}, ErrorType: get(attrs, attrErrorType)}
	if recognised {
		rec.Operation = b.rec.operation.String()
	}
	if len(b.fails) > 0 {
		b.fails[0].observe(&rec)
		if v := rec.Verdict; v.Code != "" && rec.ErrorType == v.Code && b.rec.ev.ErrorType != v.Code {
			rec.Original = b.rec.ev.ErrorType
		}
	}
	b.obs(rec)
}
