package problemexporter

import (
	"context"

	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/internal/document"
)

// tracesExporter lets through to the queue what becomes documents. A queue that
// fills up while the receiver is away then fills with failures, not with the
// healthy spans around them.
type tracesExporter struct {
	exporter.Traces
	selector document.Selector
}

// ConsumeTraces queues the failures of td and does nothing when there are none.
func (e *tracesExporter) ConsumeTraces(ctx context.Context, td ptrace.Traces) error {
	failures, found := e.selector.Traces(td)
	if !found {
		return nil
	}
	return e.Traces.ConsumeTraces(ctx, failures)
}

// logsExporter is tracesExporter for logs.
type logsExporter struct {
	exporter.Logs
	selector document.Selector
}

// ConsumeLogs queues the failures of ld and does nothing when there are none.
func (e *logsExporter) ConsumeLogs(ctx context.Context, ld plog.Logs) error {
	failures, found := e.selector.Logs(ld)
	if !found {
		return nil
	}
	return e.Logs.ConsumeLogs(ctx, failures)
}
