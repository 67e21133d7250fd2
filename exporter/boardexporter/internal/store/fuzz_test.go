package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

// FuzzWrite stores any OTLP payload: nothing panics, refused points are counted, and the store goes on.
func FuzzWrite(f *testing.F) {
	now := time.Now()
	for _, md := range []pmetric.Metrics{
		metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now, Start: now.Add(-time.Minute), Trace: 1}),
		metricstest.Counter(metricstest.Point{Peer: "", At: now, Stale: true}),
		oddHistograms(now),
	} {
		data, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
		require.NoError(f, err)
		f.Add(data)
	}
	s, err := Open(options(f.TempDir()))
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, s.Close()) })
	w := s.NewWriter([]string{"service.name"})
	f.Fuzz(func(t *testing.T, data []byte) {
		md, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(data)
		if err != nil {
			return
		}
		r, err := w.Write(t.Context(), s.DirectAppender(t.Context()), md)
		require.NoError(t, err)
		total := 0
		for _, n := range r.ByReason {
			total += n
		}
		require.Equal(t, r.Count(), total)
		require.Equal(t, r.Count() == 0, r.Err() == nil)
	})
}

// oddHistograms have buckets that don't fit their bounds, and buckets at the edge of what a double can say.
func oddHistograms(now time.Time) pmetric.Metrics {
	md := pmetric.NewMetrics()
	ms := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics()
	m := ms.AppendEmpty()
	m.SetName("explicit")
	m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	h := m.Histogram().DataPoints().AppendEmpty()
	h.SetTimestamp(pcommon.NewTimestampFromTime(now))
	h.ExplicitBounds().FromRaw([]float64{1, 2, 3})
	h.BucketCounts().FromRaw([]uint64{1})
	h.SetCount(9)
	m = ms.AppendEmpty()
	m.SetName("exponential")
	m.SetEmptyExponentialHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	e := m.ExponentialHistogram().DataPoints().AppendEmpty()
	e.SetTimestamp(pcommon.NewTimestampFromTime(now))
	e.SetScale(20)
	e.Positive().SetOffset(1 << 30)
	e.Positive().BucketCounts().FromRaw([]uint64{1, 0, 0, 0, 5})
	e.Negative().SetOffset(-1 << 30)
	e.Negative().BucketCounts().FromRaw([]uint64{3})
	e.SetCount(2)
	return md
}
