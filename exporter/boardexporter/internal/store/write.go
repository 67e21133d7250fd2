package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	prw "github.com/prometheus/prometheus/storage/remote/otlptranslator/prometheusremotewrite"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Writer translates OTLP metrics into Prometheus series, the way a stock Prometheus does at its OTLP endpoint.
type Writer struct {
	settings prw.Settings
	catalog  *Catalog
}

// targetInfoSpan is the longest time between two points of a batch for which one sample of target_info before and one
// after is enough: any. The translator would write one each two and a half minutes in between, 12 million of them when
// a single point of a batch has no timestamp.
const targetInfoSpan time.Duration = math.MaxInt64

// NewWriter returns a Writer. The named resource attributes become labels of every series.
func (s *Store) NewWriter(promote []string) *Writer {
	return &Writer{
		catalog: s.Metadata,
		settings: prw.Settings{
			AddMetricSuffixes:               true,
			LookbackDelta:                   targetInfoSpan,
			LabelNameUnderscoreSanitization: true,
			PromoteResourceAttributes: prw.NewPromoteResourceAttributes(
				config.OTLPConfig{PromoteResourceAttributes: promote}),
		},
	}
}

// Write hands the points of a batch to app and commits it. A point that is refused does not keep the others out. The
// error is that of the commit; refused points are in the result.
func (w *Writer) Write(ctx context.Context, app storage.AppenderV2, md pmetric.Metrics) (*Refusals, error) {
	r := &Refusals{ByReason: map[string]int{}}
	t := &tolerant{AppenderV2: app, catalog: w.catalog, refusals: r}
	// The annotations are remarks on histograms that were stored all the same.
	_, err := prw.NewPrometheusConverter(t).FromMetrics(ctx, md, w.settings)
	r.translation(md, err)
	return r, app.Commit()
}

// tolerant keeps a refused sample from the translator, which would leave out the rest of the metric's points.
type tolerant struct {
	storage.AppenderV2
	catalog  *Catalog
	refusals *Refusals
}

func (t *tolerant) Append(ref storage.SeriesRef, ls labels.Labels, st, ts int64, v float64,
	h *histogram.Histogram, fh *histogram.FloatHistogram, o storage.AOptions,
) (storage.SeriesRef, error) {
	ref, err := t.AppenderV2.Append(ref, ls, st, ts, v, h, fh, o)
	// A partial error is about exemplars: the sample itself was taken.
	if err != nil && !errors.Is(err, &storage.AppendPartialError{}) {
		t.refusals.add(fmt.Errorf("%s: %w", ls, err), 1)
		return 0, nil
	}
	t.catalog.put(o.MetricFamilyName, o.Metadata)
	return ref, nil
}
