package cases

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc"
	"github.com/harnesserr/harnesserr/redact"
)

// The cases that the bars are about.
const (
	Failures = "harnesserr/failing5/failures" // annotate: failures
	All      = "harnesserr/failing5/all"      // the default
	Plain    = "harnesserr/plain"             // spans of other conventions
	PlainOne = "floor/plain/pass"             // one pass over the same spans
)

// Shares, Widths and RuleCounts are the points of the growth curves: the share of spans that failed in percent,
// attributes a span, rules of the user's own.
var (
	Shares     = []int{0, 1, 2, 5, 10, 25, 50, 100}
	Widths     = []int{20, 32, 64, 128}
	RuleCounts = []int{0, 100, 1000, 10000}
)

// ours are harnesserr with all its rules and redaction on, unless the name says otherwise.
func ours() []Case {
	failures := raw{"annotate": "failures"}
	healthy := samplebatch.Batch{Spans: 1000, Seed: 1}
	all := samplebatch.Batch{Spans: 1000, Seed: 1, Failing: 1}
	five := samplebatch.Default
	cases := []Case{
		processorCase("healthy/failures", healthy, failures),
		processorCase("healthy/all", healthy, raw{}),
		{"harnesserr/healthy/annotated_before", healthy.Spans, func() (*Instance, error) { return again(healthy) }},
		processorCase("plain", samplePlain, raw{}),
		processorCase("failing5/failures", five, failures),
		processorCase("failing5/all", five, raw{}),
		{"floor/failing5/failures", five.Spans, func() (*Instance, error) { return foreknown(five, failures) }},
		{"floor/failing5/all", five.Spans, func() (*Instance, error) { return foreknown(five, raw{}) }},
		processorCase("failing5/all_causality_off", five, raw{"causality": false}),
		processorCase("failing5/all_redaction_off", five, raw{"redact": raw{"disable": every(redact.Rules())}}),
		processorCase("failing5/all_pii", five, raw{"redact": raw{"pii": true}}),
		processorCase("failing100/failures", all, failures),
		processorCase("failing100/all", all, raw{}),
		processorCase("failing100/all_new_texts", samplebatch.Batch{Spans: 1000, Seed: 1, Failing: 1, Varied: true}, raw{}),
		processorCase("failing100/all_causality_off", all, raw{"causality": false}),
		processorCase("failing100/all_redaction_off", all, raw{"redact": raw{"disable": every(redact.Rules())}}),
	}
	for _, failing := range []int{0, 5, 100} {
		share := float64(failing) / 100
		cases = append(cases,
			Case{fmt.Sprintf("harnesserr/logs/failing%d", failing), 1000, func() (*Instance, error) { return logsInstance(share) }},
			Case{fmt.Sprintf("harnesserr/points/failing%d", failing), 1000, func() (*Instance, error) { return pointsInstance(share) }})
	}
	return append(cases, growth()...)
}

// growth are the points of the curves; annotate: failures, so that only what grows shows.
func growth() (cases []Case) {
	for _, percent := range Shares {
		batch := samplebatch.Batch{Spans: 1000, Seed: 1, Failing: float64(percent) / 100}
		cases = append(cases,
			processorCase(fmt.Sprintf("growth/failing/%03d", percent), batch, raw{"annotate": "failures"}),
			processorCase(fmt.Sprintf("growth/failing_all/%03d", percent), batch, raw{}))
	}
	for _, n := range Widths {
		td := wide(samplebatch.Default, n)
		cases = append(cases,
			Case{fmt.Sprintf("harnesserr/growth/attributes/%03d", n), td.SpanCount(), func() (*Instance, error) {
				return pipeline(td, step{harnesserrproc.NewFactory(), raw{"annotate": "failures"}})
			}},
			Case{fmt.Sprintf("floor/growth/attributes/%03d", n), td.SpanCount(), func() (*Instance, error) { return fresh(td, pass) }})
	}
	for _, n := range RuleCounts {
		cases = append(cases, Case{fmt.Sprintf("harnesserr/growth/rules/%05d", n), samplebatch.Default.Spans, func() (*Instance, error) {
			return pipeline(samplebatch.Default.Traces(), step{harnesserrproc.NewFactory(), raw{"annotate": "failures", "rules": Rules(n)}})
		}})
	}
	return cases
}

func processorCase(name string, b samplebatch.Batch, config raw) Case {
	return Case{"harnesserr/" + name, b.Spans, func() (*Instance, error) {
		return pipeline(b.Traces(), step{harnesserrproc.NewFactory(), config})
	}}
}

// again is a gateway behind an agent's collector: the batch has been through the processor before.
func again(b samplebatch.Batch) (*Instance, error) {
	td, err := processed(b, raw{})
	if err != nil {
		return nil, err
	}
	return pipeline(td, step{harnesserrproc.NewFactory(), raw{}})
}

// processed is what the processor makes of a batch.
func processed(b samplebatch.Batch, config raw) (ptrace.Traces, error) {
	var sink consumertest.TracesSink
	p, err := Processor(context.Background(), config, &sink)
	if err != nil {
		return ptrace.Traces{}, err
	}
	if err := errors.Join(p.ConsumeTraces(context.Background(), b.Traces()), p.Shutdown(context.Background())); err != nil {
		return ptrace.Traces{}, err
	}
	td := ptrace.NewTraces()
	sink.AllTraces()[0].CopyTo(td)
	return td, nil
}

func foreknown(b samplebatch.Batch, config raw) (*Instance, error) {
	write, err := Foreknown(b, config)
	if err != nil {
		return nil, err
	}
	return fresh(b.Traces(), func(_ context.Context, td ptrace.Traces) error {
		write(td)
		return nil
	})
}

// Foreknown returns the least that writing the processor's attributes to the batch can cost: one pass over those that are
// there, and of what is added everything is known before. config is the processor's.
func Foreknown(b samplebatch.Batch, config map[string]any) (write func(td ptrace.Traces), err error) {
	td, err := processed(b, config)
	if err != nil {
		return nil, err
	}
	before := map[pcommon.SpanID]pcommon.Map{}
	eachSpan(b.Traces(), func(s ptrace.Span) { before[s.SpanID()] = s.Attributes() })
	var added []pcommon.Map
	eachSpan(td, func(s ptrace.Span) {
		s.Attributes().RemoveIf(func(k string, _ pcommon.Value) bool {
			_, was := before[s.SpanID()].Get(k)
			return was
		})
		added = append(added, s.Attributes())
	})
	return func(td ptrace.Traces) {
		i := 0
		eachSpan(td, func(s ptrace.Span) {
			attrs := s.Attributes()
			passOver(attrs)
			if n := added[i].Len(); n > 0 {
				attrs.EnsureCapacity(attrs.Len() + n)
				for k, v := range added[i].All() {
					putCopy(attrs, k, v)
				}
			}
			i++
		})
	}, nil
}

// Processor starts the processor in front of a consumer.
func Processor(ctx context.Context, config map[string]any, next consumer.Traces) (processor.Traces, error) {
	f := harnesserrproc.NewFactory()
	cfg, err := configure(f, config)
	if err != nil {
		return nil, err
	}
	p, err := f.CreateTraces(ctx, processortest.NewNopSettings(f.Type()), cfg, next)
	if err != nil {
		return nil, err
	}
	return p, p.Start(ctx, componenttest.NewNopHost())
}

func putCopy(m pcommon.Map, k string, v pcommon.Value) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		m.PutStr(k, v.Str())
	case pcommon.ValueTypeBool:
		m.PutBool(k, v.Bool())
	case pcommon.ValueTypeInt:
		m.PutInt(k, v.Int())
	default:
		v.CopyTo(m.PutEmpty(k))
	}
}

func logsInstance(failing float64) (*Instance, error) {
	f := harnesserrproc.NewFactory()
	p, err := f.CreateLogs(context.Background(), processortest.NewNopSettings(f.Type()), f.CreateDefaultConfig(), consumertest.NewNop())
	if err != nil {
		return nil, err
	}
	if err := p.Start(context.Background(), componenttest.NewNopHost()); err != nil {
		return nil, err
	}
	in, err := freshLogs(logs(1000, failing), p.ConsumeLogs)
	if err != nil {
		return nil, err
	}
	in.stop = append(in.stop, p.Shutdown)
	return in, nil
}

func pointsInstance(failing float64) (*Instance, error) {
	f := harnesserrproc.NewFactory()
	p, err := f.CreateMetrics(context.Background(), processortest.NewNopSettings(f.Type()), f.CreateDefaultConfig(), consumertest.NewNop())
	if err != nil {
		return nil, err
	}
	if err := p.Start(context.Background(), componenttest.NewNopHost()); err != nil {
		return nil, err
	}
	in, err := freshMetrics(points(1000, failing), p.ConsumeMetrics)
	if err != nil {
		return nil, err
	}
	in.stop = append(in.stop, p.Shutdown)
	return in, nil
}

// Rules are n rules of a user's own that fit nothing in the batches: half on class names, half on messages.
func Rules(n int) []any {
	rules := make([]any, 0, n)
	for i := range n {
		if i%2 == 0 {
			rules = append(rules, raw{"match": "type", "value": fmt.Sprintf("acme.errors.Failure%05dError", i), "code": "tool.timeout"})
		} else {
			rules = append(rules, raw{"match": "message", "value": fmt.Sprintf("acme failure number %05d", i), "code": "tool.timeout"})
		}
	}
	return rules
}

func every(names []string) []any {
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	return list
}
