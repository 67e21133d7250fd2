package store

import (
	"errors"
	"fmt"

	"github.com/prometheus/prometheus/storage"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

var (
	// ErrSeriesLimit refuses a point that would begin a series beyond the configured number.
	ErrSeriesLimit = errors.New("too many series")
	// ErrTooNew refuses a point from the future.
	ErrTooNew = errors.New("too far in the future")
	// ErrDelta refuses points whose temporality Prometheus can't keep.
	ErrDelta = errors.New("delta temporality: put the deltatocumulative processor in front of this exporter")
)

// maxErrors bounds the errors told for one batch; the rest is only counted.
const maxErrors = 5

// Refusals are the points of a batch that could not be stored.
type Refusals struct {
	// ByReason counts points by the reasons that [Reason] knows.
	ByReason map[string]int
	errs     []error
	count    int
}

// Count is the number of points refused.
func (r *Refusals) Count() int { return r.count }

// Err tells the first few refusals, nil when there was none.
func (r *Refusals) Err() error {
	if len(r.errs) == maxErrors {
		return fmt.Errorf("%d points refused, the first: %w", r.count, errors.Join(r.errs...))
	}
	return errors.Join(r.errs...)
}

// add counts n points refused for one error.
func (r *Refusals) add(err error, n int) {
	r.ByReason[Reason(err)] += n
	r.count += n
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, err)
	}
}

// translation counts what the translator passed over. It tells one error for each metric; delta metrics, the likeliest
// mistake in a configuration, are named here in words that help.
func (r *Refusals) translation(md pmetric.Metrics, err error) {
	if err == nil {
		return
	}
	others := len(flatten(err))
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				if n := deltaPoints(m); n > 0 {
					others--
					r.add(fmt.Errorf("metric %q has %w", m.Name(), ErrDelta), n)
				}
			}
		}
	}
	if others > 0 {
		r.add(err, others)
	}
}

func deltaPoints(m pmetric.Metric) int {
	const delta = pmetric.AggregationTemporalityDelta
	switch {
	case m.Type() == pmetric.MetricTypeSum && m.Sum().AggregationTemporality() == delta:
		return m.Sum().DataPoints().Len()
	case m.Type() == pmetric.MetricTypeHistogram && m.Histogram().AggregationTemporality() == delta:
		return m.Histogram().DataPoints().Len()
	case m.Type() == pmetric.MetricTypeExponentialHistogram && m.ExponentialHistogram().AggregationTemporality() == delta:
		return m.ExponentialHistogram().DataPoints().Len()
	}
	return 0
}

// Reason names why a point was refused, from a closed set: series_limit, delta, too_old, too_new, out_of_order,
// duplicate, and untranslatable for what can't be said in Prometheus' terms.
func Reason(err error) string {
	switch {
	case errors.Is(err, ErrSeriesLimit):
		return "series_limit"
	case errors.Is(err, ErrDelta):
		return "delta"
	case errors.Is(err, ErrTooNew):
		return "too_new"
	case errors.Is(err, storage.ErrTooOldSample), errors.Is(err, storage.ErrOutOfBounds):
		return "too_old"
	case errors.Is(err, storage.ErrOutOfOrderSample):
		return "out_of_order"
	case errors.Is(err, storage.ErrDuplicateSampleForTimestamp):
		return "duplicate"
	default:
		return "untranslatable"
	}
}

// flatten takes joined errors apart.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, flatten(e)...)
	}
	return out
}
