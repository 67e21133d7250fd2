package boardexporter

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/sampling"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

// observe registers what is read whenever the collector exports its own metrics.
func (b *board) observe() error {
	if b.sampler != nil {
		if err := b.telemetry.RegisterExporterBoardSeriesCallback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(int64(b.sampler.Live()))
			return nil
		}); err != nil {
			return err
		}
	}
	if err := b.telemetry.RegisterExporterBoardFailingRulesCallback(func(_ context.Context, o metric.Int64Observer) error {
		o.Observe(int64(b.rules.Failing()))
		return nil
	}); err != nil {
		return err
	}
	return b.telemetry.RegisterExporterBoardStoreSizeCallback(func(_ context.Context, o metric.Int64Observer) error {
		blocks, head := b.store.Size()
		o.Observe(blocks, metric.WithAttributes(attribute.String("part", "blocks")))
		o.Observe(head, metric.WithAttributes(attribute.String("part", "head")))
		return nil
	})
}

func (b *board) record(ctx context.Context, t sampling.Tick, took time.Duration) {
	b.telemetry.ExporterBoardSamples.Add(ctx, int64(t.Samples))
	b.telemetry.ExporterBoardSamplingDuration.Record(ctx, took.Seconds())
	byReason := map[string]int{}
	for _, err := range t.Refused {
		byReason[store.Reason(err)]++
	}
	if t.Late > 0 {
		byReason["late"] = t.Late
	}
	b.refused(ctx, byReason)
}

func (b *board) refused(ctx context.Context, byReason map[string]int) {
	for reason, n := range byReason {
		b.telemetry.ExporterBoardRefused.Add(ctx, int64(n), metric.WithAttributes(attribute.String("reason", reason)))
	}
}

func (b *board) answered(ctx context.Context, outcome string) {
	b.telemetry.ExporterBoardRequests.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", outcome)))
}
