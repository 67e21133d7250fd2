package problemexporter

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/metadata"
)

// NewFactory returns the factory of the exporter.
func NewFactory() exporter.Factory {
	f := &factory{shared: map[*Config]*problemExporter{}}
	return exporter.NewFactory(
		metadata.Type,
		createDefaultConfig,
		exporter.WithTraces(f.createTraces, metadata.TracesStability),
		exporter.WithLogs(f.createLogs, metadata.LogsStability),
	)
}

func (f *factory) createTraces(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Traces, error) {
	e, err := f.get(set, cfg.(*Config))
	if err != nil {
		return nil, err
	}
	next, err := exporterhelper.NewTraces(ctx, set, cfg, e.pushTraces, e.options()...)
	if err != nil {
		return nil, err
	}
	return &tracesExporter{Traces: next, selector: e.selector}, nil
}

func (f *factory) createLogs(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Logs, error) {
	e, err := f.get(set, cfg.(*Config))
	if err != nil {
		return nil, err
	}
	next, err := exporterhelper.NewLogs(ctx, set, cfg, e.pushLogs, e.options()...)
	if err != nil {
		return nil, err
	}
	return &logsExporter{Logs: next, selector: e.selector}, nil
}
