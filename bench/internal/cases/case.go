// Package cases holds what the benchmarks run: the components that people would use, and harnesserr, on the same
// batches. `go test -bench` and the report take the same list.
package cases

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/connector/connectortest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

// Case is one thing to measure.
type Case struct {
	// Name has parts separated by slashes: floor/…, peer/… or harnesserr/….
	Name string
	// Records is how many spans, log records or data points a batch has.
	Records int
	// Start makes the instance that is measured.
	Start func() (*Instance, error)
}

// Instance is a started component with its input.
type Instance struct {
	// Next prepares a batch, outside of what is measured, and returns what to measure.
	Next func() (run func() error, err error)
	stop []func(context.Context) error
}

// Stop shuts the component down.
func (i *Instance) Stop() error {
	var errs []error
	for _, stop := range i.stop {
		errs = append(errs, stop(context.Background()))
	}
	return errors.Join(errs...)
}

type raw = map[string]any

type tracesFunc func(context.Context, ptrace.Traces) error

// fresh runs consume on a batch that was decoded from OTLP just before, as a collector gets it: what a component changes
// is not seen by the next run, and slices have the room that a received batch has, which decides what adding costs. No two
// batches have the same request ids.
func fresh(td ptrace.Traces, consume tracesFunc) (*Instance, error) {
	wire, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
	if err != nil {
		return nil, err
	}
	number := 1_000_000
	return &Instance{Next: func() (func() error, error) {
		td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(wire)
		if err == nil {
			number = samplebatch.Renew(td, number)
		}
		return func() error { return consume(context.Background(), td) }, err
	}}, nil
}

// hot runs consume on the same batch again and again, as a component that changes nothing may be called.
func hot(td ptrace.Traces, consume tracesFunc) (*Instance, error) {
	run := func() error { return consume(context.Background(), td) }
	return &Instance{Next: func() (func() error, error) { return run, nil }}, nil
}

func freshLogs(ld plog.Logs, consume func(context.Context, plog.Logs) error) (*Instance, error) {
	wire, err := (&plog.ProtoMarshaler{}).MarshalLogs(ld)
	if err != nil {
		return nil, err
	}
	return &Instance{Next: func() (func() error, error) {
		ld, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(wire)
		return func() error { return consume(context.Background(), ld) }, err
	}}, nil
}

func freshMetrics(md pmetric.Metrics, consume func(context.Context, pmetric.Metrics) error) (*Instance, error) {
	wire, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	if err != nil {
		return nil, err
	}
	return &Instance{Next: func() (func() error, error) {
		md, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(wire)
		return func() error { return consume(context.Background(), md) }, err
	}}, nil
}

// configure makes a component's configuration from its defaults and the map that its YAML would decode to.
func configure(f component.Factory, values raw) (component.Config, error) {
	cfg := f.CreateDefaultConfig()
	if err := confmap.NewFromStringMap(values).Unmarshal(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Type(), err)
	}
	if err := confmap.Validate(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Type(), err)
	}
	return cfg, nil
}

// step is a processor of a pipeline.
type step struct {
	factory processor.Factory
	config  raw
}

// pipeline starts processors one behind the other, on batches decoded just before.
func pipeline(td ptrace.Traces, steps ...step) (*Instance, error) {
	var next consumer.Traces = consumertest.NewNop()
	var stop []func(context.Context) error
	for i := len(steps) - 1; i >= 0; i-- {
		f := steps[i].factory
		cfg, err := configure(f, steps[i].config)
		if err != nil {
			return nil, err
		}
		p, err := f.CreateTraces(context.Background(), processortest.NewNopSettings(f.Type()), cfg, next)
		if err != nil {
			return nil, err
		}
		if err := p.Start(context.Background(), componenttest.NewNopHost()); err != nil {
			return nil, err
		}
		next, stop = p, append(stop, p.Shutdown)
	}
	in, err := fresh(td, next.ConsumeTraces)
	if err != nil {
		return nil, err
	}
	in.stop = stop
	return in, nil
}

// tracesToMetrics starts a connector.
func tracesToMetrics(td ptrace.Traces, f connector.Factory, values raw) (*Instance, error) {
	cfg, err := configure(f, values)
	if err != nil {
		return nil, err
	}
	c, err := f.CreateTracesToMetrics(context.Background(), connectortest.NewNopSettings(f.Type()), cfg, consumertest.NewNop())
	if err != nil {
		return nil, err
	}
	if err := c.Start(context.Background(), componenttest.NewNopHost()); err != nil {
		return nil, err
	}
	in, err := hot(td, c.ConsumeTraces)
	if err != nil {
		return nil, err
	}
	in.stop = append(in.stop, c.Shutdown)
	return in, nil
}
