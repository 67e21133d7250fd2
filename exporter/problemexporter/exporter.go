package problemexporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/metadata"
	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/sink"
	"github.com/harnesserr/harnesserr/internal/document"
)

// problemExporter makes documents of records and hands them to a sink.
type problemExporter struct {
	cfg       *Config
	settings  exporter.Settings
	selector  document.Selector
	builder   *document.Builder
	telemetry *metadata.TelemetryBuilder
	closed    func() // tells the factory that the exporter has ended

	users      users
	sink       sink.Sink
	deadLetter *sink.File // nil without one
}

func newProblemExporter(set exporter.Settings, cfg *Config, closed func()) (*problemExporter, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, err
	}
	builder, err := document.NewBuilder(cfg.Document)
	if err != nil {
		return nil, err
	}
	return &problemExporter{
		cfg:       cfg,
		settings:  set,
		selector:  document.NewSelector(cfg.Document),
		builder:   builder,
		telemetry: telemetry,
		closed:    closed,
	}, nil
}

func (e *problemExporter) options() []exporterhelper.Option {
	return []exporterhelper.Option{
		exporterhelper.WithStart(func(ctx context.Context, host component.Host) error {
			return e.users.start(ctx, host, e.open)
		}),
		exporterhelper.WithShutdown(func(ctx context.Context) error {
			return e.users.stop(ctx, e.close)
		}),
		// The HTTP client has its own timeout, for each request of a push.
		exporterhelper.WithTimeout(exporterhelper.TimeoutConfig{Timeout: 0}),
		exporterhelper.WithRetry(e.cfg.RetryConfig),
		exporterhelper.WithQueue(e.cfg.QueueConfig),
	}
}

func (e *problemExporter) open(ctx context.Context, host component.Host) error {
	switch e.cfg.Sink {
	case sinkFile:
		file, err := e.cfg.File.open()
		if err != nil {
			return fmt.Errorf("file::path: %w", err)
		}
		e.sink = file
	case sinkStdout:
		e.sink = sink.NewStream(os.Stdout)
	default:
		return e.openHTTP(ctx, host)
	}
	return nil
}

func (e *problemExporter) openHTTP(ctx context.Context, host component.Host) error {
	client, err := e.cfg.ClientConfig.ToClient(ctx, host.GetExtensions(), e.settings.TelemetrySettings)
	if err != nil {
		return err
	}
	if e.cfg.DeadLetter.Path != "" {
		if e.deadLetter, err = e.cfg.DeadLetter.open(); err != nil {
			return fmt.Errorf("dead_letter::path: %w", err)
		}
	}
	build := e.settings.BuildInfo
	userAgent := fmt.Sprintf("%s/%s (%s/%s)", build.Description, build.Version, runtime.GOOS, runtime.GOARCH)
	e.sink = sink.NewHTTP(client, e.cfg.ClientConfig.Endpoint, userAgent, e.cfg.Format, e.cfg.MaxRequestBytes, e.builder.Clean)
	return nil
}

func (e *problemExporter) close(context.Context) error {
	e.closed()
	e.telemetry.Shutdown()
	if e.sink == nil {
		return nil // never started
	}
	err := e.sink.Close()
	if e.deadLetter != nil {
		err = errors.Join(err, e.deadLetter.Close())
	}
	return err
}

func (e *problemExporter) pushTraces(ctx context.Context, td ptrace.Traces) error {
	pending, err := e.push(ctx, e.builder.FromTraces(td))
	if len(pending) > 0 {
		return consumererror.NewTraces(err, document.KeepSpans(td, pending))
	}
	return err
}

func (e *problemExporter) pushLogs(ctx context.Context, ld plog.Logs) error {
	pending, err := e.push(ctx, e.builder.FromLogs(ld))
	if len(pending) > 0 {
		return consumererror.NewLogs(err, document.KeepRecords(ld, pending))
	}
	return err
}

// push delivers the documents and returns the ordinals of the records that have
// to be pushed again. The error is permanent when there are none.
func (e *problemExporter) push(ctx context.Context, docs []document.Document) ([]int, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	bodies, err := e.encode(docs)
	if err != nil {
		return nil, consumererror.NewPermanent(err)
	}
	result := e.sink.Send(ctx, bodies)
	e.count(ctx, outcomeDelivered, len(docs)-len(result.Pending)-len(result.Refused))
	again, err := e.refuse(ctx, bodies, result)
	var pending []int
	for _, i := range append(result.Pending, again...) {
		pending = append(pending, docs[i].Ordinal)
	}
	slices.Sort(pending)
	return pending, err
}

func (e *problemExporter) encode(docs []document.Document) ([]sink.Document, error) {
	// The draft wants the member status in HTTP bodies alone (6.2); in a body of
	// many it would be the status of none.
	withStatus := e.cfg.Sink == sinkHTTP && e.cfg.Format == sink.FormatSingle
	out := make([]sink.Document, len(docs))
	for i := range docs {
		body, key, err := docs[i].Encode(withStatus)
		if err != nil {
			return nil, err
		}
		out[i] = sink.Document{Body: body, Key: key}
	}
	return out, nil
}
