package cases

import (
	"context"
	"fmt"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
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
	f := harnesserrproc.NewFactory()
	var once consumertest.TracesSink
	first, err := f.CreateTraces(context.Background(), processortest.NewNopSettings(f.Type()), f.CreateDefaultConfig(), &once)
	if err != nil {
		return nil, err
	}
	if err := first.ConsumeTraces(context.Background(), b.Traces()); err != nil {
		return nil, err
	}
	if err := first.Shutdown(context.Background()); err != nil {
		return nil, err
	}
	td := ptrace.NewTraces()
	once.AllTraces()[0].CopyTo(td)
	return pipeline(td, step{f, raw{}})
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
