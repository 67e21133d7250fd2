package harnesserrproc

import (
	"context"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/metadata"
	"github.com/harnesserr/harnesserr/redact"
)

// telemetry counts what the processor did. Attribute sets are made once and kept: their vocabularies are closed.
type telemetry struct {
	b *metadata.TelemetryBuilder

	mu   sync.RWMutex
	sets map[labels]metric.MeasurementOption
	// originals are the types that are counted by name.
	originals map[string]bool
}

// maxOriginals bounds them.
const maxOriginals = 200

func newTelemetry(b *metadata.TelemetryBuilder) *telemetry {
	return &telemetry{b: b, sets: map[labels]metric.MeasurementOption{}, originals: map[string]bool{}}
}

func (t *telemetry) shutdown() { t.b.Shutdown() }

// maxSets bounds the attribute sets that are kept; private codes beyond it are counted as other.
const maxSets = 2000

// labels are one or two attributes; key2 is empty for one.
type labels struct{ key1, value1, key2, value2 string }

// option returns the attribute set of the labels.
func (t *telemetry) option(l labels) metric.MeasurementOption {
	t.mu.RLock()
	o, ok := t.sets[l]
	t.mu.RUnlock()
	if ok {
		return o
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	full := len(t.sets) >= maxSets
	if full {
		l.value1 = "other"
	}
	attrs := []attribute.KeyValue{attribute.String(l.key1, l.value1)}
	if l.key2 != "" {
		attrs = append(attrs, attribute.String(l.key2, l.value2))
	}
	o = metric.WithAttributeSet(attribute.NewSet(attrs...))
	if !full {
		l.value1, l.value2 = strings.Clone(l.value1), strings.Clone(l.value2) // a record's memory goes away
		t.sets[l] = o
	}
	return o
}

func (t *telemetry) seen(ctx context.Context, sig string, n int) {
	if n > 0 {
		t.b.ProcessorHarnesserrRecordsSeen.Add(ctx, int64(n), t.option(labels{key1: "signal", value1: sig}))
	}
}

func (t *telemetry) classified(ctx context.Context, code, evidence string, n int) {
	t.b.ProcessorHarnesserrClassified.Add(ctx, int64(n), t.option(labels{"code", code, "evidence", evidence}))
}

// fallback counts a failure that no rule explains under its former type, which is a vendor's word and so bounded.
func (t *telemetry) fallback(ctx context.Context, sig, original string) {
	t.mu.RLock()
	known := t.originals[original]
	t.mu.RUnlock()
	if !known {
		t.mu.Lock()
		if len(t.originals) < maxOriginals {
			t.originals[original] = true
		} else {
			original = "other"
		}
		t.mu.Unlock()
	}
	t.b.ProcessorHarnesserrFallbacks.Add(ctx, 1, t.option(labels{"signal", sig, "original_type", original}))
}

func (t *telemetry) folded(ctx context.Context) { t.b.ProcessorHarnesserrPeersFolded.Add(ctx, 1) }

func (t *telemetry) unmerged(ctx context.Context, n int) {
	if n > 0 {
		t.b.ProcessorHarnesserrPointsUnmerged.Add(ctx, int64(n))
	}
}

func (t *telemetry) recordError(ctx context.Context, sig string) {
	t.b.ProcessorHarnesserrRecordErrors.Add(ctx, 1, t.option(labels{key1: "signal", value1: sig}))
}

// redactions counts a report's replacements, made at one place, and empties it.
func (t *telemetry) redactions(ctx context.Context, r *redact.Report, place string) {
	if r.Total() == 0 {
		return
	}
	r.Each(func(rule string, n int) {
		t.b.ProcessorHarnesserrRedactions.Add(ctx, int64(n), t.option(labels{"rule", rule, "place", place}))
	})
	r.Reset()
}

// redacted counts one replacement that the processor made itself.
func (t *telemetry) redacted(ctx context.Context, rule, place string) {
	t.b.ProcessorHarnesserrRedactions.Add(ctx, 1, t.option(labels{"rule", rule, "place", place}))
}
