package problemexporter

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/sink"
)

// Values of the attribute outcome (metadata.yaml).
const (
	outcomeDelivered    = "delivered"
	outcomeRefused      = "refused"
	outcomeDeadLettered = "dead_lettered"
)

// refuse puts the documents that the receiver won't take into the dead-letter
// file, or drops them with an error. It returns the indices of those that the
// file could not take either, and the error of the push.
func (e *problemExporter) refuse(ctx context.Context, docs []sink.Document, result sink.Result) (again []int, err error) {
	if len(result.Refused) == 0 {
		return nil, result.Err
	}
	if e.deadLetter == nil {
		e.count(ctx, outcomeRefused, len(result.Refused))
		e.settings.Logger.Error("Documents refused and dropped. Set dead_letter::path to keep them.",
			zap.Int("documents", len(result.Refused)), zap.Error(result.Err))
		if len(result.Pending) > 0 {
			return nil, result.Err
		}
		return nil, consumererror.NewPermanent(result.Err)
	}

	refused := make([]sink.Document, len(result.Refused))
	for i, index := range result.Refused {
		refused[i] = docs[index]
	}
	dead := e.deadLetter.Send(ctx, refused)
	for _, i := range dead.Pending {
		again = append(again, result.Refused[i])
	}
	kept := len(refused) - len(again)
	e.count(ctx, outcomeDeadLettered, kept)
	if kept > 0 {
		e.settings.Logger.Warn("Documents refused and written to the dead-letter file.",
			zap.Int("documents", kept), zap.String("path", e.cfg.DeadLetter.Path), zap.Error(result.Err))
	}
	switch {
	case len(again) > 0:
		return again, errors.Join(result.Err, fmt.Errorf("dead letter: %w", dead.Err))
	case len(result.Pending) > 0:
		return nil, result.Err
	default:
		return nil, nil
	}
}

func (e *problemExporter) count(ctx context.Context, outcome string, documents int) {
	if documents > 0 {
		e.telemetry.ExporterProblemDocuments.Add(ctx, int64(documents),
			metric.WithAttributes(attribute.String("outcome", outcome)))
	}
}
