package cases

import (
	"context"
	"fmt"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processorhelper"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

// Unit is the case that the others are compared with: the least that a processor with a table must do on each span.
const Unit = "floor/classify200"

// floor are the costs below which nothing can be.
func floor() []Case {
	td := samplebatch.Default.Traces()
	return []Case{
		{"floor/status", td.SpanCount(), func() (*Instance, error) { return hot(td, status) }},
		{"floor/pass", td.SpanCount(), func() (*Instance, error) { return fresh(td, pass) }},
		{Unit, td.SpanCount(), func() (*Instance, error) { return fresh(td, classify(classifyTable())) }},
		{"floor/put1", td.SpanCount(), func() (*Instance, error) { return fresh(td, put) }},
		{"floor/copy", td.SpanCount(), func() (*Instance, error) { return hot(td, duplicate) }},
		{"floor/nop_processor", td.SpanCount(), func() (*Instance, error) { return pipeline(td, step{nopFactory(), raw{}}) }},
		{"floor/plain/pass", samplePlain.Spans, func() (*Instance, error) { return fresh(samplePlain.Traces(), pass) }},
	}
}

var samplePlain = samplebatch.Batch{Spans: 1000, Seed: 1, Plain: true}

// observed keeps the compiler from dropping what is only looked at.
var observed int

func eachSpan(td ptrace.Traces, f func(ptrace.Span)) {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				f(s)
			}
		}
	}
}

func status(_ context.Context, td ptrace.Traces) error {
	eachSpan(td, func(s ptrace.Span) {
		if s.Status().Code() == ptrace.StatusCodeError {
			observed++
		}
	})
	return nil
}

// pass is one pass over all attributes that tells eight keys apart.
func pass(_ context.Context, td ptrace.Traces) error {
	eachSpan(td, func(s ptrace.Span) { passOver(s.Attributes()) })
	return nil
}

func passOver(attrs pcommon.Map) {
	for k, v := range attrs.All() {
		switch k {
		case "error.type", "gen_ai.response.finish_reasons", "http.response.status_code", "gen_ai.operation.name",
			"gen_ai.request.model", "gen_ai.provider.name", "mcp.method.name", "rpc.method":
			observed += int(v.Type())
		}
	}
}

// classify is that pass, a table of 200 entries and six attributes on each span that failed.
func classify(table map[string]string) tracesFunc {
	return func(_ context.Context, td ptrace.Traces) error {
		eachSpan(td, func(s ptrace.Span) {
			code := lookUp(s, table)
			if code == "" {
				return
			}
			a := s.Attributes()
			a.EnsureCapacity(a.Len() + 6)
			for _, k := range [...]string{
				"error.type", "harness.error.code", "harness.error.class", "harness.error.origin", "harness.operation", "harness.peer",
			} {
				a.PutStr(k, code)
			}
		})
		return nil
	}
}

func lookUp(s ptrace.Span, table map[string]string) (code string) {
	for k, v := range s.Attributes().All() {
		switch k {
		case "gen_ai.response.finish_reasons":
			if reasons := v.Slice(); reasons.Len() > 0 {
				code = table[reasons.At(0).Str()]
			}
		case "error.type", "http.response.status_code", "gen_ai.operation.name", "gen_ai.request.model",
			"gen_ai.provider.name", "mcp.method.name", "rpc.method":
			observed += int(v.Type())
		}
	}
	for _, e := range s.Events().All() {
		if x, ok := e.Attributes().Get("exception.type"); ok {
			code = table[x.Str()]
		}
	}
	return code
}

func classifyTable() map[string]string {
	table := map[string]string{}
	for i := range 100 {
		table[finishReason(i)] = fmt.Sprintf("finish.%d", i)
		table[exceptionType(i)] = fmt.Sprintf("exception.%d", i)
	}
	return table
}

// finishReason is the i-th of a long list that begins with those in the batch; exceptionType likewise.
func finishReason(i int) string {
	if i < len(samplebatch.FinishReasons) {
		return samplebatch.FinishReasons[i]
	}
	return fmt.Sprintf("reason_%03d", i)
}

func exceptionType(i int) string {
	if i < len(samplebatch.ExceptionTypes) {
		return samplebatch.ExceptionTypes[i]
	}
	return fmt.Sprintf("vendor.Error%03d", i)
}

func put(_ context.Context, td ptrace.Traces) error {
	eachSpan(td, func(s ptrace.Span) { s.Attributes().PutStr("harness.seen", "1") })
	return nil
}

// duplicate is what a fan-out does for each further consumer, if one of them changes data.
func duplicate(_ context.Context, td ptrace.Traces) error {
	td.CopyTo(ptrace.NewTraces())
	return nil
}

func nopFactory() processor.Factory {
	return processor.NewFactory(component.MustNewType("nop"), func() component.Config { return &struct{}{} },
		processor.WithTraces(func(ctx context.Context, set processor.Settings, cfg component.Config, next consumer.Traces) (processor.Traces, error) {
			same := func(_ context.Context, td ptrace.Traces) (ptrace.Traces, error) { return td, nil }
			return processorhelper.NewTraces(ctx, set, cfg, next, same, processorhelper.WithCapabilities(consumer.Capabilities{MutatesData: true}))
		}, component.StabilityLevelDevelopment))
}
